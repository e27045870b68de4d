"""Archives that senders pack runs in, unpacked within limits of size, ratio and count.

Nothing is unpacked beyond the limits, whatever an archive says of itself.
"""

import re
import stat
import struct
import unicodedata
import zlib
from collections.abc import Iterator
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from grader.model import Problem
from grader.plural import counted

RATIO = 200  # times its packed size that a file above one MiB may have; text packs up to 30 times
FILES = 1000  # in one archive, those that are ignored too
LONGEST = 500  # characters of a file's path in an archive
_CHUNK = 2**16
_DIRECTORY = FILES * 400  # bytes of an archive's list of files
_GZIP, _ZIP = b"\x1f\x8b", b"PK\x03\x04"
_BROKEN = (
    *(BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError, OverflowError),
    *(struct.error, zlib.error, KeyError, IndexError),
)


class _Refused(Exception):  # noqa: N818, it is told to the sender
    """What is wrong with an archive, or with one of its files."""

    @property
    def problem(self) -> Problem:
        return Problem("bad-archive", f"the archive: {self}", stops=True)


class _Spreadsheet(_Refused):
    """A zip archive to computers, and none to people."""

    @property
    def problem(self) -> Problem:
        said = "the file looks like a spreadsheet (.xlsx): export it as CSV"
        return Problem("not-text", said, stops=True)


def opened(payload: bytes, limit: int) -> bytes | Problem:
    """The bytes of a run's file, unpacked if it is gzipped or alone in a zip archive."""
    try:
        if payload.startswith(_GZIP):
            return _unnested(_gunzipped(payload, limit))
        if payload.startswith(_ZIP):
            return _alone(list(_members(payload, limit)))
    except _Refused as e:
        return e.problem
    return payload


def bundled(payload: bytes, limit: int) -> tuple[tuple[str, bytes], ...] | Problem:
    """Each run of a zip archive, as (name in it, bytes), by name."""
    if not payload.startswith(_ZIP):
        return Problem("bad-archive", "this is no zip archive", stops=True)
    try:
        return tuple(sorted(_members(payload, limit)))
    except _Refused as e:
        return e.problem


def _alone(members: list[tuple[str, bytes]]) -> bytes:
    if len(members) != 1:
        raise _Refused(f"{counted(len(members), 'file')} in it; one run is needed")
    return members[0][1]


def _unnested(payload: bytes) -> bytes:
    if payload.startswith((_GZIP, _ZIP)):
        raise _Refused("another archive is in it: pack a run once")
    return payload


def _gunzipped(payload: bytes, limit: int) -> bytes:
    """The text of a gzip file, which may be several one after the other."""
    kept, rest, inflater, members = bytearray(), b"", zlib.decompressobj(31), 1
    source = BytesIO(payload)
    try:
        while True:
            data = rest or source.read(_CHUNK)
            if not data:
                break
            if inflater.eof:
                inflater, members = zlib.decompressobj(31), members + 1
                if members > FILES:
                    raise _Refused(f"more than {FILES} files in it")
            kept += inflater.decompress(data, limit + 1 - len(kept))
            rest = inflater.unconsumed_tail or inflater.unused_data
            _within(len(kept), source.tell() - len(rest), limit)
    except zlib.error as e:
        raise _Refused("it is damaged: pack it again") from e
    if not inflater.eof:
        raise _Refused("it ends too early: pack or send it again")
    return bytes(kept)


def _within(size: int, packed: int, limit: int, before: int = 0) -> None:
    if before + size > limit:
        raise _Refused(f"more than {limit // 2**20} MiB are in it")
    if size > 2**20 and size > RATIO * packed:
        raise _Refused(f"it unpacks to more than {RATIO} times its size")


