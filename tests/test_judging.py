"""Judgements: taken in strictly, resolved by the rule, kept whatever comes after."""

from datetime import timedelta

import pytest
from judging import (
    IDS,
    NOON,
    SALT,
    TOML,
    body,
    brought,
    gold,
    labels,
    registered,
    said,
    scores,
    send,
)

from grader import store
from grader.board import rank
from grader.errors import Mistake
from grader.grade import attempt, grade
from grader.intake import receive
from grader.judging.known import File
from grader.judging.resolution import decision
from grader.judging.units import key
from grader.model import Judge, Judging, Unit, Upload
from grader.rescore import Act
from grader.revise import update_task
from grader.tasks import parse, read_gold
from grader.versioning import Reason, drop, restore

ANTS = ["Rome", "Oslo", "Bern", "?", "Kyiv", "Lima"]
BEES = ["Rome", "Bergen", " Bern ", "Riga", "Kiev", "Lima"]
RIGHT = [("q0", "Rome"), ("q1", "Oslo"), ("q2", "Bern"), ("q4", "Kyiv"), ("q5", "Lima")]
WRONG = [("q1", "Bergen"), ("q3", "Riga")]
ALL = [(*u, "right") for u in RIGHT] + [(*u, "wrong") for u in WRONG]
ACT = Act(NOON, b"pepper" * 5)


@pytest.fixture
def quiz(engine):
    registered(engine)
    send(engine, ANTS)
    send(engine, BEES, team="Bees", name="two")
    return engine


def versions(engine):
    with store.reading(engine) as db:
        return store.versions(db, ["quiz"])["quiz"]


def standing(engine, name):
    now = gold(engine)
    return dict(zip(now.ids, now.standings, strict=True))[name] if now.standings else None


# --- what holds


@pytest.mark.parametrize(
    ("words", "rule", "holds"),
    [
        ("", "majority", None),
        ("r", "majority", "right"),
        ("rw", "majority", None),
        ("rrw", "majority", "right"),
        ("rrww", "majority", None),
        ("rrwb", "majority", None),
        ("rb", "majority", None),
        ("rrrwb", "majority", "right"),
        ("bbw", "majority", "bad"),
        ("rr", "agreed", "right"),
        ("rrw", "agreed", None),
        ("rb", "agreed", None),
        ("ww", "agreed", "wrong"),
    ],
)
def test_what_judges_decide_together(words, rule, holds):
    known = {"r": "right", "w": "wrong", "b": "bad"}
    votes = {f"judge {i}": known[w] for i, w in enumerate(words)}
    assert decision(Judging(rule=rule), votes) == holds
    chaired = decision(Judging(rule=rule, chair="The  CHAIR"), votes | {"the chair": "wrong"})
    assert chaired == "wrong"


def test_judgements_become_a_gold_version_and_every_run_is_scored_again(quiz):
    assert scores(quiz) == {"ants-1": (0, 5 / 6), "bees-1": (0, 1)}
    done = said(quiz, "Anna", *ALL)
    assert (done.new, done.same, done.left, done.undecided) == (7, 0, 0, 0)
    now = gold(quiz)
    assert now.version == 2
    assert now.answers == (("Rome",), ("Oslo",), ("Bern",), (), ("Kyiv",), ("Lima",))
    assert now.rejected == ((), ("Bergen",), (), ("Riga",), (), ())
    # "Kiev" waits; a space around "Bern" is none; the refusal is wrong.
    assert scores(quiz) == {"ants-1": 5 / 6, "bees-1": (3 / 6, 4 / 6)}
    moved = {d.run: d.changed for d in done.resolved.adopted.differences}
    assert moved["ants-1"] > 0
    assert versions(quiz)[1].who == "judges, by rule"
    assert not versions(quiz)[1].post_hoc


