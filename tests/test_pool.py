"""What is handed out to judges: blind, in part twice, to a depth or budget, and read back."""

import csv
import io
import json
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judging import IDS, NOON, SALT, TOML, brought, gold, registered, said, send

from grader import store
from grader.errors import Mistake
from grader.intake import receive
from grader.judging.alike import alike
from grader.judging.handing import Request, handed
from grader.judging.known import File
from grader.judging.pool import Plan, pooled
from grader.judging.resolution import Tally
from grader.judging.units import Replies, key
from grader.model import SAME, Gold, Judge, Judging, Unit, Upload
from grader.spreadsheet import FORMULA, guarded, unguarded
from grader.tasks import parse

GOLD = Gold(tuple(IDS), ((),) * 6, rejected=((),) * 6)
NONE = Tally(Judging(), {})


def reply(run, answers, team="Ants", minute=0, **sent):
    units = tuple(a and Unit(i, a) for i, a in zip(IDS, answers, strict=True))
    at = NOON + timedelta(minutes=minute)
    return Replies(run, Upload(team, run, f"{run}.csv", b"", at, **sent), units)


def units(*pairs):
    return {Unit(f"q{i}", a) for i, a in pairs}


def every(pool):
    return set(pool.units)


# --- which, and in which order


def test_equal_answers_are_one_unit_and_refusals_none():
    runs = [reply("a", ["x", "y", "x", None, "z", "x"]), reply("b", "xxxxxx", team="Bees")]
    found = pooled(runs, GOLD, NONE, Plan(("Anna",)), SALT)
    assert len(found.units) == 6 + 2
    place = {name: i for i, name in enumerate(IDS)}
    order = [(place[u.id], key(SALT, u)) for u in found.units]
    assert order == sorted(order)
    assert found.parts == {"Anna": found.units}


def test_neither_the_order_of_runs_nor_their_teams_move_anything():
    answers = ["abcdef", "bbcdea", "acccee"]
    runs = [reply(f"r{i}", a, f"T{i}", minute=i) for i, a in enumerate(answers)]
    turned = [reply(f"x{i}", a, f"U{i}", minute=-i) for i, a in enumerate(answers[::-1])]
    plan = Plan(("Anna", "Ben"), double=0.5)
    one, other = (pooled(some, GOLD, NONE, plan, SALT).parts for some in (runs, turned))
    assert one == other
    assert one != pooled(runs, GOLD, NONE, plan, b"other salt").parts


def test_depth_is_by_priority_and_phase():
    runs = [
        reply("first", "aaaaaa"),
        reply("base", "bbbbbb", flags=("baseline",), minute=-9),
        reply("late", "cccccc", flags=("late",), minute=-1),
        reply("main", "dddddd", flags=("primary",), minute=5),
        reply("other", "eeeeee", phase="dry", minute=9),
        reply("theirs", "ffffff", team="Bees", minute=7),
    ]
    for depth, expected in (
        (1, ["main", "other", "theirs"]),
        (2, ["main", "other", "theirs", "first"]),
        (3, ["main", "other", "theirs", "first", "late"]),
        (None, ["main", "other", "theirs", "first", "late", "base"]),
    ):
        found = pooled(runs, GOLD, NONE, Plan(("Anna",), depth=depth), SALT)
        assert sorted(found.runs) == sorted(expected)
        assert len(found.units) == 6 * len(expected)


def test_a_budget_goes_to_first_runs_of_all_teams_first():
    runs = [
        reply("a1", "aaaaaa"),
        reply("a2", "bbbbbb", minute=1),
        reply("b1", "cccccc", team="Bees", minute=9),
    ]
    found = pooled(runs, GOLD, NONE, Plan(("Anna",), budget=14), SALT)
    answers = [u.answer for u in found.units]
    assert (answers.count("a"), answers.count("b"), answers.count("c")) == (6, 2, 6)
    assert found.beyond == 4
    few = pooled(runs, GOLD, NONE, Plan(("Anna",), budget=5), SALT)
    assert {u.answer for u in few.units} <= {"a", "c"}
    assert (len(few.units), few.beyond) == (5, 13)
    # What is judged already costs nothing of the budget.
    votes = {unit: {"Anna": "right"} for unit in few.units}
    rest = pooled(runs, GOLD, Tally(Judging(), votes), Plan(("Anna",), budget=5), SALT)
    assert not every(rest) & every(few)
    assert len(rest.units) == 5


