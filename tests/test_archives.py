"""Archives: what is in them within the limits, or one plain reason why not."""

import gzip
import io
import struct
import tracemalloc
import warnings
import zipfile
import zlib

import pytest
from grading import GOLD, RUN, graded, refused
from hypothesis import given
from hypothesis import strategies as st

from grader.archives import FILES, bundled, opened
from grader.model import Problem

LIMIT = 2**22
TEXT = b"id,answer,confidence\nq1,yes,0.9\n"


def packed(*members, method=zipfile.ZIP_DEFLATED):
    """A zip archive of (name or ZipInfo, bytes)."""
    held = io.BytesIO()
    with warnings.catch_warnings(action="ignore"), zipfile.ZipFile(held, "w", method) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return held.getvalue()


def link(name):
    info = zipfile.ZipInfo(name)
    info.create_system, info.external_attr = 3, 0o120777 << 16
    return info


def why(payload, limit=LIMIT):
    found = opened(payload, limit)
    assert isinstance(found, Problem), found[:60]
    assert (found.code, found.line, found.stops) == ("bad-archive", None, True)
    return found.message.removeprefix("the archive: ")


def patched(payload, signature, offset, form, value):
    """The payload with one field changed in its first record of this signature."""
    at = payload.index(signature) + offset
    return payload[:at] + struct.pack(form, value) + payload[at + struct.calcsize(form) :]


DIRECTORY, LOCAL, END = b"PK\x01\x02", b"PK\x03\x04", b"PK\x05\x06"
ONE = packed(("run.csv", TEXT))


class TestOpened:
    @pytest.mark.parametrize(
        "payload",
        [
            TEXT,
            gzip.compress(TEXT),
            gzip.compress(TEXT[:9]) + gzip.compress(TEXT[9:]),
            ONE,
            packed(("run.csv", TEXT), method=zipfile.ZIP_STORED),
            packed(("a/", b""), ("a/run.csv", TEXT), ("__MACOSX/._run.csv", b"\0"), (".x", b"")),
        ],
        ids=["plain", "gzip", "two gzips", "zip", "stored", "with shadows"],
    )
    def test_one_run_comes_out_as_it_went_in(self, payload):
        assert opened(payload, LIMIT) == TEXT

    @pytest.mark.parametrize("pack", [gzip.compress, lambda t: packed(("run.csv", t))])
    def test_a_packed_run_is_graded(self, pack):
        run = (RUN + "q1,yes,0.9\nq2,no,0.8\n").encode()
        found = graded(pack(run), GOLD + "q1,yes,a\nq2,yes,a\n")
        assert (found.n, found.right) == (2, 1)

    def test_what_is_wrong_in_it_keeps_its_line(self):
        (problem,) = refused(gzip.compress((RUN + "q1,yes,9\n").encode()), GOLD + "q1,yes,a\n")
        assert (problem.line, problem.code) == (2, "out-of-range")


class TestGzip:
    def test_what_is_cut_off_or_changed(self):
        whole = gzip.compress(TEXT)
        for at in range(2, len(whole) - 1):
            assert why(whole[:at]) == "it ends too early: pack or send it again"
        for place in (len(whole) - 1, len(whole) - 8, 15):
            broken = bytearray(whole)
            broken[place] ^= 0xFF
            assert why(bytes(broken)) == "it is damaged: pack it again"
        assert why(whole + b"x" * 20) == "it is damaged: pack it again"

    def test_an_archive_in_an_archive(self):
        for inner in (gzip.compress(TEXT), ONE):
            assert why(gzip.compress(inner)) == "another archive is in it: pack a run once"
            assert why(packed(("x", inner))) == "another archive is in it: pack a run once"

    def test_size_and_ratio(self):
        noise = bytes(zlib.crc32(struct.pack("<I", i)) & 0xFF for i in range(2**21))
        assert opened(gzip.compress(noise), 2**21) == noise
        assert why(gzip.compress(noise), 2**21 - 1) == "more than 1 MiB are in it"
        said = "it unpacks to more than 200 times its size"
        assert why(gzip.compress(bytes(2**21))) == said
        assert why(packed(("x", bytes(2**21)))) == said
        assert opened(gzip.compress(bytes(2**20)), LIMIT) == bytes(2**20)

    def test_many_in_one(self):
        assert why(gzip.compress(b"") * (FILES + 1)) == f"more than {FILES} files in it"

    def test_a_bomb_fills_no_memory(self):
        bomb = gzip.compress(bytes(2**28))  # 256 MiB
        tracemalloc.start()
        why(bomb)
        why(packed(("x", bytes(2**24))))
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 2**24 + 2**23


