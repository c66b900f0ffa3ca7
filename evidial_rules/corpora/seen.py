"""What has been seen before, in memory that stays the same however much it is."""
from __future__ import annotations

import sqlite3

IN_MEMORY = 50_000
"""Keys that are held in memory; with more, all of them go to a temporary database on disk."""


class Seen:
    """Where each key was seen first.

    >>> seen = Seen()
    >>> seen.first("d1", "in.jsonl:1"), seen.first("d2", "in.jsonl:2"), seen.first("d1", "in.jsonl:3")
    (None, None, 'in.jsonl:1')
    """

    def __init__(self) -> None:
        self._held: dict[str, str] = {}
        self._disk: sqlite3.Connection | None = None

    def first(self, key: str, where: str) -> str | None:
        """None, and the place is remembered, if the key is new; else the place where it was first."""
        if self._disk is None:
            if key in self._held:
                return self._held[key]
            self._held[key] = where
            if len(self._held) > IN_MEMORY:
                self._spill()
            return None
        if self._disk.execute("INSERT OR IGNORE INTO seen VALUES (?, ?)", (key, where)).rowcount:
            return None
        return self._disk.execute("SELECT place FROM seen WHERE key = ?", (key,)).fetchone()[0]

    def _spill(self) -> None:
        # An empty name is a file of SQLite's own, which goes with the connection; nothing of it need survive a crash.
        self._disk = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._disk.execute("PRAGMA journal_mode = OFF")
        self._disk.execute("CREATE TABLE seen (key TEXT PRIMARY KEY, place TEXT) WITHOUT ROWID")
        self._disk.execute("BEGIN")
        self._disk.executemany("INSERT INTO seen VALUES (?, ?)", self._held.items())
        self._held.clear()