def test_every_score_is_that_of_a_grading_from_scratch_under_its_version(quiz):
    said(quiz, "Anna", *ALL[:3])
    said(quiz, "Ben", *ALL[2:], ("q4", "Kiev", "wrong"))
    assert gold(quiz).version == 3
    with store.reading(quiz) as db:
        task = store.registered(db, "quiz").task
        for run, sent in store.uploads(db, "quiz"):
            entry = next(
                e for e in store.snapshot(db, NOON, ["quiz"]).tasks[0].entries if e.slug == run
            )
            assert grade(task, gold(quiz), sent.payload).scores == entry.graded.scores


def test_the_same_again_changes_nothing(quiz):
    said(quiz, "Anna", *ALL)
    done = said(quiz, "anna ", *reversed(ALL))
    assert (done.new, done.revised, done.same, done.resolved.adopted) == (0, 0, 7, None)
    assert gold(quiz).version == 2
    with store.reading(quiz) as db:
        assert len(store.every_judgement(db, "quiz")) == 7
        assert store.judges(db, "quiz") == (Judge("Anna"),)


def test_a_change_of_mind_needs_a_reason_and_all_is_kept(quiz):
    said(quiz, "Anna", *ALL)
    other = ("q5", "Lima", "wrong")
    with pytest.raises(Mistake) as told:
        said(quiz, "Anna", other)
    assert "'Lima' to 'q5' was 'right', and is 'wrong'" in str(told.value)
    assert gold(quiz).version == 2
    done = said(quiz, "Anna", other, why="the 2031 atlas")
    assert (done.new, done.revised, done.same) == (0, 1, 0)
    assert scores(quiz)["ants-1"] == 4 / 6
    with store.reading(quiz) as db:
        mine = [j for j in store.every_judgement(db, "quiz") if j.unit == Unit("q5", "Lima")]
        assert [(j.label, j.why) for j in mine] == [("right", ""), ("wrong", "the 2031 atlas")]
        assert len(store.judgements(db, "quiz")) == 7
        assert store.history(db, "quiz")[-2].why == "the 2031 atlas"
    assert versions(quiz)[2].post_hoc  # everybody could see the score that is now another one
    # And back: an older row never stands again by itself.
    said(quiz, "Anna", ("q5", "Lima", "right"), why="no")
    assert scores(quiz)["ants-1"] == 5 / 6


def test_judges_who_differ_leave_it_open_until_one_more_or_the_chair(engine):
    registered(engine, 'chair = "Cleo"\n')
    send(engine, ANTS)
    said(engine, "Anna", *ALL[:1])
    done = said(engine, "Ben", ("q0", "Rome", "wrong"))
    assert done.undecided == 1
    assert scores(engine)["ants-1"] == (0, 5 / 6)
    assert gold(engine).version == 3
    said(engine, "Dan", ("q0", "Rome", "wrong"))
    assert scores(engine)["ants-1"] == (0, 4 / 6)
    said(engine, "CLEO", ("q0", "Rome", "right"))
    assert scores(engine)["ants-1"] == (1 / 6, 5 / 6)


def test_another_rule_or_chair_resolves_again(quiz):
    def update(judging):
        text = f"{TOML}{judging}"
        task = parse(text, "quiz")
        file = read_gold(task, ("id\n" + "\n".join(IDS) + "\n").encode(), "gold.csv")
        with store.unit(quiz) as db:
            return update_task(db, task, text, file, ACT)

    said(quiz, "Anna", *ALL)
    said(quiz, "Ben", *ALL[:-1], ("q3", "Riga", "right"))
    said(quiz, "Cleo", ("q3", "Riga", "right"), ("q0", "Rome", "wrong"))
    assert gold(quiz).answers[3] == ("Riga",)
    done = update('rule = "agreed"\n')
    assert done.gold.version == gold(quiz).version == 5
    assert done.change.rescoring == ("judging.rule",)
    assert {d.run for d in done.differences} == {"ants-1", "bees-1"}
    assert (gold(quiz).answers[3], gold(quiz).answers[0]) == ((), ())
    update('rule = "agreed"\nchair = "Ben"\n')
    assert (gold(quiz).answers[3], gold(quiz).answers[0]) == (("Riga",), ("Rome",))
    assert update('rule = "agreed"\nchair = "Ben"\nbad = "bad question"\n').gold is None