@pytest.mark.parametrize(("share", "many"), [(0, 0), (0.1, 1), (0.5, 3), (1, 6)])
def test_a_share_of_the_instances_goes_whole_to_two_judges(share, many):
    runs = [reply("a", "abcdef"), reply("b", "ghijkl", team="Bees")]
    judges = ("Anna", "Ben", "Cleo")
    found = pooled(runs, GOLD, NONE, Plan(judges, double=share), SALT)
    asked = {name: {j for j in judges if name in {u.id for u in found.parts[j]}} for name in IDS}
    assert sum(len(each) == 2 for each in asked.values()) == many
    assert sum(len(each) == 1 for each in asked.values()) == 6 - many
    sizes = [len(found.parts[j]) for j in judges]
    assert sum(sizes) == 12 + 2 * many
    assert max(sizes) - min(sizes) <= 4  # whole instances, dealt in turn


def test_only_what_is_still_needed_is_handed_out():
    runs = [reply("a", "abcdef")]
    plan = Plan(("Anna", "Ben"), double=1)
    votes = {Unit("q0", "a"): {"Anna": "right"}, Unit("q1", "b"): {"Anna": "right", "Dan": "bad"}}
    found = pooled(runs, GOLD, Tally(Judging(), votes), plan, SALT)
    assert {j: {u.id for u in mine} for j, mine in found.parts.items()} == {
        "Anna": {"q2", "q3", "q4", "q5"},
        "Ben": {"q0", "q2", "q3", "q4", "q5"},
    }
    alone = pooled(runs, GOLD, Tally(Judging(), votes), Plan(("Anna", "Anna 2"), double=1), SALT)
    assert Unit("q0", "a") in alone.parts["Anna 2"]
    with pytest.raises(Mistake, match="two judges"):
        pooled(runs, GOLD, NONE, Plan(("Anna",), double=0.1), SALT)


def test_what_was_left_open_goes_to_one_more():
    votes = {
        Unit("q0", "a"): {"Anna": "right", "Ben": "wrong"},
        Unit("q1", "b"): {"Anna": "right", "Ben": "right"},
        Unit("q2", "c"): {"Anna": "bad", "Ben": "wrong"},
        Unit("q3", "d"): {"Anna": "bad", "Ben": "bad"},  # others found it a fair question
    }
    tally = Tally(Judging(), votes)
    runs = [reply("a", "abcdef")]
    found = pooled(runs, GOLD, tally, Plan(("Chair",), undecided=True), SALT)
    assert found.parts == {"Chair": (Unit("q0", "a"), Unit("q2", "c"), Unit("q3", "d"))}
    none = pooled(runs, GOLD, tally, Plan(("Anna",), undecided=True), SALT)
    assert (none.units, none.wanting) == ((), 3)


# --- near-identical answers


def near(*answers):
    mine = [Unit("q0", a) for a in answers]
    found = alike(mine, {u: u.answer for u in mine})
    return {u.answer: like.answer for u, like in found.items()}


def test_near_identical_answers_are_proposed_within_an_instance():
    assert near("the  Nile", "Nile.", "NILE", "Rhine") == {
        "Nile.": "the  Nile",
        "NILE": "the  Nile",
    }
    assert near("Murasaki Shikibu", "Murasaki Shikibo") == {"Murasaki Shikibo": "Murasaki Shikibu"}
    assert near("in the year 1989", "in the year 1988") == {}  # other numbers are other answers
    assert near("yes", "no", "a", "an") == {}
    mine = [Unit("q0", "Nile"), Unit("q1", "Nile")]
    assert alike(mine, {u: u.answer for u in mine}) == {}


# --- cells


@given(st.text())
def test_a_guarded_cell_is_no_formula_and_comes_back(text):
    found = guarded(text)
    assert not found.startswith(FORMULA)
    assert unguarded(found) == text


