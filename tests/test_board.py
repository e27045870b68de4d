"""Who stands where on a board, why some do not, and who may see what."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import ROUND_HALF_EVEN, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.board import boards, lead, rank, rule, score, shown, visible
from grader.model import (
    Beside,
    Bin,
    Comparison,
    Dimension,
    Entry,
    GoldColumns,
    GoldSummary,
    Graded,
    Ranking,
    Results,
    Score,
    Snapshot,
    Task,
    Versus,
)

AT = datetime(2026, 5, 1, 12, tzinfo=UTC)
GOLD = GoldSummary(1, "0" * 64, AT, "", 10, 10)
TASK = Task("t", "T", primary="hmr", gold=GoldColumns(subsets=(Dimension("kind", ("x", "y")),)))


def graded(value, key="hmr", *, accuracy=0.9, right=9, n=10, of=10, more=()):
    note = "" if value is not None else "nothing is wrong"
    scores = [Score(key, "all", n, value, note=note), Score("accuracy", "all", n, accuracy), *more]
    return Graded(tuple(scores), (), (), n, of, right, 0)


def entry(slug, team, grading, name="first", *, flags=(), received=AT):
    flags = flags if isinstance(flags, dict) else dict.fromkeys(flags, "because")
    settings = "answers:exact|gold:v1"
    return Entry(slug, team, name, "", "a.csv", 9, "f" * 64, received, flags, grading, settings)


def results(*entries, task=TASK, **ranking):
    task = replace(task, ranking=replace(task.ranking, **ranking))
    return Results(task, GOLD, entries)


def of(values, key="hmr", **ranking):
    """A board of one run for each team and value; teams in alphabetical order."""
    entries = [entry(f"r{i}", f"team {i}", graded(v, key)) for i, v in enumerate(values)]
    return rank(results(*entries, task=replace(TASK, primary=key), **ranking))


def ranks(board):
    return [(row.rank, row.entry.team) for row in board.ranked]


def why(board):
    return {row.entry.slug: row.why for row in board.unranked}


# --- ranks


def test_equal_values_share_a_rank_and_the_next_one_is_skipped():
    assert ranks(of([0.9, 0.8, 0.8, 0.7])) == [
        (1, "team 0"),
        (2, "team 1"),
        (2, "team 2"),
        (4, "team 3"),
    ]
    assert [r for r, _ in ranks(of([0.9, 0.8, 0.8, 0.8, 0.7]))] == [1, 2, 2, 2, 5]


def test_equal_at_the_shown_precision_is_equal():
    assert [r for r, _ in ranks(of([0.50049, 0.4996, 0.5]))] == [1, 1, 1]
    assert [r for r, _ in ranks(of([0.50049, 0.4996, 0.5], digits=4))] == [1, 2, 3]
    assert ranks(of([0.4996, 0.50049])) == [(1, "team 0"), (1, "team 1")]


def test_inside_a_tie_teams_stand_by_name_and_their_runs_by_theirs():
    board = rank(
        results(
            entry("r1", "beta", graded(0.5)),
            entry("r2", "Alpha", graded(0.5), "second"),
            entry("r3", "Alpha", graded(0.5), "first"),
            entry("r4", "alpha", graded(0.5)),
            entry("r5", "Ωmega", graded(0.5)),
            entry("r6", "Zed", graded(0.5)),
        )
    )
    assert [row.entry.slug for row in board.ranked] == ["r3", "r2", "r4", "r1", "r6", "r5"]
    assert {row.rank for row in board.ranked} == {1}


def test_two_runs_of_one_name_stand_in_the_order_of_their_arrival():
    late, early = (
        entry("r10", "A", graded(0.5), received=AT),
        entry("r9", "A", graded(0.5), received=AT - timedelta(hours=1)),
    )
    assert [r.entry.slug for r in rank(results(late, early)).ranked] == ["r9", "r10"]


def test_nought_ranks_first_where_lower_is_better_and_undefined_does_not():
    board = of([0.7, 0.0, None, 9.09, 0.3], "nll")
    assert ranks(board) == [(1, "team 1"), (2, "team 4"), (3, "team 0"), (4, "team 3")]
    assert why(board) == {"r2": "NLL is undefined: nothing is wrong"}


def test_nought_ranks_last_where_higher_is_better_and_undefined_after_it():
    board = of([0.0, None, 0.3])
    assert ranks(board) == [(1, "team 2"), (2, "team 0")]
    assert list(why(board)) == ["r1"]
    assert board.unranked[0].rank is None


def test_a_little_below_nought_is_nought():
    assert [r for r, _ in ranks(of([0.0, -0.0001, 0.0001, -0.0], "ks"))] == [1, 1, 1, 1]


def test_a_board_of_nothing():
    board = rank(results())
    assert (board.ranked, board.unranked, board.subset) == ((), (), "all")


VALUES = st.one_of(st.none(), st.floats(0, 1), st.sampled_from([0.5, 0.5004, 0.4996]))


@given(
    values=st.lists(VALUES, max_size=12), random=st.randoms(), key=st.sampled_from(["hmr", "ks"])
)
def test_a_rank_is_one_more_than_the_number_of_better_ones(values, random, key):
    entries = [entry(f"r{i}", f"t{i}", graded(v, key)) for i, v in enumerate(values)]
    board = rank(results(*entries, task=replace(TASK, primary=key)))
    exact = {
        f"r{i}": Decimal(v).quantize(Decimal("0.001"), ROUND_HALF_EVEN)
        for i, v in enumerate(values)
        if v is not None
    }
    for row in board.ranked:
        mine = exact[row.entry.slug]
        better = [v for v in exact.values() if (v > mine if key == "hmr" else v < mine)]
        assert row.rank == 1 + len(better)
    assert {row.entry.slug for row in board.ranked} == set(exact)
    assert len(board.ranked) + len(board.unranked) == len(values)
    mixed = random.sample(entries, len(entries))
    assert rank(results(*mixed, task=replace(TASK, primary=key))) == board


# --- reasons


def test_each_reason_for_not_being_ranked():
    board = rank(
        results(
            entry("baseline", "A", graded(0.9), flags=("baseline",)),
            entry("late", "B", graded(0.9), flags={"late": ""}),
            entry("known", "B", graded(0.9), flags={"late": "sent when labels were known"}),
            entry("withdrawn", "C", graded(0.9), flags={"withdrawn": "wrong file"}),
            entry("held", "D", None),
            entry("gone", "D", None, flags={"withdrawn": "wrong file"}),
            entry("few", "E", graded(0.9, right=2)),
            entry("poor", "F", graded(0.9, right=4999, n=10_000, of=10_000)),
            entry("none", "G", graded(None, n=0, accuracy=None, right=0)),
            entry("undefined", "H", graded(None)),
            entry("unscored", "I", graded(0.9, "brier")),
            entry("fine", "J", graded(0.9, right=5)),
            min_accuracy=0.5,
            min_right=3,
        )
    )
    assert [row.entry.slug for row in board.ranked] == ["fine"]
    assert why(board) == {
        "baseline": "a baseline",
        "late": "received after the close",
        "known": "sent when labels were known",
        "withdrawn": "withdrawn: wrong file",
        "held": "held: it has not been scored yet",
        "gone": "withdrawn: wrong file",
        "few": "fewer than 3 right answers, needed to be ranked",
        "poor": "an accuracy below 0.5, needed to be ranked",
        "none": "no instance was scored",
        "undefined": "HMR is undefined: nothing is wrong",
        "unscored": "HMR is undefined: no score",
    }


@pytest.mark.parametrize("flag", ["primary", "contrastive", "amended", "waived"])
def test_other_flags_do_not_keep_a_run_from_a_rank(flag):
    board = rank(results(entry("r", "A", graded(0.5), flags=(flag,))))
    assert [row.rank for row in board.ranked] == [1]


def test_by_default_one_right_answer_is_needed():
    board = rank(
        results(
            entry("zero", "A", graded(1.0, accuracy=0.0, right=0)),
            entry("one", "B", graded(0.5, accuracy=0.1, right=1)),
        )
    )
    assert [row.entry.slug for row in board.ranked] == ["one"]
    assert why(board) == {"zero": "fewer than 1 right answer, needed to be ranked"}


def covered(n, share):
    task = replace(TASK, missing="leave-out")
    return rank(results(entry("r", "A", graded(0.5, n=n, of=100)), task=task, min_coverage=share))


@pytest.mark.parametrize("n", range(1, 101))
def test_coverage_is_compared_exactly(n):
    assert [row.rank for row in covered(n, n / 100).ranked] == [1]
    assert why(covered(n - 1, n / 100))["r"] in {
        f"answered {n - 1} of 100, {n}% needed",
        "no instance was scored",
    }


def test_coverage_matters_only_where_instances_may_be_left_out():
    part = graded(0.5, n=9)
    assert rank(results(entry("r", "A", part), task=replace(TASK, missing="worst"))).ranked
    board = rank(results(entry("r", "A", part), task=replace(TASK, missing="leave-out")))
    assert why(board) == {"r": "answered 9 of 10, 100% needed"}


# --- best and primary


def team(*values, name="A", flags=None, start=0):
    flags = flags or [()] * len(values)
    return [
        entry(
            f"{name}{i}",
            name,
            graded(v),
            f"run {i}",
            flags=f,
            received=AT + timedelta(minutes=start + i),
        )
        for i, (v, f) in enumerate(zip(values, flags, strict=True))
    ]


def test_best_ranks_one_run_of_each_team():
    board = rank(results(*team(0.5, 0.7, 0.6), *team(0.6, name="B"), rule="best"))
    assert [(row.rank, row.entry.slug) for row in board.ranked] == [(1, "A1"), (2, "B0")]
    assert why(board) == {"A0": "not the team's best run", "A2": "not the team's best run"}


def test_best_is_the_lowest_where_lower_is_better():
    entries = [entry(f"r{i}", "A", graded(v, "ks")) for i, v in enumerate([0.3, 0.1, 0.2])]
    board = rank(results(*entries, task=replace(TASK, primary="ks"), rule="best"))
    assert [row.entry.slug for row in board.ranked] == ["r1"]


def test_among_equals_the_earliest_is_best():
    assert rank(results(*team(0.50049, 0.5), rule="best")).ranked[0].entry.slug == "A0"
    late_first = list(reversed(team(0.5, 0.5)))
    assert rank(results(*late_first, rule="best")).ranked[0].entry.slug == "A0"
    same_instant = [entry(f"run-{i}", "A", graded(0.5), f"r{i}") for i in (9, 10)]
    assert rank(results(*same_instant, rule="best")).ranked[0].entry.slug == "run-9"


def test_arrival_is_an_instant_whatever_its_offset():
    tokyo = datetime.fromisoformat("2026-05-01T20:00:00+09:00")  # 11:00 UTC
    early, late = entry("e", "A", graded(0.5), "z", received=tokyo), entry("l", "A", graded(0.5))
    assert rank(results(late, early, rule="best")).ranked[0].entry.slug == "e"


def test_a_run_that_may_not_be_ranked_is_not_the_best_one():
    flags = [("withdrawn",), ("late",), ("baseline",), ()]
    board = rank(results(*team(0.9, 0.8, 0.7, 0.6, flags=flags), rule="best"))
    assert [row.entry.slug for row in board.ranked] == ["A3"]
    assert "not the team's best run" not in why(board).values()


def test_undefined_is_said_to_be_undefined_under_best_too():
    board = rank(results(*team(None, 0.4), *team(None, name="B"), rule="best"))
    assert [row.entry.slug for row in board.ranked] == ["A1"]
    assert why(board) == dict.fromkeys(["A0", "B0"], "HMR is undefined: nothing is wrong")


def test_primary_ranks_the_run_that_the_team_named():
    flags = [(), ("primary",), ("contrastive",)]
    board = rank(results(*team(0.9, 0.5, 0.7, flags=flags), rule="primary"))
    assert [row.entry.slug for row in board.ranked] == ["A1"]
    assert set(why(board).values()) == {"not the team's primary run"}


# --- subsets and macro


def parts(whole, x, y, key="hmr"):
    more = tuple(
        Score(key, f"kind={k}", 5, v, note="" if v is not None else "no instances")
        for k, v in (("x", x), ("y", y))
    )
    return graded(whole, key, more=more)


def test_a_subset_is_another_ranking():
    runs = results(entry("a", "A", parts(0.9, 0.1, 0.8)), entry("b", "B", parts(0.8, 0.2, None)))
    assert [row.entry.slug for row in rank(runs).ranked] == ["a", "b"]
    assert [row.entry.slug for row in rank(runs, "kind=x").ranked] == ["b", "a"]
    board = rank(runs, "kind=y")
    assert [row.entry.slug for row in board.ranked] == ["a"]
    assert why(board) == {"b": "HMR is undefined: no instances"}
    assert (board.subset, rank(runs, "kind=x").subset) == ("kind=y", "kind=x")
    assert "another ranking" in board.rule
    assert "another ranking" not in rank(runs).rule


def test_on_a_subset_the_best_run_is_that_of_the_whole():
    one, two = parts(0.9, 0.1, 0.5), parts(0.8, 0.9, 0.5)
    runs = results(entry("a", "A", one), entry("b", "A", two, "second"), rule="best")
    assert [row.entry.slug for row in rank(runs, "kind=x").ranked] == ["a"]


@pytest.mark.parametrize("rule", ["all", "best", "primary"])
def test_the_boards_of_several_subsets_are_those_of_each(rule):
    parts = ("all", "kind=x", "kind=y", "kind=none")
    entries = [
        entry(
            f"r{i}",
            f"team {i // 2}",
            graded(
                whole, more=(Score("hmr", "kind=x", 5, part), Score("hmr", "kind=y", 5, 1 - whole))
            ),
            flags=("primary",) if i % 2 else ("contrastive",),
        )
        for i, (whole, part) in enumerate([(0.9, 0.1), (0.8, 0.9), (0.7, None), (0.9, 0.5)])
    ]
    found = boards(results(*entries, rule=rule), parts)
    assert list(found) == list(parts)
    assert found == {part: rank(results(*entries, rule=rule), part) for part in parts}
    slugs = {part: [row.entry.slug for row in found[part].ranked] for part in parts}
    assert slugs == {
        "all": {"all": ["r0", "r3", "r1", "r2"], "best": ["r0", "r3"], "primary": ["r3", "r1"]}[
            rule
        ],
        "kind=x": {"all": ["r1", "r3", "r0"], "best": ["r3", "r0"], "primary": ["r1", "r3"]}[rule],
        "kind=y": {"all": ["r2", "r1", "r0", "r3"], "best": ["r0", "r3"], "primary": ["r1", "r3"]}[
            rule
        ],
        "kind=none": [],
    }


def test_a_macro_ranks_the_whole_and_what_it_is_a_mean_of_ranks_a_part():
    task = replace(TASK, primary="macro(hmr@2, kind)")
    runs = results(task=task)
    assert lead(runs).key == "macro(hmr@2,kind)"
    assert lead(runs, "kind=x").key == "hmr@2"
    assert lead(results(task=TASK), "kind=x").key == "hmr"
    first = graded(0.4, "macro(hmr@2,kind)", more=(Score("hmr@2", "kind=x", 5, 0.1),))
    second = graded(0.3, "macro(hmr@2,kind)", more=(Score("hmr@2", "kind=x", 5, 0.6),))
    runs = results(entry("a", "A", first), entry("b", "B", second), task=task)
    assert [row.entry.slug for row in rank(runs).ranked] == ["a", "b"]
    assert [row.entry.slug for row in rank(runs, "kind=x").ranked] == ["b", "a"]


def test_a_score_is_found_by_key_and_subset():
    run = entry("a", "A", parts(0.9, 0.1, None))
    assert score(run, "hmr").value == 0.9
    assert score(run, "hmr", "kind=x").value == 0.1
    assert score(run, "hmr", "kind=y").value is None
    assert score(run, "hmr", "kind=z") is None
    assert score(run, "brier") is None
    assert score(entry("a", "A", None), "hmr") is None


# --- the rule in words


@pytest.mark.parametrize(
    ("ranking", "missing", "words"),
    [
        (Ranking(), "reject", ["Every run has its own row", "higher is better", "3 decimals"]),
        (Ranking("best", digits=2), "reject", ["its best run overall", "2 decimals"]),
        (
            Ranking("primary", 0.25, 7),
            "reject",
            ["named primary", "accuracy of 0.25", "7 right answers"],
        ),
        (Ranking(min_coverage=0.995), "leave-out", ["99.5% of the instances answered"]),
        (Ranking(min_coverage=0.55), "leave-out", ["55% of the instances answered"]),
    ],
)
def test_the_rule_says_what_the_ranking_does(ranking, missing, words):
    text = rule(Results(replace(TASK, ranking=ranking, missing=missing), GOLD, ()))
    assert all(word in text for word in words), text
    assert ("instances answered" in text) == (missing == "leave-out")
    assert rank(Results(replace(TASK, ranking=ranking, missing=missing), GOLD, ())).rule == text


# --- numbers as they are shown


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (0.0, 3, "0.000"),
        (-0.0, 3, "0.000"),
        (-0.0004, 3, "0.000"),
        (-0.0006, 3, "-0.001"),
        (1.0, 1, "1.0"),
        (0.9996, 3, "1.000"),
        (0.125, 2, "0.12"),
        (0.375, 2, "0.38"),
        (2.675, 2, "2.67"),  # the double is below the decimal
        (36.0436534, 3, "36.044"),
        (1e-12, 10, "0.0000000000"),
        (-1 / 3, 10, "-0.3333333333"),
        (None, 3, "–"),
    ],
)
def test_a_value_is_shown_rounded(value, digits, text):
    assert shown(value, digits) == text


@given(value=st.floats(-40, 40), digits=st.integers(1, 10))
def test_what_is_shown_is_the_nearest_decimal(value, digits):
    exact = Decimal(value).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_EVEN)
    assert Decimal(shown(value, digits)) == exact
    assert not shown(value, digits).startswith("-0." + "0" * digits)


# --- who may see what


def snapshot():
    runs = (
        entry("fine", "A", graded(0.5)),
        entry("held", "B", None),
        entry("withdrawn", "C", graded(0.9), flags={"withdrawn": "wrong file"}),
        entry("both", "D", None, flags={"withdrawn": "wrong file"}),
        entry("late", "E", graded(0.7), flags=("late",)),
    )
    return Snapshot((results(*runs), results()), AT)


def test_organisers_see_everything():
    assert visible(snapshot(), "organisers") == snapshot()


def test_the_public_sees_no_held_run_and_of_a_withdrawn_one_that_it_was():
    public = visible(snapshot(), "public")
    assert public.as_of == AT
    runs = {e.slug: e for e in public.tasks[0].entries}
    assert list(runs) == ["fine", "withdrawn", "both", "late"]
    assert runs["withdrawn"].graded is None
    assert runs["fine"] == snapshot().tasks[0].entries[0]
    assert why(rank(public.tasks[0])) == {
        "withdrawn": "withdrawn: wrong file",
        "both": "withdrawn: wrong file",
        "late": "because",
    }


def test_to_see_twice_is_to_see_once():
    once = visible(snapshot(), "public")
    assert visible(once, "public") == once
    assert len(once.tasks) == 2


def test_a_run_of_which_nothing_is_kept_back_is_the_same_run():
    more = [Score("macro(hmr,kind)", "all", 60, 0.4), Score("hmr", "kind=x", 30, 0.3)]
    whole = graded(0.5, n=60, of=60, right=50, more=more)
    plain, named = entry("a-1", "A", whole), entry("b-1", "B", replace(whole, view=((), ())))
    few = entry("c-1", "C", graded(0.5, more=[*more, Score("hmr", "kind=y", 4, 0.3)]))
    seen = visible(Snapshot((results(plain, named, few),), AT), "public").tasks[0].entries
    assert seen[0] is plain
    assert seen[1].graded.view is None
    assert score(seen[2], "hmr", "kind=y").value is None
    assert score(seen[2], "macro(hmr,kind)").value is None  # it would tell of those four
    assert few.graded.scores != seen[2].graded.scores


def test_the_public_sees_no_accuracy_of_a_handful():
    """One instance alone in a bin would be told right or wrong; organisers see all."""
    bins = (Bin(0, 0.0, 0.0), Bin(4, 0.15, 0.25), Bin(5, 0.25, 0.2), Bin(6, 0.35, 0.5))
    run = entry("a-1", "A", replace(graded(0.5), reliability=bins))
    everything = Snapshot((results(run),), AT)
    seen = visible(everything, "public").tasks[0].entries[0].graded.reliability
    assert [(b.n, b.confidence, b.accuracy) for b in seen] == [
        (0, 0.0, 0.0),
        (4, 0.15, None),
        (5, 0.25, None),  # with it and the whole, those four would be told
        (6, 0.35, 0.5),
    ]
    bins = (Bin(3, 0.05, 0.0), Bin(2, 0.15, 0.5), Bin(5, 0.25, 0.2))
    run = entry("a-1", "A", replace(graded(0.5), reliability=bins))
    seen = visible(Snapshot((results(run),), AT), "public").tasks[0].entries[0].graded.reliability
    assert [b.accuracy for b in seen] == [None, None, 0.2]
    assert visible(everything, "organisers") == everything


def test_the_public_sees_no_score_of_a_handful():
    sizes = {"kind=x": 4, "kind=y": 5, "kind=z": 6, "of=a": 7, "of=b": 5}
    more = (Score("hmr", subset, n, n / 8) for subset, n in sizes.items())
    lone = Score("mce@10", "all", 10, 0.5, details={"n of the bin": 1})
    run = entry("a-1", "A", graded(0.5, more=(*more, lone)))
    seen = visible(Snapshot((results(run),), AT), "public").tasks[0].entries[0]
    hidden = score(seen, "hmr", "kind=x")
    assert (hidden.value, hidden.note) == (None, "fewer than 5 instances: not shown")
    beside = score(seen, "hmr", "kind=y")
    assert (beside.value, beside.note) == (
        None,
        "not shown: with the others it would tell of fewer than 5 instances",
    )
    assert [score(seen, "hmr", s).value for s in ("kind=z", "of=a", "of=b")] == [
        0.75,
        7 / 8,
        5 / 8,
    ]
    assert score(seen, "mce@10").details == {}


@pytest.mark.parametrize("later", [0, 1])
def test_of_runs_that_are_public_instance_by_instance_a_handful_is_told_too(later):
    more = tuple(Score("hmr", s, n, n / 8) for s, n in (("kind=x", 4), ("kind=y", 6)))
    one = replace(graded(0.5, more=more), reliability=(Bin(1, 0.1, 1.0), Bin(9, 0.5, 0.5)))
    runs = [entry(f"{team}-1", team, one) for team in ("agreed", "silent")]
    runs = [replace(run, consent=run.team == "agreed") for run in runs]
    gold = replace(
        GOLD,
        released=AT + timedelta(seconds=later),
        dimensions=(("kind", (("x", 4), ("y", 6))),),
    )
    family = Comparison((), (), 9, None)
    alone, both = (Versus(tuple(s), family, n=4) for s in (["agreed-1"], ["agreed-1", "silent-1"]))
    rows = {f"kind={v}": Beside(s, 4, 1, ()) for v, s in (("x", "agreed-1"), ("z", "silent-1"))}
    made = replace(results(*runs), gold=gold, beside=rows)
    made = replace(made, versus={"all": alone, "kind=x": both})
    shown_ = visible(Snapshot((made,), AT), "public").tasks[0]
    values = {e.team: score(e, "hmr", "kind=x").value for e in shown_.entries}
    assert values == {"agreed": None if later else 0.5, "silent": None}
    bins = {e.team: e.graded.reliability[0].accuracy for e in shown_.entries}
    assert bins == {"agreed": None if later else 1.0, "silent": None}
    assert shown_.versus["kind=x"].comparison is None
    assert shown_.versus["all"].comparison == (None if later else family)
    assert list(shown_.beside) == ([] if later else ["kind=x"])


def test_the_run_that_a_team_named_primary_last_is_the_one():
    first = entry("a-1", "A", graded(0.9), flags=("primary",))
    last = entry("a-2", "A", graded(0.5), flags=("primary",), received=AT + timedelta(hours=1))
    board = rank(results(first, last, rule="primary"))
    assert [row.entry.slug for row in board.ranked] == ["a-2"]
    assert why(board) == {"a-1": "not the team's primary run"}
