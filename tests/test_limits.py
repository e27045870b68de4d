"""Of how few instances nothing is told, while runs are scored on labels and after that."""

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from grader.board import reveals, score, visible
from grader.board.few import coarse
from grader.board.limits import ALWAYS, GUARDED, OF_HIDDEN, Counts, in_use, withheld
from grader.board.reveals import Reveal, bits
from grader.model import (
    Beside,
    Bin,
    Comparison,
    Dimension,
    Entry,
    Extension,
    GoldColumns,
    GoldSummary,
    Graded,
    Pair,
    Phase,
    Ranking,
    Results,
    Score,
    Snapshot,
    Task,
    Versus,
)

DAY = timedelta(days=1)
OPENS, CLOSES = datetime(2031, 5, 1, tzinfo=UTC), datetime(2031, 6, 1, tzinfo=UTC)
NOON, LATER = OPENS + DAY, CLOSES + DAY
FORMAL = Phase("formal", OPENS, CLOSES)
STRICT = "fewer than 200 instances, or 20 right or 20 wrong: not shown"


# --- which parts are too small


@pytest.mark.parametrize(
    ("parts", "whole", "hidden"),
    [
        ({"a": (200, 20, 180), "b": (200, 180, 20)}, None, ""),
        ({"a": (199, 99, 100), "b": (300, 150, 150), "c": (400, 200, 200)}, None, "ab"),
        ({"a": (200, 19, 181), "b": (300, 150, 150), "c": (400, 200, 200)}, None, "ab"),
        ({"a": (200, 181, 19), "b": (300, 150, 150), "c": (400, 200, 200)}, None, "ab"),
        # Two that are too small are not too small together.
        ({"a": (199, 99, 100), "b": (199, 99, 100), "c": (400, 200, 200)}, None, "ab"),
        # Enough instances together, and not enough right ones.
        ({"a": (200, 9, 191), "b": (200, 10, 190), "c": (400, 200, 200)}, None, "abc"),
        # What lies in no part is hidden too: the whole and the parts would tell it.
        ({"a": (300, 150, 150), "b": (400, 200, 200)}, (710, 355, 355), "a"),
        ({"a": (300, 150, 150), "b": (400, 200, 200)}, (900, 450, 450), ""),
        ({"a": (0, 0, 0), "b": (400, 200, 200)}, None, ""),
    ],
)
def test_what_is_hidden_does_not_follow_from_the_rest(parts, whole, hidden):
    counts = {name: Counts(*each) for name, each in parts.items()}
    assert "".join(sorted(withheld(counts, GUARDED, whole and Counts(*whole)))) == hidden


@pytest.mark.parametrize("limits", [ALWAYS, GUARDED])
def test_no_mean_is_told_over_subsets_of_which_some_are_hidden(limits):
    # 216 of 419 and 1 of 1 are right: with 217 of 420 the mean, 0.758, says which of the one.
    mean = Score("macro(accuracy,size)", "all", 420, (216 / 419 + 1) / 2, 0.7, 0.8)
    scores = (
        Score("accuracy", "all", 420, 217 / 420),
        Score("accuracy", "size=small", 1, 1.0),
        Score("accuracy", "size=big", 419, 216 / 419),
        mean,
    )
    run = Graded(scores=scores, notices=(), reliability=(), n=420, of=420, right=217, abstained=0)
    whole, small, big, told = coarse(run, limits).scores
    assert whole.value == 217 / 420
    assert (small.value, big.value) == (None, None)
    assert (told.value, told.low, told.high, told.note) == (None, None, None, OF_HIDDEN)
    ranking = replace(limits, ranks=mean.measure)  # without it there would be no board
    assert coarse(run, ranking).scores[-1] == mean
    large = replace(run, scores=(scores[0], mean))
    assert coarse(large, limits).scores[-1] == mean