# --- files


ANSWERS = ["=1+1", "-5", "'tis", "@home\nnow", 'Öl, "roh"', "x"]


def files(engine, *judges, **given):
    given = {"plan": Plan(judges or ("Anna",))} | given
    with store.reading(engine) as db:
        return handed(db, "quiz", Request(**given)).files


def rows(content):
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


@pytest.mark.parametrize("lines", [False, True])
def test_files_come_back_as_they_were_handed_out(engine, lines):
    registered(engine)
    send(engine, ANSWERS)
    found = files(engine, lines=lines)
    (name,) = (n for n in found if "batch" in n)
    if lines:
        mine = [json.loads(line) for line in found[name].decode().splitlines()]
        assert [row["answer"] for row in mine] == ANSWERS
        back = "".join(json.dumps(row | {"label": "right"}) + "\n" for row in mine)
    else:
        mine = rows(found[name])
        assert not [c for row in mine for c in row.values() if c.startswith(FORMULA)]
        back = found[name].decode().replace('""\n', '"right"\n')
    done = brought(engine, Judge("Anna"), File(name, back.encode()))
    assert (done.new, done.left) == (6, 0)
    assert [right for (right,) in gold(engine).answers] == ANSWERS
    # Without the keys a row is known by its id and answer.
    file = io.StringIO()
    if not lines:
        csv.writer(file).writerows(
            [("id", "answer", "label"), *((row["id"], row["answer"], "right") for row in mine)]
        )
        assert brought(engine, Judge("Ben"), File("b.csv", file.getvalue().encode())).new == 6


@pytest.mark.parametrize(
    ("judges", "folders"),
    [
        (("../../etc", "CON", "com1.txt", "a/b", ".", ".."), "etc judge-CON judge-com1.txt a-b"),
        (("<b>x</b>", "b", "a/b", "A-B", "a b", "判" * 100), "b-x-b b a-b A-B-2"),
    ],
)
def test_each_judge_has_a_folder_of_a_name_that_any_disk_takes(engine, judges, folders):
    registered(engine)
    send(engine, ANSWERS)  # to six questions: each of six judges gets one
    found = files(engine, *judges)
    rest = {"..": ["judge", "judge-2"]}.get(judges[-1], ["a b", "判" * 60])
    assert list(dict.fromkeys(name.partition("/")[0] for name in found)) == [
        *folders.split(),
        *rest,
    ]
    assert {name.count("/") for name in found} == {1}


def test_two_judges_of_one_name_are_told(engine):
    registered(engine)
    with pytest.raises(Mistake, match="two of the judges have one name: Ann, ann"):
        files(engine, "Ann", "ann")


SECRETS = ("Zebrafish", "stripes-final", "hidden_name", "zebrafish-1", "Quagga", "quagga-1")


def test_nothing_in_the_files_tells_whose_an_answer_is(engine):
    registered(
        engine,
        'unit = "run"\n[run]\nformat = "ac"\n',
        toml=TOML.replace("answers =", 'confidence = "percent"\nanswers ='),
    )
    with store.unit(engine) as db:
        for team in ("Zebrafish", "Quagga"):
            store.add_team(db, team, f"token of {team}", NOON)
    sent = {}
    for team, answer in (("Zebrafish", "yes"), ("Quagga", "no")):
        text = "".join(
            f"<{i}>\n{answer};5{k}\n1;{team}-R;{k + 1};passage {answer} {k}\n"
            f"2;stripes-final;2;more {k}\n</{i}>\n"
            for k, i in enumerate(IDS)
        )
        sent[team] = text.encode()
        name = "hidden_name.txt" if team == "Quagga" else "stripes-final.txt"
        receipt = receive(engine, "quiz", Upload(team, "stripes-final", name, sent[team], NOON))
        assert receipt.run == f"{team.lower()}-1"
    found = files(engine, "Anna", "Ben")
    assert len(found) == 4
    everything = "".join(found) + b"".join(found.values()).decode()
    assert not [word for word in SECRETS if word.casefold() in everything.casefold()]
    with store.reading(engine) as db:
        digests = [e.sha256 for e in store.snapshot(db, NOON, ["quiz"]).tasks[0].entries]
    assert not [digest for digest in digests if digest[:12] in everything]
    cells = [row["nuggets"] for name, c in found.items() if "batch" in name for row in rows(c)]
    assert min(cells) == "passage no 0\nmore 0"
    assert len(cells) == 12
    assert found == files(engine, "Anna", "Ben")  # the same data, the same bytes


