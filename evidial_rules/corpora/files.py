"""Rows in and out: JSON Lines and Parquet, read as a stream and written whole or not at all."""
from __future__ import annotations

import contextlib
import itertools
import json
import os
import secrets
import stat
import sys
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from ..contract import DIMENSIONS
from ..errors import EvidialError, FileFormatError, OutputError, described
from .folders import expand

BATCH = 128
"""Rows held at a time by the Parquet reader and writer."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a file. `where` is "file:line" (in Parquet, "file:row N"), `line` counts from 1."""

    where: str
    line: int
    data: dict[str, Any]

    @property
    def file(self) -> str:
        """The file's name, as messages show it.

        >>> Row("a:b.parquet:row 3", 3, {}).file
        'a:b.parquet'
        """
        return self.where.rpartition(":")[0]


@dataclass(frozen=True, slots=True)
class Rejected:
    """A row that was left out, without its words: for `OUT.rejected.jsonl`."""

    file: str
    line: int
    error: str

    def to_dict(self) -> dict[str, Any]:
        """`{"file", "line", "error"}`; bytes of a file's name that are no UTF-8 stand as escapes."""
        return {"file": printable(self.file), "line": self.line, "error": printable(self.error)}


def printable(text: str) -> str:
    """A file's name as text: bytes that are no UTF-8 stand as escapes."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


Reject = Callable[[Rejected], None]


def name_of(path: str | os.PathLike[str]) -> str:
    """A path as messages show it."""
    return "standard input" if os.fspath(path) == "-" else os.fspath(path)


def is_parquet(path: str | os.PathLike[str]) -> bool:
    """Whether the name says Parquet."""
    return os.fspath(path).lower().endswith(".parquet")


def read_rows(
    path: str | os.PathLike[str], *, reject: Reject | None = None, without: Collection[str] = (),
    rows: range | None = None,
) -> Iterator[Row]:
    """The rows of a JSON Lines file, of a Parquet file (by its name), of a folder of Parquet files or of standard input
    ("-"), one at a time.

    JSON Lines are UTF-8, with or without a byte order mark, with LF or CRLF; empty lines are skipped. With `reject`,
    a broken line is handed to it and the rest goes on; a file that cannot be read at all is an error in any case.
    Of Parquet, the columns in `without` are not loaded, and only these `rows`, counted from 0, are read (a file's).

    Raises :class:`~evidial_rules.errors.FileFormatError` with file and line.
    """
    if os.path.isdir(path):
        for part in expand(path):
            yield from _parquet_rows(part, reject, without, None)
        return
    if is_parquet(path):
        yield from _parquet_rows(path, reject, without, rows)
        return
    label = name_of(path)
    with open_binary(path, label) as stream:
        number = 0
        while True:
            number += 1
            try:
                raw = stream.readline()
            except OSError as error:
                raise FileFormatError(where=f"{label}:{number}",
                                      expected=f"a file that can be read ({error.strerror})") from None
            if not raw:
                return
            if number == 1:
                if (found := marked(raw)) is not None:
                    raise FileFormatError(where=f"{label}:1", expected=f"UTF-8 text, found {found}")
                raw = raw.removeprefix(b"\xef\xbb\xbf")
            if not raw.strip():
                continue
            try:
                yield Row(f"{label}:{number}", number, _parse(raw, f"{label}:{number}"))
            except FileFormatError as error:
                if reject is None:
                    raise
                reject(Rejected(label, number, str(error)))


def read_jsonl(path: str | os.PathLike[str], *, reject: Reject | None = None) -> Iterator[dict[str, Any]]:
    """The objects of a JSON Lines (or Parquet) file; see :func:`read_rows`."""
    for row in read_rows(path, reject=reject):
        yield row.data


def marked(raw: bytes) -> str | None:
    """The encoding that a mark at the start of a file tells, if it is not UTF-8.

    >>> marked("hi".encode("utf-16")), marked("hi".encode("utf-32")), marked(b"hi")
    ('UTF-16', 'UTF-32', None)
    """
    if raw.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")):
        return "UTF-32"
    return "UTF-16" if raw.startswith((b"\xff\xfe", b"\xfe\xff")) else None


def open_binary(path: str | os.PathLike[str], label: str) -> contextlib.AbstractContextManager[IO[bytes]]:
    """A file, or standard input ("-"), for reading bytes. label: what messages call it.

    Raises :class:`~evidial_rules.errors.FileFormatError`.
    """
    if os.fspath(path) == "-":
        if sys.stdin is None:
            raise FileFormatError(where=label, expected="an input that is open")
        return contextlib.nullcontext(sys.stdin.buffer)
    try:
        return open(path, "rb")
    except OSError as error:
        raise FileFormatError(where=label, expected=f"a file that can be read ({error.strerror})") from None


def _parse(raw: bytes, where: str) -> dict[str, Any]:
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise FileFormatError(where=where, expected="UTF-8 text") from None
    try:
        # strict=False lets raw control characters inside strings pass: they are kept, offsets count them.
        data = json.loads(text, strict=False, parse_constant=_no_constant, object_pairs_hook=once)
    except Twice:
        raise FileFormatError(where=where, expected="JSON objects with each key once") from None
    except json.JSONDecodeError as error:
        raise FileFormatError(where=where, expected=f"one JSON object, found broken JSON at column {error.colno}"
                              ) from None
    except RecursionError:
        raise FileFormatError(where=where, expected="JSON that is not nested so deep") from None
    except ValueError:
        raise FileFormatError(where=where, expected="JSON with finite numbers") from None
    if not isinstance(data, dict):
        raise FileFormatError(where=where, expected=f"one JSON object, found {described(data)}")
    return data


class Twice(ValueError):
    """An object of JSON has a key twice."""


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, for `object_pairs_hook`; raises Twice."""
    data = dict(pairs)
    if len(data) < len(pairs):
        raise Twice  # which of the two was meant, nobody knows
    return data


def _no_constant(name: str) -> None:
    raise ValueError(name)


# -- Parquet ---------------------------------------------------------------------------------------------------------

_TEXT = ("dialogue_id", "participant_id", "source", "language", "instrument", "date", "dimension", "state", "rater",
         "reason", "stated", "split", "method", "model", "status")
_WHOLE = ("contract", "raters", "prediction", "invalid_frames")
_JSON = b"evidial_json"


def _schema(keys: Iterable[str]) -> Any:
    """Arrow columns for the keys of the interface; any other key, and what is nested freely, is JSON text."""
    import pyarrow as pa

    turn = pa.struct([("speaker", pa.string()), ("text", pa.string())])
    fixed = {
        "turns": pa.list_(turn), "k": pa.list_(pa.int64()), "valid": pa.bool_(), "entropy": pa.float64(),
        "scores": pa.struct([(dimension, pa.float64()) for dimension in DIMENSIONS]),
        **dict.fromkeys(_TEXT, pa.string()), **dict.fromkeys(_WHOLE, pa.int64()),
    }
    return pa.schema([pa.field(key, fixed[key]) if key in fixed else pa.field(key, pa.string(), metadata={_JSON: b"1"})
                      for key in keys])


def parquet_length(path: str | os.PathLike[str]) -> int:
    """How many rows a Parquet file has, by what it says at its end. Raises
    :class:`~evidial_rules.errors.FileFormatError`."""
    import pyarrow.parquet as pq

    label = name_of(path)
    with open_binary(path, label) as stream:
        try:
            return pq.ParquetFile(stream, pre_buffer=False).metadata.num_rows
        except Exception as error:
            raise _broken(label, error) from None


def parquet_ids(path: str | os.PathLike[str]) -> Iterator[str]:
    """The column `dialogue_id` of a Parquet file, as text, and nothing else of it; "" where there is none. Raises
    :class:`~evidial_rules.errors.FileFormatError`."""
    import pyarrow.parquet as pq

    label = name_of(path)
    with open_binary(path, label) as stream:
        try:
            file = pq.ParquetFile(stream, pre_buffer=False)
            if "dialogue_id" not in file.schema_arrow.names:
                raise FileFormatError(where=label, expected="a column dialogue_id")
            for batch in file.iter_batches(columns=["dialogue_id"], use_threads=False):
                yield from ("" if one is None else str(one) for one in batch.column(0).to_pylist())
        except FileFormatError:
            raise
        except Exception as error:
            raise _broken(label, error) from None


def _chosen_groups(metadata: Any, rows: range) -> tuple[list[int], int]:
    """The row groups that hold the rows, and the number of the first row in them."""
    groups: list[int] = []
    start = first = 0
    for group in range(metadata.num_row_groups):
        stop = start + metadata.row_group(group).num_rows
        if start < rows.stop and stop > rows.start:
            first = first if groups else start
            groups.append(group)
        start = stop
    return groups, first


def _parquet_rows(
    path: str | os.PathLike[str], reject: Reject | None, without: Collection[str], rows: range | None,
) -> Iterator[Row]:
    import pyarrow.parquet as pq

    label = name_of(path)
    # Arrow raises whatever comes to it over a damaged file, UnicodeDecodeError among it: each of its calls is guarded.
    with open_binary(path, label) as stream, contextlib.ExitStack() as closing:
        try:
            file = closing.enter_context(pq.ParquetFile(stream, pre_buffer=False))
            schema = file.schema_arrow
            names = [field.name for field in schema]
            encoded = {field.name for field in schema
                       if field.name not in without and (field.metadata or {}).get(_JSON)}
            groups, number = (None, 0) if rows is None else _chosen_groups(file.metadata, rows)
            batches = iter(()) if groups == [] else file.iter_batches(
                batch_size=BATCH, row_groups=groups, use_threads=False,
                columns=[name for name in names if name not in without] if without else None)
        except Exception as error:
            raise _broken(label, error) from None
        if len(set(names)) < len(names):
            raise FileFormatError(where=label, expected="columns whose names differ")
        while True:
            try:
                batch = next(batches, None)
            except Exception as error:
                raise _broken(label, error) from None
            if batch is None:
                return
            if rows is not None and (number >= rows.stop or number + batch.num_rows <= rows.start):
                number += batch.num_rows
                continue
            for data in _rows_of(batch, label, number):
                number += 1
                if rows is not None and number - 1 not in rows:
                    continue
                where = f"{label}:row {number}"
                try:
                    for key in encoded:
                        data[key] = _nested(data[key], where)
                except FileFormatError as error:
                    if reject is None:
                        raise
                    reject(Rejected(label, number, str(error)))
                    continue
                yield Row(where, number, data)


def _rows_of(batch: Any, label: str, number: int) -> list[dict[str, Any]]:
    try:
        return batch.to_pylist()
    except (ValueError, ArithmeticError):  # a time stamp of the year 300000
        last = number + batch.num_rows
        raise FileFormatError(where=f"{label}:rows {number + 1} to {last}",
                              expected="text, numbers and dates of the usual sizes") from None
    except Exception as error:
        raise _broken(label, error) from None


def _nested(value: Any, where: str) -> Any:
    """What a column of JSON text holds."""
    if value is None:
        return None
    try:
        return json.loads(value, strict=False, parse_constant=_no_constant, object_pairs_hook=once)
    except RecursionError:
        raise FileFormatError(where=where, expected="JSON that is not nested so deep") from None
    except (ValueError, TypeError):
        raise FileFormatError(where=where, expected="JSON text in the columns that are marked as JSON") from None


def _broken(label: str, error: Exception) -> FileFormatError:
    if isinstance(error, OSError) and error.strerror:
        return FileFormatError(where=label, expected=f"a file that can be read ({error.strerror})")
    # Arrow's own message may quote the file.
    return FileFormatError(where=label, expected="a whole Parquet file (this one is truncated, damaged or no Parquet)")


# -- Writing ---------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def atomic(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A binary stream that becomes `path` when the block ends, and leaves nothing behind if it fails.

    The bytes go to a temporary name in the same folder. "-" is standard output, and a device or pipe is written to
    as it is. Raises :class:`~evidial_rules.errors.OutputError` if the file cannot be written.
    """
    label = "standard output" if os.fspath(path) == "-" else os.fspath(path)
    if label == "standard output":
        if sys.stdout is None:
            raise OutputError(where=label, expected="an output that is open")
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    target = Path(os.path.realpath(path))  # through a link, so that the link stays one
    try:
        mode = os.stat(target).st_mode
    except FileNotFoundError:
        mode = None
    except OSError as error:  # a link that leads to itself, a folder that is a file
        raise OutputError(where=label, expected=f"a file that can be written ({error.strerror})") from None
    if mode is not None and stat.S_ISDIR(mode):
        raise OutputError(where=label, expected="the name of a file, found a folder")
    try:
        if mode is not None and not stat.S_ISREG(mode):
            with open(target, "wb") as stream:
                yield stream
            return
        # Not tempfile: its files are private, and the result would keep that.
        temporary = target.with_name(f".{target.name[:200]}.{secrets.token_hex(6)}.tmp")
        try:
            with open(temporary, "xb") as stream:
                if mode is not None:
                    os.chmod(temporary, stat.S_IMODE(mode))
                yield stream
            os.replace(temporary, target)
        finally:
            temporary.unlink(missing_ok=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(where=label, expected=f"a file that can be written ({error.strerror})") from None


def to_json(row: Any) -> str:
    """One row as a line of JSON (without the line's end): keys in the order given, no escapes for other scripts."""
    return json.dumps(row if isinstance(row, Mapping) else row.to_dict(), ensure_ascii=False, allow_nan=False)


def write_jsonl(path: str | os.PathLike[str], rows: Iterable[Any]) -> int:
    """Writes rows (mappings, or values with `to_dict`) as JSON Lines, or as Parquet if the name says so.

    Returns how many. The file appears whole or not at all, and rows are not held in memory.
    Raises :class:`~evidial_rules.errors.OutputError`.
    """
    if is_parquet(path):
        return _write_parquet(path, rows)
    count = 0
    with atomic(path) as stream:
        for row in rows:
            stream.write(_line(row, name_of(path), count + 1))
            count += 1
    return count


def _line(row: Any, label: str, number: int) -> bytes:
    try:
        return to_json(row).encode("utf-8") + b"\n"
    except EvidialError:
        raise
    except (ValueError, TypeError):
        raise OutputError(where=f"{label}:{number}", expected="a row of finite numbers and whole characters") from None


def _write_parquet(path: str | os.PathLike[str], rows: Iterable[Any]) -> int:
    # A Parquet file states its columns first, and a late row may bring a new key: so the rows wait on disk.
    keys: dict[str, None] = {}
    with tempfile.TemporaryFile() as spool:
        for number, row in enumerate(rows, 1):
            data = row if isinstance(row, Mapping) else row.to_dict()
            keys.update(dict.fromkeys(data))
            spool.write(_line(data, name_of(path), number))
        spool.seek(0)
        names = tuple(keys) or ("dialogue_id",)
        encoded = json_columns(names)
        return write_encoded(path, names, (encode(json.loads(line), encoded) for line in spool))


def json_columns(keys: Iterable[str]) -> tuple[str, ...]:
    """Those of the keys whose columns are JSON text.

    >>> json_columns(["dialogue_id", "frames", "k"])
    ('frames',)
    """
    return tuple(field.name for field in _schema(keys) if field.metadata)


def encode(data: dict[str, Any], columns: Iterable[str]) -> dict[str, Any]:
    """The row with JSON text in the columns that are for it; changed in place."""
    for key in columns:
        if data.get(key) is not None:
            data[key] = json.dumps(data[key], ensure_ascii=False)
    return data


def write_encoded(
    path: str | os.PathLike[str], keys: Iterable[str], rows: Iterable[Mapping[str, Any]], *, batch_size: int = BATCH,
    compression: str = "snappy",
) -> int:
    """Writes rows that hold JSON text already where :func:`json_columns` says so, as a Parquet file with these keys as
    columns. batch_size: rows in a row group. Returns how many. The file appears whole or not at all.

    Raises :class:`~evidial_rules.errors.OutputError`.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = _schema(keys)
    count = 0
    with atomic(path) as stream, pq.ParquetWriter(stream, schema, compression=compression) as writer:
        source = iter(rows)
        while batch := list(itertools.islice(source, batch_size)):
            count += len(batch)
            try:
                writer.write_table(pa.Table.from_pylist(batch, schema=schema))
            except (pa.ArrowException, TypeError):
                raise OutputError(where=f"{name_of(path)}:row {count}",
                                  expected="rows with the interface's types") from None
    return count