# --- bad questions


def bad(name, answer):
    return name, answer, "bad question"


def test_a_bad_question_is_dropped_by_the_rule_over_all_who_judged_any_answer_to_it(quiz):
    said(quiz, "Anna", bad("q1", "Oslo"), ("q1", "Bergen", "wrong"))
    assert standing(quiz, "q1").status == "dropped"
    assert standing(quiz, "q1").reason == "bad question: 1 of 1 judge"
    assert standing(quiz, "q1").who == "judges, by rule"
    assert gold(quiz).rejected[1] == ("Bergen",)  # kept, should it count again
    done = said(quiz, "Ben", ("q1", "Bergen", "wrong"))
    assert done.resolved.restored == ("q1",)  # one of two judges is no majority
    assert standing(quiz, "q1").status == "scored"
    done = said(quiz, "Cleo", bad("q1", "Bergen"))
    assert done.resolved.dropped == ("q1",)
    assert standing(quiz, "q1").reason == "bad question: 2 of 3 judges"
    assert gold(quiz).scored.tolist() == [True, False, True, True, True, True]


def test_what_organisers_decide_of_a_question_stands_above_the_judges(quiz):
    def decide(verb, name):
        with store.unit(quiz) as db:
            verb(db, "quiz", [name], Reason("we say so"), ACT)

    said(quiz, "Anna", bad("q1", "Oslo"))
    decide(restore, "q1")
    said(quiz, "Ben", bad("q1", "Bergen"))
    said(quiz, "Cleo", bad("q1", "Oslo"), ("q0", "Rome", "right"))
    assert standing(quiz, "q1").status == "scored"
    decide(drop, "q0")
    said(quiz, "Dan", ("q0", "Rome", "right"))
    assert standing(quiz, "q0").status == "dropped"
    assert standing(quiz, "q0").who == "organiser"
    decide(drop, "q1")
    assert standing(quiz, "q1").reason == "we say so"
    said(quiz, "Anna", ("q1", "Oslo", "right"), why="it is not bad")
    assert standing(quiz, "q1").status == "dropped"


def test_a_drop_by_judges_is_post_hoc_once_scores_were_seen(quiz):
    said(quiz, "Anna", *ALL)
    assert not any(s.post_hoc for s in gold(quiz).standings)
    said(quiz, "Anna", bad("q1", "Oslo"), why="two capitals")
    assert standing(quiz, "q1").post_hoc
    with pytest.raises(Mistake, match="no scored instance would be left"):
        said(quiz, "Anna", *(bad(n, a) for n, a in [*RIGHT, *WRONG]), why="all of them")
    assert gold(quiz).version == 3


# --- ranks


def places(engine):
    with store.reading(engine) as db:
        (results,) = store.snapshot(db, NOON).tasks
    return {row.entry.slug: row.rank or row.why for row in rank(results).rows}


OPEN = "its rank is open: answers of other runs are not judged yet"
WAITS = "not all of its answers are judged yet"


@pytest.mark.parametrize(
    ("answers", "their_right", "other"),
    [  # of Ants' six answers three are right; of the other run's the first ones are judged right
        ("......", 0, OPEN),  # nothing is known: 0 to 6
        ("rrr...", 3, OPEN),  # 3 to 6: perhaps as good, perhaps better
        ("rrrr..", 4, 2),  # 4 to 6: better for sure
        ("www...", 0, 1),  # 0 to 3: not better for sure
        ("wwww..", 0, 1),
    ],
)
def test_a_run_has_no_rank_while_one_may_pass_it_that_is_not_judged_yet(
    engine, answers, their_right, other
):
    registered(engine)
    send(engine, list("aaabbb"))
    send(engine, list("cdefgh"), team="Bees")
    mine = [(f"q{i}", a, "right" if a == "a" else "wrong") for i, a in enumerate("aaabbb")]
    words = {"r": "right", "w": "wrong"}
    pairs = enumerate(zip("cdefgh", answers, strict=True))
    theirs = [(f"q{i}", a, words[w]) for i, (a, w) in pairs if w != "."]
    said(engine, "Anna", *mine, *theirs)
    assert scores(engine)["ants-1"] == 3 / 6
    assert scores(engine)["bees-1"][0] == their_right / 6
    assert places(engine) == {"ants-1": other, "bees-1": WAITS}


