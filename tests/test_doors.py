"""What is said at the doors gives nothing of the gold away: no answer, no count, no digit."""

import json
import re
from datetime import timedelta

import pytest
from click.testing import CliRunner
from conftest import AT
from phased import CLOSES, NOON, phase
from test_check import FILES

from grader import store
from grader.cli import main
from grader.inbox import Box, look, work
from grader.intake import deliver
from grader.kit import kit
from grader.model import Receipt, Rejected, Upload
from grader.receipts import answers, lines
from grader.tasks import parse, read_gold

RARE = ("xylographer", "quincunx", "zymurgy")
SUBSETS = ("marginalia", "palimpsest")
GOLD = (
    "id,answer,subset\n"
    f"q1,{RARE[0]},{SUBSETS[0]}\nq2,{RARE[1]},{SUBSETS[1]}\nq3,{RARE[2]},{SUBSETS[1]}\n"
)
MEASURES = 'measures = ["r_o", "ece@10", "mce@10", "ks", "auroc", "nll", "macro(hmr,subset)"]\n'
DAY = timedelta(days=1)
WRONG = b"id,answer,confidence\nq1,a,0.123\nq2,b,0.456\nq3,c,0.789\n"


def registered(engine, text, gold):
    task = parse(text, "t")
    with store.unit(engine) as db:
        store.add_task(db, "t", text, read_gold(task, gold.encode(), "g.csv"), b"salt" * 8, AT)
        store.add_team(db, "Ants", "token", AT)
    return task


def sent(engine, name, payload, at=NOON):
    """The outcomes, and all that a sender reads of them: text and JSON."""
    found = deliver(engine, "t", Upload("Ants", "", name, payload, at))
    return [outcome for _, outcome in found], _told(found)


def _told(found):
    text = "\n".join(lines(found))
    return text + "\n" + json.dumps(answers(found), ensure_ascii=False, indent=1)


def dropped(engine, folder, files):
    """The reports that are left beside these files in a folder, all in one text."""
    mine = folder / "in" / "t" / "ants"
    mine.mkdir(parents=True)
    for name, payload in files:
        (mine / name).write_bytes(payload)
    box = Box(folder / "in", engine, 0.0, print, print)
    work(box, look(box, {}), lambda: NOON)
    reports = sorted(mine.glob("*.report.*"))
    assert len(reports) == 2 * len(files)
    return "\n".join(report.read_text(encoding="utf-8") for report in reports)


def test_a_rare_answer_of_the_gold_leaves_by_no_door(engine, tmp_path):
    """Nor a subset that is not to be spoken of: receipts, refusals, check, kit and reports."""
    shown = {"visible": '"own"', "digits": 1, "subsets": "false"}
    rules = phase(refused=90, **shown) + phase("end", CLOSES, CLOSES + DAY, runs=1, **shown)
    top = 'title = "T"\nanswers = "normalised"\nabstain = ["maybe"]\n'
    text = f"{top}{MEASURES}[resampling]\nresamples = 0\n{rules}"
    task = registered(engine, text, GOLD)
    (tmp_path / "rare").mkdir()
    (tmp_path / "rare" / "task.toml").write_text(text)
    (tmp_path / "rare" / "gold.csv").write_text(GOLD)
    files = [(path.name, path.read_bytes()) for path in FILES]
    files.append(("ok.csv", WRONG))
    last = [
        ("ok.csv", WRONG, CLOSES),
        ("over.csv", WRONG, CLOSES),
        ("shut.csv", WRONG, CLOSES + DAY),
    ]
    told, codes = [], set()
    for name, payload, at in [*((*file, NOON) for file in files), *last]:
        outcomes, said = sent(engine, name, payload, at)
        told.append(said)
        codes |= {p.code for o in outcomes if isinstance(o, Rejected) for p in o.problems}
    assert {"quota", "closed", "missing-id", "unknown-id"} <= codes
    told += [body.decode() for _, body in kit(task, read_gold(task, GOLD.encode(), "g.csv"))]
    told.append(dropped(engine, tmp_path, files[::4]))  # the other doors say the same words
    for name, payload in files[::4]:
        path = tmp_path / f"run-{name}"
        path.write_bytes(payload)
        told.append(
            CliRunner().invoke(main, ["check", str(path), "--task", str(tmp_path / "rare")]).output
        )
        assert "would be accepted" in told[-1] or ": refused, " in told[-1]
    for said in told:
        for word in (*RARE, *SUBSETS):
            assert word not in said.casefold(), said