@pytest.mark.parametrize("limits", [ALWAYS, replace(GUARDED, asked=False)])
def test_what_the_gate_handed_out_goes_through_it_as_it_is(limits):
    bars = (Bin(3, 0.6, 0.5), Bin(500, 0.9, 0.8))
    mine = replace(run().graded, reliability=bars)
    once = coarse(mine, limits)
    assert once.reliability[0].accuracy is None
    assert coarse(once, limits) is once
    assert coarse(replace(once), limits) == once  # nothing is known of this one


def test_what_the_gate_handed_out_goes_through_it_again_by_stricter_limits():
    bars = (Bin(7, 0.6, 0.5), Bin(500, 0.9, 0.8))
    mine = coarse(replace(run().graded, reliability=bars), ALWAYS)
    assert mine.reliability == bars  # of five at least
    assert coarse(mine, GUARDED).reliability[0].accuracy is None


# --- for how long


def phases(*more, **keys):
    return Task("t", "T", phases=(replace(FORMAL, **keys), *more))


FINAL = Phase("final", CLOSES + 10 * DAY, CLOSES + 20 * DAY, split="private")


@pytest.mark.parametrize(
    ("task", "phase", "at", "used"),
    [
        (phases(), "formal", OPENS - DAY, True),
        (phases(), "formal", CLOSES - DAY, True),
        (phases(), "formal", CLOSES, False),
        (phases(grace=60), "formal", CLOSES + timedelta(minutes=59), True),
        (phases(grace=60), "formal", CLOSES + timedelta(minutes=60), False),
        (phases(FINAL), "formal", CLOSES, True),
        (phases(FINAL, split="public"), "formal", CLOSES, False),
        (phases(FINAL, split="public"), "final", CLOSES, True),
        (phases(FINAL), "", CLOSES, True),
        (Task("t", "T"), "", NOON, False),
    ],
)
def test_labels_are_in_use_until_the_last_run_on_them_is_in(task, phase, at, used):
    assert in_use(task, (), task.phase(phase), at) == used


def test_an_extension_for_one_team_keeps_labels_in_use():
    longer = Extension("formal", "Ants", CLOSES, LATER + DAY, "a power cut", NOON)
    assert in_use(phases(), (longer,), FORMAL, LATER)
    assert not in_use(phases(), (longer,), FORMAL, LATER + DAY)


# --- the gate

SIZES = {"kind=a": (200, 60), "kind=b": (200, 20), "kind=c": (300, 281), "kind=d": (300, 200)}


def scores(measure, value):
    yield Score(measure, "all", 1000, 0.5614999, 0.5111111, 0.6111111)
    for subset, (n, right) in SIZES.items():
        yield Score(measure, subset, n, value(n, right), 0.1234567, 0.9876543)


def run(slug="ants-1", phase="formal"):
    bins = (Bin(19, 0.1234567, 0.2), Bin(20, 0.3, 0.3), Bin(500, 0.5, 0.4), Bin(461, 0.9, 0.75))
    found = (
        *scores("hmr", lambda *_: 0.4444444),
        *scores("accuracy", lambda n, right: right / n),
        Score("ece@10", "all", 1000, 0.0312345, details={"floor mean": 0.0123456}),
    )
    graded = Graded(found, (), bins, 1000, 1000, 561, 0)
    return Entry(slug, "Ants", "r", phase, "r.csv", 9, "f" * 64, NOON, {}, graded, "gold:v1")


def results(phase=FORMAL, released=None, **more):
    cut = ("kind", tuple((name.removeprefix("kind="), n) for name, (n, _) in SIZES.items()))
    gold = GoldSummary(1, "0" * 64, OPENS, "", 1000, 1000, (cut,), released=released)
    columns = GoldColumns(subsets=(Dimension("kind"),))
    task = Task("t", "T", measures=("ece@10",), gold=columns, phases=(phase,) if phase else ())
    return Results(task, gold, (run(phase=phase.name if phase else ""),), **more)


