"""What the README tells a new user to do works as it says."""
from __future__ import annotations

import re
from pathlib import Path

from evidial_rules.cli import app
from evidial_rules.report import NOTICE

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def test_the_notice_is_there():
    assert NOTICE in " ".join(README.replace("**", "").replace("> ", "").split())


def test_the_python_example_runs(capsys):
    code = "\n".join(re.findall(r"```python\n(.*?)```", README, re.S))
    exec(compile(code, "README.md", "exec"), {})
    assert "sleep SUFFICIENT_POS (1,)" in capsys.readouterr().out


def test_each_command_that_it_shows_exists():
    shown = set(re.findall(r"^(?:\.venv/bin/)?evidial (\w+)", README, re.M))
    known = {command.name or command.callback.__name__ for command in app.registered_commands}
    groups = {group.typer_instance.info.name: group.typer_instance for group in app.registered_groups}
    assert shown == known | set(groups)
    for name, group in groups.items():
        of_group = set(re.findall(rf"^(?:\.venv/bin/)?evidial {name} (\w+)", README, re.M))
        assert of_group == {command.name for command in group.registered_commands}


def test_the_files_that_it_links_to_exist():
    for name in re.findall(r"\]\((?!http)([^)#]+)\)", README):
        assert (Path(__file__).parents[1] / name).is_file(), name