# --- what a receipt tells of which answers are right

KINDS = [f"kind{i}" for i in range(3)]
BODY = "id,answer,confidence\n" + "".join(
    f"q{i},{'yes' if i % 3 else 'no'},0.{1 + i % 9}37\n" for i in range(40)
)
LONE = "id,answer,subset\n" + "".join(
    f"q{i},yes,{KINDS[0] if i == 0 else KINDS[1 + i % 2]}\n" for i in range(40)
)
UNSOUND = "none is sound here"
COUNTS = re.compile(r"[0-9]+ (?:right|wrong|answers|confidences|times|instances)")


def both(engine, tmp_path, *phases, top=""):
    """What a sender is told of a run by the two doors, without signatures and digests."""
    text = f'title = "T"\n{top}{MEASURES}{"".join(phases)}'
    registered(engine, text, LONE)
    (receipt,), said = sent(engine, "a.csv", BODY.encode())
    assert isinstance(receipt, Receipt)
    said += dropped(engine, tmp_path, [("a.csv", BODY.encode())])
    return receipt, re.sub(r'"signature": "[^"]*"|[0-9a-f]{64}', "", said)


def test_a_receipt_without_subsets_at_a_digit_says_no_subset_count_or_decimal(engine, tmp_path):
    hidden = phase(visible='"own"', digits=1, subsets="false")
    receipt, said = both(engine, tmp_path, hidden, top="")
    assert {s.subset for s in receipt.graded.scores} == {"all"}
    assert '"macro(hmr,subset)"' in said
    assert UNSOUND in said
    assert [kind for kind in KINDS if kind in said] == []
    assert COUNTS.findall(said) == []
    assert re.findall(r"[0-9]\.[0-9]{2,}", said) == []


@pytest.mark.parametrize("phases", [[], [phase()], [phase(digits=2)]], ids=["none", "own", "two"])
def test_a_receipt_says_nothing_of_a_subset_of_one(engine, tmp_path, phases):
    receipt, said = both(engine, tmp_path, *phases)
    lone = [s for s in receipt.graded.scores if s.subset == f"subset={KINDS[0]}"]
    few = (
        "fewer than 200 instances, or 20 right or 20 wrong" if phases else "fewer than 5 instances"
    )
    why = f"{few}: not shown"  # a phase that takes runs is guarded
    assert {(s.n, s.value, s.low, s.high, s.note) for s in lone} == {(1, None, None, None, why)}
    assert {s.no_interval for s in lone} <= {why, UNSOUND}
    (mean,) = (s for s in receipt.graded.scores if s.measure.startswith("macro"))
    assert KINDS[0] not in mean.note + mean.no_interval
    # Of 19 nothing is said either: with the 20 and the whole it would tell of the one.
    beside = [s for s in receipt.graded.scores if s.subset == f"subset={KINDS[1]}"]
    assert {(s.n, s.value) for s in beside} == {(19, None)}
    many = [s for s in receipt.graded.scores if s.subset == f"subset={KINDS[2]}"]
    assert all((s.value is None) == bool(phases) for s in many if s.measure == "accuracy")
    digits = 2 if "digits" in "".join(phases) else 3
    assert [d for d in re.findall(r"[0-9]\.([0-9]+)", said) if len(d) > digits] == []