def seen(of, at=NOON, viewer="public"):
    (part,) = visible(Snapshot((of,), at), viewer).tasks
    return part


def values(part, measure="hmr"):
    (entry,) = part.entries
    return {s: score(entry, measure, s).value for s in ("all", *SIZES)}


def test_while_runs_are_scored_on_it_small_subsets_are_hidden_and_numbers_are_rounded():
    part = seen(results())
    # 19 wrong hide c; so that c does not follow, the smallest of the others goes with it.
    assert values(part) == {
        "all": 0.561,
        "kind=a": None,
        "kind=b": 0.444,
        "kind=c": None,
        "kind=d": 0.444,
    }
    (entry,) = part.entries
    notes = {score(entry, "hmr", s).note for s in ("kind=a", "kind=c")}
    assert notes == {STRICT}  # not which of them is small, nor of what
    kept = score(entry, "hmr", "kind=d")
    assert (kept.low, kept.high) == (0.123, 0.988)
    assert score(entry, "ece@10").details == {"floor mean": 0.012}
    assert [(b.confidence, b.accuracy) for b in entry.graded.reliability] == [
        (0.123, None),
        (0.3, None),  # with it and the whole, those nineteen would be told
        (0.5, 0.4),
        (0.9, 0.75),
    ]
    assert seen(part) == part  # also of what is rounded by now


@pytest.mark.parametrize(
    ("of", "at"),
    [
        (results(), CLOSES),
        (results(phase=None), NOON),
        (results(released=OPENS), NOON),
    ],
    ids=["over", "no phases", "released"],
)
def test_else_five_are_enough_and_numbers_are_as_they_are(of, at):
    part = seen(of, at)
    assert values(part) == {"all": 0.5614999} | dict.fromkeys(SIZES, 0.4444444)
    assert part.entries[0].graded.reliability[0].accuracy == 0.2


def test_a_phase_with_digits_has_these():
    part = seen(results(replace(FORMAL, digits=1)))
    assert set(values(part).values()) == {0.6, 0.4, None}


def test_a_revealed_phase_is_guarded_while_another_uses_its_labels():
    early = replace(FORMAL, name="dry", opens=OPENS - 9 * DAY, closes=OPENS, reveal=OPENS)
    of = results(early)
    both = replace(of, task=replace(of.task, phases=(early, FORMAL)))
    dry, _ = visible(Snapshot((both,), NOON), "public").tasks
    assert values(dry)["kind=c"] is None
    old = replace(both, entries=(run(phase=""),))  # from before there were phases
    *_, before = visible(Snapshot((old,), NOON), "public").tasks
    assert values(before)["kind=c"] is None
    assert visible(Snapshot((before,), NOON), "public").tasks == (before,)


def test_who_sent_a_run_is_told_no_more():
    part = seen(results(replace(FORMAL, visible="teams")), viewer="participants")
    assert values(part)["kind=c"] is None


def test_what_stands_beside_runs_is_rounded_and_of_many():
    pair = Pair(0, 1, 0.1234567, 0.0123456, 0.2345678, 0.0123456)
    made = Comparison((pair,), ((1, 1), (2, 2)), 9, 2.7654321, (0.7654321, 0.6))
    versus = {
        "all": Versus(("ants-1",), made, n=1000),
        "kind=a": Versus(("ants-1",), made, n=200),
        "kind=b": Versus(("ants-1",), made, n=199),
    }
    beside = {"kind=a": Beside("ants-1", 200, 19, ()), "kind=b": Beside("ants-1", 199, 99, ())}
    part = seen(results(versus=versus, beside=beside))
    (rounded,) = part.versus["all"].comparison.pairs
    assert (rounded.difference, rounded.low, rounded.high) == (0.123, 0.012, 0.235)
    assert part.versus["kind=a"].comparison is not None
    assert part.versus["kind=b"].reason == "they share fewer than 200 instances"
    assert set(part.beside) == {"kind=a"}