def _members(payload: bytes, limit: int) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a zip archive that are no folders, shadows or hidden, checked."""
    _bounded(payload)
    total, seen = 0, set[str]()
    try:
        with ZipFile(BytesIO(payload)) as archive:
            infos = archive.infolist()
            if any(i.filename.startswith(("[Content_Types].xml", "xl/")) for i in infos):
                raise _Spreadsheet
            if len(infos) > FILES:
                raise _Refused(f"more than {FILES} files in it")
            if min((info.header_offset for info in infos), default=0) > 0:
                raise _Refused(
                    "something stands before it, perhaps another archive: pack it again"
                )
            for info in infos:
                if not (name := _name(info)):
                    continue
                if (folded := name.casefold()) in seen:
                    raise _Refused(f"{name[:60]!r} stands twice in it")
                seen.add(folded)
                _plain(info, payload)
                data = _inflated(archive, info, total, limit)
                total += len(data)
                yield name, _unnested(data)
    except _BROKEN as e:
        raise _Refused("it is damaged: pack it again") from e


def _bounded(payload: bytes) -> None:
    """Refuse, before it is read, a list of files that is too long or in the zip64 form."""
    at = payload.rfind(b"PK\x05\x06", max(0, len(payload) - 65_557))
    if at < 0 or len(payload) < at + 22:
        raise _Refused("it is damaged: pack it again")
    files, size, start = struct.unpack_from("<HLL", payload, at + 10)
    if (
        files == 0xFFFF
        or 0xFFFFFFFF in (size, start)
        or payload[at - 20 : at - 16] == b"PK\x06\x07"
    ):
        raise _Refused("it is of the zip64 form: pack fewer or smaller files")
    if files > FILES or size > _DIRECTORY:
        raise _Refused(f"more than {FILES} files in it")


def _name(info: ZipInfo) -> str:
    """The path of a file that its sender means, else nothing; refuses what leads elsewhere."""
    name = info.orig_filename
    if len(name) > LONGEST:
        raise _Refused(f"a file's path in it has more than {LONGEST} characters")
    parts = re.split(r"[/\\]", name)
    if "\0" in name or not all(letter.isprintable() for letter in name):
        raise _Refused("a file's name in it holds a control character")
    if ".." in parts or not parts[0] or "\\" in name or re.match("[A-Za-z]:", name):
        raise _Refused(
            f"{name[:60]!r} in it is no plain name: no '/' in front, no '..', '\\' or ':'"
        )
    parts = [part for part in parts if part not in ("", ".")]  # of ./a.csv and a//b.csv
    if name.endswith("/") or parts[:1] == ["__MACOSX"] or any(p.startswith(".") for p in parts):
        return ""
    return unicodedata.normalize("NFC", "/".join(parts))


def _plain(info: ZipInfo, payload: bytes) -> None:
    """Refuse a file that is encrypted, a link, packed in an unusual way, or not what it says."""
    name, mode = info.filename[:60], info.external_attr >> 16
    if info.flag_bits & 0x2041:
        raise _Refused(f"{name!r} in it is encrypted")
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        raise _Refused(f"{name!r} in it is a link, and no file")
    if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise _Refused(f"{name!r} in it is packed in an unusual way: pack it as a plain .zip")
    if any(kind == 1 for kind in _extras(info.extra)) or info.file_size >= 2**32 - 1:
        raise _Refused("it is of the zip64 form: pack fewer or smaller files")
    header = struct.unpack_from("<4s5H3L", payload, info.header_offset)
    said = (info.CRC, info.compress_size, info.file_size)
    if not header[2] & 8 and header[6:] != said:  # else the sizes stand behind the file
        raise _Refused(f"the sizes of {name!r} in it contradict each other: pack it again")


def _extras(extra: bytes) -> Iterator[int]:
    """Yield the kind of each extra field."""
    while len(extra) >= 4:
        kind, size = struct.unpack_from("<HH", extra)
        yield kind
        extra = extra[4 + size :]


def _inflated(archive: ZipFile, info: ZipInfo, before: int, limit: int) -> bytes:
    """The bytes of a file, read in pieces; ``before`` bytes came out of the archive already."""
    kept = bytearray()
    with archive.open(info) as source:
        while piece := source.read(_CHUNK):
            kept += piece
            _within(len(kept), info.compress_size, limit, before)
    if len(kept) != info.file_size:
        raise _Refused(f"{info.filename[:60]!r} in it is not as long as it says: pack it again")
    return bytes(kept)
