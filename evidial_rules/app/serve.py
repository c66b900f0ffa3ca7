"""Runs Streamlit for a workspace: on this machine only, without usage statistics."""
from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from urllib.request import urlopen

from ..errors import EvidialError
from .workspace import Workspace, set_current

HOST = "127.0.0.1"
PORT = 8501
"""Streamlit's own."""
TRIES = 50
FIRST_PAGE = 20
"""Dialogues on a page of the grid."""


class AppError(EvidialError):
    """A browser's page that cannot be served: the extra is not installed, or the port is taken."""

    code = "E323"
    template = "{where}: expected {expected}"


def check_installed() -> None:
    """Raises :class:`AppError` that names the extra if Streamlit is not there."""
    if find_spec("streamlit") is None:
        raise AppError(where="evidial app", expected="Streamlit (pip install 'evidial-rules[app]')")


def free_port(port: int | None = None) -> int:
    """The port, if it is free on this machine; without one, the first free one from `PORT` on.

    Raises :class:`AppError`.
    """
    for number in [port] if port is not None else range(PORT, PORT + TRIES):
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                trial.bind((HOST, number))
            except OSError:
                continue
            return number
    raise AppError(where="--port", expected="a port that is free on this machine"
                                            + (f", found {port} taken" if port is not None else ""))


def serve(workspace: Workspace, port: int, *, ready: Callable[[str], None] | None = None) -> None:
    """Serves the pages of a workspace until Ctrl-C or SIGTERM. `ready` is called with the address once they are there.

    Raises :class:`AppError` if Streamlit is not installed.
    """
    check_installed()
    from streamlit import net_util
    from streamlit.web import cli

    # Streamlit would ask a public server for this machine's address, to compare it with a request's origin.
    net_util.get_external_ip = lambda: None
    options = {
        "server.address": HOST, "server.port": port, "server.headless": "true", "server.fileWatcherType": "none",
        "server.enableAgentApi": "false", "server.enableCORS": "true", "server.enableXsrfProtection": "true",
        "browser.gatherUsageStats": "false", "browser.serverAddress": HOST, "browser.serverPort": port,
        "global.developmentMode": "false", "client.toolbarMode": "minimal", "client.showErrorDetails": "none",
        "client.showErrorLinks": "false", "logger.hideWelcomeMessage": "true", "logger.level": "error",
        "theme.base": "light",
    }
    set_current(workspace)
    if ready is not None:
        threading.Thread(target=_tell, args=(port, ready), daemon=True).start()
    try:
        # The command line is the part of Streamlit's own running that is documented; it ends when it is stopped.
        cli.main(["run", str(Path(__file__).with_name("script.py")),
                  *(f"--{name}={value}" for name, value in options.items())], standalone_mode=False)
    except SystemExit as ended:
        if ended.code:
            raise AppError(where="evidial app", expected="Streamlit to run; it ended at once") from None
    finally:
        set_current(None)
        workspace.close()


def _tell(port: int, ready: Callable[[str], None]) -> None:
    address = f"http://{HOST}:{port}"
    for _ in range(600):
        try:
            with urlopen(f"{address}/_stcore/health", timeout=1):
                break
        except OSError:
            time.sleep(0.1)
    ready(address)