class TestZip:
    @pytest.mark.parametrize(
        ("name", "said"),
        [
            ("../run.csv", "is no plain name"),
            ("a/../../run.csv", "is no plain name"),
            ("/etc/run.csv", "is no plain name"),
            ("C:run.csv", "is no plain name"),
            ("..\\run.csv", "is no plain name"),
            ("a\nb.csv", "holds a control character"),
            ("a/" * 250 + "b", "has more than 500 characters"),
        ],
    )
    def test_names_that_lead_elsewhere(self, name, said):
        assert said in why(packed((name, TEXT)))

    def test_links(self):
        assert why(packed((link("run.csv"), b"/etc/passwd"))) == (
            "'run.csv' in it is a link, and no file"
        )

    def test_names_that_come_twice_in_either_case(self):
        for names in (("a.csv", "a.csv"), ("a.csv", "A.CSV"), ("é.csv", "e\u0301.csv")):
            assert "stands twice in it" in why(packed(*((n, TEXT) for n in names)))

    def test_none_or_several_are_no_run(self):
        assert why(packed((".a", b""), ("b/", b""))) == "0 files in it; one run is needed"
        assert why(packed(("a", TEXT), ("b", TEXT))) == "2 files in it; one run is needed"

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            ((DIRECTORY, 8, "<H", 1), "'run.csv' in it is encrypted"),
            ((DIRECTORY, 10, "<H", 9), "is packed in an unusual way"),
            ((DIRECTORY, 10, "<H", 14), "is packed in an unusual way"),
            ((DIRECTORY, 16, "<L", 1), "contradict each other"),
            ((DIRECTORY, 24, "<L", 5), "contradict each other"),
            ((DIRECTORY, 24, "<L", 2**32 - 1), "it is of the zip64 form"),
            ((LOCAL, 22, "<L", 5), "contradict each other"),
            ((LOCAL, 26, "<H", 3), "it is damaged"),
            ((END, 10, "<H", 0xFFFF), "it is of the zip64 form"),
            ((END, 10, "<H", FILES + 1), f"more than {FILES} files"),
            ((END, 12, "<L", 2**30), f"more than {FILES} files"),
            ((END, 16, "<L", 2**31), "it is damaged"),
        ],
    )
    def test_what_it_says_of_itself_is_not_believed(self, change, said):
        assert said in why(patched(ONE, *change))

    @pytest.mark.parametrize(
        ("size", "crc", "said"),
        [(5, None, "it is damaged"), (99, None, "not as long as it says"), (None, 7, "damaged")],
    )
    def test_both_headers_may_lie(self, size, crc, said):
        lie = ONE
        for signature, of_crc, of_size in ((LOCAL, 14, 22), (DIRECTORY, 16, 24)):
            lie = lie if size is None else patched(lie, signature, of_size, "<L", size)
            lie = lie if crc is None else patched(lie, signature, of_crc, "<L", crc)
        assert said in why(lie)

    def test_spreadsheets_are_told_apart(self):
        found = opened(packed(("[Content_Types].xml", b"<x/>"), ("xl/a.xml", b"")), LIMIT)
        assert (found.code, found.message) == (
            "not-text",
            "the file looks like a spreadsheet (.xlsx): export it as CSV",
        )

    def test_the_limit_is_of_all_files_together(self):
        noise = bytes(zlib.crc32(struct.pack("<I", i)) & 0xFF for i in range(2**18))
        members = [(f"r{i}", noise) for i in range(5)]
        assert len(bundled(packed(*members[:4]), 2**20)) == 4
        assert bundled(packed(*members), 2**20).message.endswith("more than 1 MiB are in it")


class TestBundled:
    def test_runs_come_by_name_without_shadows(self):
        archive = packed(
            ("b.csv", b"2"),
            ("x/a.csv", b"3"),
            ("a.csv", b"1"),
            ("__MACOSX/b.csv", b""),
            (".c", b""),
        )
        assert bundled(archive, LIMIT) == (("a.csv", b"1"), ("b.csv", b"2"), ("x/a.csv", b"3"))

    def test_a_folder_that_is_named_as_this_one_or_not_at_all_is_none(self):
        archive = packed(("./b.csv", b"2"), ("x/.//a.csv", b"1"), ("./.c", b""), ("x/./", b""))
        assert bundled(archive, LIMIT) == (("b.csv", b"2"), ("x/a.csv", b"1"))
        assert "stands twice in it" in why(packed(("./b.csv", b"2"), ("b.csv", b"1")))

    def test_of_two_archives_in_a_row_neither_is_read(self):
        other = packed(("b.csv", TEXT))
        adjusted = patched(patched(other, DIRECTORY, 42, "<L", len(ONE)), END, 16, "<L", 0)
        at = struct.pack("<L", len(ONE) + other.index(DIRECTORY))
        adjusted = adjusted[: adjusted.index(END) + 16] + at + adjusted[adjusted.index(END) + 20 :]
        for second in (other, adjusted):
            assert why(ONE + second).startswith("something stands before it")
            assert bundled(ONE + second, LIMIT).code == "bad-archive"

    def test_what_is_no_zip(self):
        assert bundled(TEXT, LIMIT).message == "this is no zip archive"


FIRST = packed(("run.csv", TEXT * 9), ("b.csv", b"x"))


@given(
    st.sampled_from([ONE, FIRST, gzip.compress(TEXT * 9)]),
    st.lists(st.tuples(st.integers(0, 500), st.binary(max_size=4)), min_size=1, max_size=3),
)
def test_changed_archives_are_refused_or_hold_what_they_held(payload, changes):
    for at, data in changes:
        payload = payload[:at] + data + payload[at + len(data) :]
    found = opened(payload, LIMIT)
    assert isinstance(found, Problem) or found in (TEXT, TEXT * 9, payload)
    several = bundled(payload, LIMIT)
    if not isinstance(several, Problem):
        assert {data for _, data in several} <= {TEXT, TEXT * 9, b"x", b""}