def test_a_run_that_is_never_ranked_keeps_no_rank_open(engine):
    registered(engine)
    send(engine, list("aaabbb"))
    send(engine, list("cdefgh"), team="Bees", flags=("baseline",))
    mine = [(f"q{i}", a, "right" if a == "a" else "wrong") for i, a in enumerate("aaabbb")]
    said(engine, "Anna", *mine)
    assert places(engine) == {"ants-1": 1, "bees-1": "a baseline"}


def test_a_team_s_best_run_is_open_while_another_of_its_own_is(engine):
    registered(engine, toml=TOML.replace("[judging]", '[ranking]\nrule = "best"\n[judging]'))
    send(engine, list("aaabbb"))
    send(engine, list("rrrrrs"), name="two")
    mine = [(f"q{i}", a, "right" if a == "a" else "wrong") for i, a in enumerate("aaabbb")]
    said(engine, "Anna", *mine, *[(f"q{i}", "r", "right") for i in range(4)])
    assert scores(engine)["ants-2"] == (4 / 6, 1.0)
    assert places(engine) == {"ants-1": OPEN, "ants-2": WAITS}


# --- runs before, between and after


def test_runs_come_in_before_between_and_after_judgements(quiz):
    said(quiz, "Anna", *ALL)
    receipt = send(quiz, ["Rome", "Oslo", "Bern", "Riga", "Kyiv", "Quito"], name="three")
    assert scores(quiz)["ants-2"] == (4 / 6, 5 / 6)
    assert receipt.graded is None  # it would tell what was judged of answers that others gave
    assert receipt.hidden == "its answers are to be judged: until then the board has its bounds"
    again = send(quiz, ANTS, name="copy")
    told = {s.measure: s for s in again.graded.scores if s.subset == "all"}
    assert told["accuracy"].value == 5 / 6
    said(quiz, "Anna", ("q5", "Quito", "wrong"), ("q4", "Kiev", "right"))
    assert scores(quiz) == {"ants-1": 5 / 6, "bees-1": 4 / 6, "ants-2": 4 / 6, "ants-3": 5 / 6}


def test_a_run_that_comes_in_while_judgements_do_is_scored_under_both(quiz, monkeypatch):
    """The import comes between the run's grading and its storing: it is graded again."""
    graded = []

    def slowly(task, gold, *args):
        found = attempt(task, gold, *args)
        graded.append(gold.version)
        if len(graded) == 1:
            said(quiz, "Anna", *ALL)
        return found

    with monkeypatch.context() as patch:
        patch.setattr("grader.intake.receiving.attempt", slowly)
        sent = Upload("Bees", "late", "late.csv", body([*ANTS[:5], "Quito"]), NOON)
        receipt = receive(quiz, "quiz", sent)
    assert graded == [1, 2]
    assert receipt.run == "bees-2"
    assert scores(quiz)["bees-2"] == (4 / 6, 5 / 6)


