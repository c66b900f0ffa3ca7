"""A server with OpenAI's chat interface, in a thread, that answers as a test wants and counts what it is asked."""
from __future__ import annotations

import json
import re
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

ASKED = re.compile(r"(?:Dimension: |维度：)([a-z_]+)")


@dataclass
class Ask:
    """What a request asked: the cell's dimension, how often that very prompt came before, and the body."""

    dimension: str
    user: str
    before: int
    body: dict[str, Any]


@dataclass
class Reply:
    """text: the message's content; or a status with its headers. delay: seconds."""

    text: str | None = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    refusal: str | None = None
    finish: str = "stop"
    body: bytes | None = None


class Server:
    """reply: what it answers; asked: how often each dimension came; bodies: what was sent, in the order of arrival."""

    def __init__(self) -> None:
        self.reply: Callable[[Ask], Reply | str] = lambda ask: '{"frames": [], "state": "ABSENT"}'
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.asked: Counter[str] = Counter()
        self._prompts: Counter[str] = Counter()
        self._lock = threading.Lock()
        self.most = self.now = 0
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                pass

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                user = body["messages"][-1]["content"]
                user = user if isinstance(user, str) else user[0]["text"]
                found = ASKED.search(user)
                dimension = found[1] if found else ""
                with server._lock:
                    ask = Ask(dimension, user, server._prompts[user], body)
                    server._prompts[user] += 1
                    server.asked[dimension] += 1
                    server.bodies.append(body)
                    server.headers.append({name.lower(): value for name, value in self.headers.items()})
                    server.now += 1
                    server.most = max(server.most, server.now)
                try:
                    reply = server.reply(ask)
                    reply = Reply(reply) if isinstance(reply, str) else reply
                    time.sleep(reply.delay)
                    self._send(reply)
                except (BrokenPipeError, ConnectionResetError):
                    pass  # the client had enough of waiting
                finally:
                    with server._lock:
                        server.now -= 1

            def _send(self, reply: Reply) -> None:
                message = {"role": "assistant", "content": reply.text, "refusal": reply.refusal}
                data = {"id": "r", "object": "chat.completion", "created": 0, "model": "served-model",
                        "choices": [{"index": 0, "message": message, "finish_reason": reply.finish, "logprobs": None}],
                        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}}
                if reply.status != 200:
                    # As some providers do, the error repeats the request.
                    error = {"message": f"failed on {server.bodies[-1]}", "type": "server_error", "code": None}
                    data = {"error": error}
                raw = reply.body if reply.body is not None else json.dumps(data).encode()
                self.send_response(reply.status)
                for name, value in {"Content-Type": "application/json", "Content-Length": str(len(raw)),
                                    **reply.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(raw)

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}/v1"
        self._thread = threading.Thread(target=self._http.serve_forever, daemon=True, kwargs={"poll_interval": 0.05})
        self._thread.start()

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()