def test_same_gives_an_answer_the_label_of_the_one_it_is_like(engine):
    registered(engine)
    send(engine, ["Nile", "b", "c", "d", "e", "f"])
    send(engine, ["the Nile", "b", "c", "d", "e", "f"], team="Bees")
    send(engine, ["The Nile.", "b", "c", "d", "e", "f"], team="Bees", name="three")
    ((name, content),) = [f for f in files(engine).items() if "batch" in f[0]]
    mine = rows(content)
    assert [row["like"] for row in mine[1:3]] == [mine[0]["unit"]] * 2
    assert mine[1]["like answer"] == mine[0]["answer"]
    assert not [row for row in mine[3:] if row["like"]]
    said_of = ["wrong", SAME, SAME, "right"]
    file = io.StringIO()
    out = csv.DictWriter(file, mine[0])
    out.writeheader()
    out.writerows(row | {"label": label} for row, label in zip(mine, said_of, strict=False))
    assert brought(engine, Judge("Anna"), File(name, file.getvalue().encode())).new == 4
    assert len(gold(engine).rejected[0]) == 3
    # A new answer may be like one that the judge judged before.
    send(engine, ["NILE", "b", "c", "d", "e", "f"], name="four")
    ((name, content),) = [f for f in files(engine).items() if "batch" in f[0]]
    new = next(row for row in rows(content) if row["answer"] == "NILE")
    assert new["like"] == mine[0]["unit"]
    head = ",".join(new)
    back = [*list(new.values())[:-1], SAME]
    said(engine, "Anna", back, head=head)
    assert len(gold(engine).rejected[0]) == 4


def test_batches_hold_whole_questions_and_the_context_is_joined_by_id(engine):
    registered(engine)
    send(engine, ["a", "b", "c", "d", "e", "f"])
    send(engine, ["g", "h", "c", "d", "e", "f"], team="Bees")
    context = File("q.csv", b"id,question\nq1,Who?\nq0,=What\n")
    found = files(engine, batch=3, context=context, asked=("fluency",))
    sizes = {name: [row["id"] for row in rows(c)] for name, c in found.items() if "batch" in name}
    assert sizes == {
        "Anna/batch-01.csv": ["q0", "q0"],
        "Anna/batch-02.csv": ["q1", "q1", "q2"],
        "Anna/batch-03.csv": ["q3", "q4", "q5"],
    }
    first = rows(found["Anna/batch-01.csv"])[0]
    assert list(first)[:4] == ["unit", "id", "question", "answer"]
    assert (first["question"], first["fluency"]) == ("'=What", "")
    assert b"`fluency`" in found["Anna/README.md"]
    for text, why in (
        (b"id,label\nq0,x\n", "rename it"),
        (b"n,question\n1,x\n", "joined by the ids"),
        (b"id,question\nq0,x\nq0,y\n", "stands twice"),
    ):
        with pytest.raises(Mistake, match=why):
            files(engine, context=File("q.csv", text))


def test_withdrawn_runs_and_other_phases_are_not_handed_out(engine):
    registered(engine)
    send(engine, ["a", "b", "c", "d", "e", "f"])
    send(engine, ["g", "h", "i", "j", "k", "l"], team="Bees", flags=("withdrawn",))
    (content,) = (c for name, c in files(engine).items() if "batch" in name)
    assert [row["answer"] for row in rows(content)] == list("abcdef")
    with pytest.raises(Mistake, match="no phase"):
        files(engine, phase="formal")
    with pytest.raises(Mistake, match="one name"):
        files(engine, "Anna", "anna")


def test_a_label_may_not_be_the_word_for_the_same():
    with pytest.raises(Mistake, match="judging"):
        parse(f'{TOML}wrong = ["wrong", "same"]\n', "quiz")