# --- how much the numbers could tell


def test_a_number_tells_no_more_than_the_values_that_it_can_have():
    assert bits(2) == pytest.approx(math.log2(400))
    assert bits(3, right=500) == 3  # log2(4 · 1000 / 500)
    assert bits(1, right=50) == 0
    assert bits(2, width=36.04) == pytest.approx(math.log2(3604))


def small(phase, n=1000, labels=(), dimensions=()):
    task = Task(
        *("t", "T"),
        measures=("confidence", "auroc"),
        labels=labels,
        ranking=Ranking(digits=phase.digits or 3),
    )
    gold = GoldSummary(1, "0" * 64, OPENS, "", n, n, dimensions)
    return Results(task, gold, (), phase=phase)


def test_the_bound_is_runs_times_numbers_times_bits():
    """hmr, accuracy, brier and auroc with two ends each: 12 numbers of log2(4 · 10^d) bits."""
    found = reveals(small(replace(FORMAL, runs=3, digits=2)))
    assert (found.runs, found.numbers, found.labels) == (3, 12, 1000)
    assert found.bits == pytest.approx(3 * 12 * math.log2(400))  # 311.2
    assert found.share == pytest.approx(0.3112, abs=1e-4)
    assert found.too_much
    ten = reveals(small(replace(FORMAL, runs=3, digits=2), labels=tuple("0123456789")))
    assert ten.labels == pytest.approx(1000 * math.log2(10))
    many = reveals(small(replace(FORMAL, runs=1, digits=1), n=100_000))
    assert many.bits == pytest.approx(12 * math.log2(40))  # 63.9
    assert not many.too_much


def test_shown_subsets_count_and_small_ones_do_not():
    cut = (("kind", (("a", 199), ("b", 200), ("c", 601))),)
    found = reveals(small(replace(FORMAL, runs=1), dimensions=cut))
    assert found.numbers == 24  # the whole, and c: b is hidden with a
    assert reveals(small(replace(FORMAL, runs=1, subsets=False), dimensions=cut)).numbers == 12


def test_no_number_tells_more_than_its_labels():
    found = reveals(small(replace(FORMAL, runs=1), n=5))
    assert (found.bits, found.labels, found.share) == (12 * 5, 5, 1.0)


def test_without_a_quota_all_is_told_and_hidden_scores_tell_nothing():
    assert reveals(small(FORMAL)) == Reveal(None, 12, None, 1000)
    assert reveals(small(FORMAL)).too_much
    hidden = reveals(small(replace(FORMAL, visible="none")))
    assert (hidden.bits, hidden.too_much) == (0, False)
    of = small(replace(FORMAL, runs=2))
    numbers = reveals(replace(of, task=replace(of.task, kind="interval", primary="iscore")))
    assert (numbers.bits, numbers.too_much) == (None, False)
    assert numbers.why


@pytest.mark.parametrize(
    ("keys", "runs"),
    [
        ({"runs": 7}, 7),
        ({"per_day": 2}, 62),  # 31 days of UTC
        ({"per_day": 2, "runs": 9}, 9),
        ({"per_day": 2, "day": "rolling"}, 62),
        ({"per_day": 1, "opens": OPENS + DAY / 2, "closes": OPENS + 3 * DAY / 2}, 2),
        ({"per_day": 1, "day": "rolling", "opens": OPENS + DAY / 2, "closes": OPENS + DAY}, 1),
    ],
)
def test_a_team_may_have_so_many_runs(keys, runs):
    assert reveals(small(replace(FORMAL, **keys))).runs == runs


def test_after_the_labels_are_used_the_old_limit_holds():
    assert (ALWAYS.subset, ALWAYS.part, ALWAYS.sides) == (5, 5, 0)
    assert ALWAYS.too_few == "fewer than 5 instances: not shown"