def test_killed_in_between_nothing_is_kept(quiz, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr("grader.versioning.regraded", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            said(quiz, "Anna", *ALL)
    with store.reading(quiz) as db:
        assert store.judges(db, "quiz") == ()
        assert store.every_judgement(db, "quiz") == ()
        assert store.history(db, "quiz") == ()
    assert gold(quiz).version == 1
    said(quiz, "Anna", *ALL)
    assert scores(quiz)["ants-1"] == 5 / 6


def test_nobody_judges_before_what_they_judged_last(quiz):
    said(quiz, "Anna", *ALL[:1], at=NOON)
    with pytest.raises(Mistake, match="what Anna said before is of 2031-05-10 12:00:00"):
        said(quiz, "Anna", *ALL[1:2], at=NOON - timedelta(seconds=1))
    said(quiz, "Anna", *ALL[1:2], at=NOON)
    assert scores(quiz)["ants-1"] == (2 / 6, 5 / 6)


# --- files that are wrong


def wrong(engine, *files, **more):
    """Each problem that is said of files, as file:line: code."""
    with pytest.raises(Mistake) as told:
        brought(engine, more.pop("judge", Judge("Anna")), *files, **more)
    return [":".join(text.split(":")[:3]) for text in told.value.said[1:]], str(told.value)


def test_everything_wrong_with_files_is_said_at_once(quiz):
    one = labels(
        ("q0", "Rome", "rigth"),
        ("q0", "Roma", "right"),
        ("q9", "Rome", "right"),
        ("q1", "Oslo", ""),
        ("q1", "Oslo", "right"),
        ("q1", "Oslo", "wrong"),
        ("q2", "Bern", "same"),
        ("q3", "?", "wrong"),
    )
    two = File("two.csv", b"id,label\nq0,right\n")
    places, text = wrong(quiz, File("one.csv", one), two, File("three.csv", b""))
    assert places == [
        "one.csv:2: unknown-label",
        "one.csv:3: unknown-unit",
        "one.csv:4: unknown-unit",
        "one.csv:7: two-labels",
        "one.csv:9: unknown-unit",
        "two.csv:1: missing-column",
        "three.csv:1: no-rows",
        "one.csv:8: same-as-none",
    ]
    assert "did you mean 'right'?" in text
    assert "no run answers 'Roma' to 'q0'; did you mean 'Rome'?" in text
    assert gold(quiz).version == 1
    with store.reading(quiz) as db:
        assert store.judges(db, "quiz") == ()


def test_a_key_guards_a_row_against_columns_that_were_sorted_apart(quiz):
    one, other = (key(SALT, Unit(*u)) for u in (("q0", "Rome"), ("q1", "Oslo")))
    head = "unit,id,answer,label"
    mixed = labels((one, "q1", "Oslo", "right"), (other, "q1", "oslo", "right"), head=head)
    places, text = wrong(quiz, File("a.csv", mixed))
    assert places == ["a.csv:2: other-unit", "a.csv:3: other-unit"]
    assert "sorted apart" in text
    places, _ = wrong(quiz, File("a.csv", labels(("ab12", "right"), head="unit,label")))
    assert places == ["a.csv:2: unknown-unit"]
    done = brought(quiz, Judge("Anna"), File("a.csv", labels((one, "right"), head="unit,label")))
    assert done.new == 1


def test_further_numbers_are_numbers_and_belong_to_a_label(quiz):
    head = "id,answer,label,fluency"
    rows = labels(("q0", "Rome", "right", "4,5"), ("q1", "Oslo", "", "3"), head=head)
    places, _ = wrong(quiz, File("a.csv", rows), columns=("fluency",))
    assert places == ["a.csv:2: not-a-number", "a.csv:3: no-label"]
    rows = labels(
        *((i, "Lima", "right", n) for i, n in (("q5", "1e400"), ("q5", "-1e16"))), head=head
    )
    places, _ = wrong(quiz, File("a.csv", rows), columns=("fluency",))
    assert places == ["a.csv:2: too-large", "a.csv:3: too-large"]
    places, _ = wrong(quiz, File("a.csv", labels(ALL[0])), columns=("fluency",))
    assert places == ["a.csv:1: missing-column"]
    fluent = [("q0", "Rome", "right", "4.5"), ("q1", "Oslo", "right", "")]
    said(quiz, "Anna", *fluent, head=head, columns=("fluency",))
    said(quiz, "Anna", *ALL[:2])  # without the column nothing is taken back
    done = said(quiz, "Anna", ("q1", "Oslo", "right", "2"), head=head, columns=("fluency",))
    assert (done.revised, done.added, done.same) == (0, 1, 0)  # a number more is no change of mind
    with store.reading(quiz) as db:
        found = {j.unit.id: j.columns for j in store.judgements(db, "quiz")}
    assert found == {"q0": {"fluency": 4.5}, "q1": {"fluency": 2.0}}
    with pytest.raises(Mistake, match="needs a reason"):
        said(quiz, "Anna", ("q1", "Oslo", "right", "3"), head=head, columns=("fluency",))


def test_a_model_is_known_by_its_prompt(quiz):
    model = Judge("llm", "model", "ab" * 32)
    said(quiz, model, *ALL)
    with store.reading(quiz) as db:
        assert store.judges(db, "quiz") == (model,)
    for other in (Judge("LLM", "model", "cd" * 32), Judge("llm")):
        with pytest.raises(Mistake, match="give another name"):
            said(quiz, other, *ALL)


def test_a_task_that_is_not_judged_takes_no_judgements(engine):
    task = parse('title = "Q"\n', "quiz")
    with store.unit(engine) as db:
        found = read_gold(task, b"id,answer\nq0,Rome\n", "gold.csv")
        store.add_task(db, "quiz", 'title = "Q"\n', found, SALT, NOON)
    with pytest.raises(Mistake, match="are not judged"):
        said(engine, "Anna", *ALL)


# --- matrices


PIPE = Judge("pipe", "pipeline")


def matrix(text):
    return File("m.csv", text.encode())


def test_a_matrix_says_which_runs_are_right_where_in_either_form(quiz):
    long = "run,id,correct\n" + "".join(f"ants-1,{i},{int(i != 'q1')}\n" for i in IDS if i != "q3")
    done = brought(quiz, PIPE, matrix(long + "ants-1,q3,0\nbees-1,q3,\n"), matrix=True)
    assert (done.new, done.left) == (5, 1)
    assert scores(quiz)["ants-1"] == 4 / 6
    # By name or file where that is one run's alone, and a column for each run.
    wide = "id,two,ants-1\n" + "".join(f"{i},{'yes' if i > 'q2' else ''},\n" for i in IDS)
    done = brought(quiz, PIPE, matrix(wide), matrix=True)
    assert (done.new, done.same, done.left) == (2, 1, 9)
    assert scores(quiz)["bees-1"] == (5 / 6, 1)


def test_what_is_wrong_with_a_matrix_is_said_at_once(quiz):
    text = (
        "run,id,correct\nants-1,q0,1\nbees-1,q0,0\nants-9,q0,1\nants-1,q77,1\n"
        "ants-1,q1,maybe\nants-1,q3,1\n"
    )
    places, told = wrong(quiz, matrix(text), judge=PIPE, matrix=True)
    assert places == [
        "m.csv:3: two-labels",
        "m.csv:4: unknown-run",
        "m.csv:5: unknown-id",
        "m.csv:6: not-correctness",
        "m.csv:7: no-unit",
    ]
    assert "'Rome' to 'q0' is wrong in 'bees-1', and right at m.csv:2" in told
    places, _ = wrong(quiz, matrix("id,ants-7\nq0,1\n"), judge=PIPE, matrix=True)
    assert places == ["m.csv:1: unknown-run"]
    places, _ = wrong(quiz, matrix("id\nq0\n"), judge=PIPE, matrix=True)
    assert places == ["m.csv:1: missing-column"]


def test_where_each_run_is_judged_by_itself_equal_answers_may_differ(engine):
    registered(engine, 'unit = "run"\n')
    send(engine, ANTS)
    send(engine, ANTS[::-1][::-1], team="Bees", name="copy")
    send(engine, BEES, team="Bees", name="two")
    text = "id,ants-1,bees-2\n" + "".join(f"{i},{int(i != 'q3')},0\n" for i in IDS)
    done = brought(engine, PIPE, matrix(text), matrix=True)
    assert done.new == 11  # a refusal is no unit
    # The same bytes by another team are the same unit.
    assert scores(engine) == {"ants-1": 5 / 6, "bees-1": 5 / 6, "bees-2": 0.0}
    rows = [("ants-1", "q0", "wrong"), ("bees-2", "q0", "right")]
    said(engine, "Anna", *rows, head="run,id,label")
    assert scores(engine) == {
        "ants-1": (4 / 6, 5 / 6),
        "bees-1": (4 / 6, 5 / 6),
        "bees-2": (0, 1 / 6),
    }
