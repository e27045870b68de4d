"""What an overview paper needs: every number is the stored one, or recomputed by other means."""

import csv
import io
import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
import yaml
from click.testing import CliRunner
from conftest import AT
from judging import NOON, SALT, said
from judging import registered as judged_task
from judging import send as sent_to_judges
from pybtex.database import parse_string as bibliography
from pylatexenc.latexwalker import LatexWalker
from scipy.stats import kendalltau

from grader import store
from grader.board import rank, shown
from grader.cli import main
from grader.export import Subject, folder
from grader.export.macros import Macro, lines, words
from grader.freezing import freeze
from grader.grade import grade, viewed
from grader.intake import receive
from grader.marking import Decision, describe, mark, withdraw
from grader.measures import find
from grader.model import About, Graded, Receipt, Standing, Upload
from grader.overview import overviews
from grader.overview.instances import instances
from grader.paired import views
from grader.pairwise import tables as pair_tables
from grader.registration import erase, merge, rename
from grader.rescore import Act
from grader.tabular.citation import Work, bibtex, cff
from grader.tabular.latex import number, tabular, text
from grader.tabular.sheet import Column, Table, told
from grader.tasks import parse, read_gold
from grader.versioning import Reason, drop

IDS = [f"q{i:02}" for i in range(48)]
GOLD = "id,answer,kind\n" + "".join(f"{n},yes,{'ab'[i % 2]}\n" for i, n in enumerate(IDS))
TASK = """
title = "50% {of} it_all & more"
measures = ["ece@5", "auroc", "bias", "macro(accuracy,kind)"]
[gold]
subsets = ["kind"]
[resampling]
resamples = 60
"""
TEAMS = ["Ants & Co_100%", "=Bees {x}\\", "東京", "Drones", "Gone"]
DECIDED = Decision("by mail [*]", NOON)

# What reads the database is tested on both elsewhere, and here by the files of a whole task.
ON_SQLITE = pytest.mark.parametrize("kind", ["sqlite"])


def run(seed, accuracy=0.6, wrong=None):
    """A run whose confidences say something, and repeat; with so many wrong answers if told."""
    rng = np.random.default_rng(seed)
    right = rng.random(len(IDS)) < accuracy
    if wrong is not None:
        right[:] = True
        right[rng.choice(np.arange(1, len(IDS)), wrong, replace=False)] = False
    sure = np.round(np.clip(rng.normal(0.5 + 0.2 * right, 0.2), 0, 1), 1)
    rows = (f"{n},{'yes' if r else 'no'},{s}" for n, r, s in zip(IDS, right, sure, strict=True))
    return ("id,answer,confidence\n" + "\n".join(rows) + "\n").encode()


def sent(engine, slug, team, name, payload):
    done = receive(engine, slug, Upload(team, name, "run.csv", payload, NOON))
    assert isinstance(done, Receipt), done
    return done.run


def filled(engine):
    """A task of six runs: one withdrawn, one a baseline, one of an erased team; one drop."""
    with store.unit(engine) as db:
        gold = read_gold(parse(TASK, "t"), GOLD.encode(), "gold.csv")
        store.add_task(db, "t", TASK, gold, SALT, AT)
        for name in TEAMS:
            store.add_team(db, name, name, AT)
    slugs = [sent(engine, "t", team, f"run {k}", run(k)) for k, team in enumerate(TEAMS)]
    slugs.append(sent(engine, "t", TEAMS[0], "second, [0.5]", run(9, 0.9)))
    act = Act(NOON + timedelta(days=1), SALT)
    with store.unit(engine) as db:
        withdraw(db, "t", slugs[3], DECIDED)
        mark(db, "t", slugs[2], "baseline", DECIDED)
        describe(
            db, "t", slugs[0], About("50% & more", ("https://a.example",), ("GPU_1", "b#")), NOON
        )
        freeze(db, "t", "", "the results", NOON)
        drop(db, "t", ["q05"], Reason("two answers are right", "chair"), act)
        rename(db, TEAMS[0], "Ants & Co_101%", DECIDED)
        erase(db, "Gone", DECIDED)
    return engine


@pytest.fixture(scope="module")
def paper(tmp_path_factory):
    """The database of such a task, what was found, and the files."""
    engine = filled(store.opened(f"sqlite:///{tmp_path_factory.mktemp('paper')}/grader.db"))
    yield engine, *made(engine)
    engine.dispose()


def one_task(engine, config, gold=GOLD):
    with store.unit(engine) as db:
        store.add_task(
            db, "t", config, read_gold(parse(config, "t"), gold.encode(), "g"), SALT, AT
        )
        store.add_team(db, "Ants", "a", AT)


def made(engine, *slugs, at=NOON + timedelta(days=9), **of):
    """The overviews, and the files that are written of them."""
    slugs = slugs or ("t",)
    with store.reading(engine) as db:
        found = tuple(overviews(db, slugs, at))
    subject = Subject(slugs[0], "A title", at, **of)
    return found, {path: body.decode() for path, body in folder(found, subject)}


def document(files):
    return json.loads(files["overview.json"], parse_constant=pytest.fail)


def rows(files, path):
    return list(csv.DictReader(io.StringIO(files[path], newline=""), strict=True))


MACRO = re.compile(r"\\newcommand\{\\([A-Za-z]+)\}\{(.*)\} % (.*)")


def macros(files, where="t"):
    """The macros of a folder: what each number is, and how it is printed."""
    lines = [
        line
        for name in ("macros", "more-macros")
        for line in files[f"{where}/{name}.tex"].splitlines()[1:]
    ]
    found = [MACRO.fullmatch(line).groups() for line in lines]
    assert len({name for name, _, _ in found}) == len(found)
    return {what: value for _, value, what in found}


def read_back(printed):
    return printed.replace(r"\ensuremath{-}", "-")


# --- scores


def test_every_score_is_the_stored_one_in_json_csv_and_macros(paper):
    engine, (found,), files = paper
    with store.reading(engine) as db:
        results = store.snapshot(db, NOON, ["t"]).tasks[0]
    stored = {
        (e.slug, s.subset, s.measure): s
        for e in results.entries
        if "withdrawn" not in e.flags
        for s in e.graded.scores
    }
    assert {e.slug for e in results.entries} - {run for run, *_ in stored} == {"drones-1"}
    told_ = {
        (r["run"], r["subset"], r["measure"]): r for r in document(files)["parts"][0]["scores"]
    }
    table = {(r["run"], r["subset"], r["measure"]): r for r in rows(files, "t/scores.csv")}
    macro = macros(files)
    assert told_.keys() == table.keys() == stored.keys()
    keys = {"value": "value", "low": "low", "high": "high"}
    keys |= {"floor_mean": "floor_mean", "floor_95": "floor_95", "n": "n"}
    numbers = 0
    for key, score in stored.items():
        assert told_[key]["no_interval"] == table[key]["no_interval"] == score.no_interval
        assert bool(score.no_interval) == (score.low is None)
        assert told_[key]["signature"].startswith(f"{key[2]}|")
        for column, attribute in keys.items():
            value = getattr(score, attribute)
            assert told_[key][column] == value
            assert table[key][column] == ("" if value is None else repr(value))
            name = f"scores, {', '.join(key)}, {column}"
            if value is None:
                assert name not in macro
                continue
            numbers += 1
            printed = str(value) if column == "n" else shown(value, 3)
            assert read_back(macro[name]) == printed
    assert numbers > 300
    assert [row.entry.slug for row in rank(found.results).rows] == [
        r["run"] for r in document(files)["parts"][0]["runs"]
    ]


def test_runs_teams_and_declared_resources(paper):
    _, _, files = paper
    runs = {r["run"]: r for r in rows(files, "t/runs.csv")}
    ants = runs["ants-co-100-1"]
    assert (ants["description"], ants["resources"]) == ("50% & more", "GPU_1; b#")
    assert ants["links"] == "https://a.example"
    assert runs["drones-1"]["unranked"] == "withdrawn: by mail [*]"
    assert (runs["drones-1"]["rank"], runs["drones-1"]["right"]) == ("", "")
    assert runs["team-1"]["unranked"] == "a baseline"
    assert runs["bees-x-1"]["team"] == "'=Bees {x}\\"  # no spreadsheet runs it
    teams = {r["team"]: r for r in rows(files, "t/teams.csv")}
    assert teams["Ants & Co_101%"]["before"] == "Ants & Co_100%"
    assert (teams["Ants & Co_101%"]["runs"], teams["Ants & Co_101%"]["ranked"]) == ("2", "2")
    assert (teams["Drones"]["runs"], teams["Drones"]["best"]) == ("1", "")
    assert not any("Gone" in body or "gone" in body for body in files.values())
    assert len(runs) == 6
    counts = {r["what"]: r["count"] for r in rows(files, "t/counts.csv")}
    assert counts == {
        "runs": "6",
        "ranked": "4",
        "withdrawn": "1",
        "held": "0",
        "teams": "5",
        "instances": "48",
        "scored": "47",
        "dropped": "1",
        "gold version": "2",
    }


def test_names_of_macros_stay_with_their_team(engine):
    """Names that say nothing in ASCII: one team is erased, and one is part of another."""
    one_task(engine, TASK.replace("resamples = 60", "resamples = 0"))
    teams = ["京都チーム", "大阪の会", "遅刻チーム"]
    with store.unit(engine) as db:
        for name in teams:
            store.add_team(db, name, name, AT)
    for k, name in enumerate(teams):
        sent(engine, "t", name, "one", run(k))
    sent(engine, "t", teams[1], "two", run(9))
    named = re.compile(r"newcommand\{\\(\w+)\}\{(.*)\} % teams, (\S+), runs$", re.MULTILINE)
    before = {name: of for name, _, of in named.findall(made(engine)[1]["t/macros.tex"])}
    assert sorted(before.values()) == ["team", "team-2", "team-3"]
    with store.unit(engine) as db:
        merge(db, teams[2], teams[1], DECIDED)
        rename(db, teams[1], "大阪・遅刻連合", DECIDED)
        erase(db, teams[0], DECIDED)
    _, files = made(engine)
    after = {name: (of, many) for name, many, of in named.findall(files["t/macros.tex"])}
    # An address that says nothing of a name outlives it, and is never another team's.
    assert dict(after.values()) == {"team": "1", "team-2": "3"}
    assert all(before[name] == of for name, (of, _) in after.items() if name in before)
    (one,) = (r for r in rows(files, "t/teams.csv") if r["address"] == "team-2")
    assert (one["team"], one["before"]) == ("大阪・遅刻連合", "遅刻チーム; 大阪の会")


def test_frozen_results_stand_beside_the_board(paper):
    """They were frozen under the first version: its scores at three decimals."""
    engine, (found,), files = paper
    with store.reading(engine) as db:
        results = store.snapshot(db, NOON, ["t"], 1).tasks[0]
    then = {row.entry.slug: row for row in rank(results).rows}
    now = {row.entry.slug: row for row in rank(found.results).rows}
    table = {r["run"]: r for r in rows(files, "t/frozen.csv")}
    assert table.keys() == then.keys()
    moved = 0
    for slug, row in then.items():
        told_ = table[slug]
        assert told_["release"] == "v1"
        assert told_["frozen_rank"] == ("" if row.rank is None else str(row.rank))
        assert told_["rank_now"] == ("" if now[slug].rank is None else str(now[slug].rank))
        if slug == "drones-1":  # withdrawn
            assert (told_["frozen_value"], told_["value_now"]) == ("", "")
            continue
        first = row.entry.graded.scores[0]
        assert told_["frozen_value"] == repr(round(first.value, 3))
        assert told_["value_now"] == repr(now[slug].entry.graded.scores[0].value)
        moved += first.value != now[slug].entry.graded.scores[0].value
        scores = [r for r in rows(files, "t/frozen_scores.csv") if r["run"] == slug]
        stored = {(s.subset, s.measure): s for s in row.entry.graded.scores}
        assert {(r["subset"], r["measure"]) for r in scores} == stored.keys()
        for r in scores:
            value = stored[r["subset"], r["measure"]].value
            assert r["value"] == ("" if value is None else repr(round(value, 3)))
            assert "|gold:v1" in r["signature"]
    assert moved > 2
    (one,) = rows(files, "t/releases.csv")
    assert (one["release"], one["gold"], one["runs"]) == ("v1", "v1", "6")
    errata = rows(files, "t/errata.csv")
    assert [(r["what"][:14], r["reason"]) for r in errata if "gold" in r["what"]] == [
        ("gold version 2", "two answers are right")
    ]
    assert one["errata"] == str(len(errata))
    best = next(slug for slug, row in then.items() if row.rank == 1)
    assert macros(files)[f"frozen, v1, {best}, frozen_rank"] == "1"
    assert cells(files["t/frozen.tex"])[1][:3] == ["v1", best, "1"]
    title = "The board under gold v2; official results are frozen as v1"
    assert rf"\subsection*{{{title}}}" in files["overview.tex"]


# --- orders


def test_tau_between_measures_is_that_of_scipy(paper):
    _, (found,), files = paper
    table = {(r["kind"], r["one"], r["other"]): r for r in rows(files, "t/orders.csv")}
    entries = [row.entry for row in rank(found.results).ranked]
    sign = {"lower": -1, "higher": 1}
    keys = [k for k in found.results.task.keys if k != "bias"]  # better is neither
    assert len(keys) == 6
    seen = 0
    for i, one in enumerate(keys):
        for other in keys[i + 1 :]:
            columns = [
                [
                    sign[find(key).better] * round(s.value, 3)
                    for e in entries
                    for s in e.graded.scores
                    if (s.measure, s.subset) == (key, "all")
                ]
                for key in (one, other)
            ]
            row = table["measures", one, other]
            assert float(row["tau"]) == pytest.approx(kendalltau(*columns).statistic, abs=1e-12)
            assert row["runs"] == "4"
            seen += 1
    assert seen == sum(kind == "measures" for kind, *_ in table) == 15


def test_ranks_with_a_dropped_instance_are_those_before_it_was(paper):
    engine, (found,), files = paper
    with store.reading(engine) as db:
        before = store.snapshot(db, NOON, ["t"], 1).tasks[0]
    then = {row.entry.slug: row.rank for row in rank(before).ranked}
    now = {row.entry.slug: row.rank for row in rank(found.results).ranked}
    dropped = rows(files, "t/dropped.csv")
    assert {r["run"]: int(r["rank_with"]) for r in dropped} == then
    assert {r["run"]: int(r["rank"]) for r in dropped} == now
    assert {(r["instance"], r["reason"], r["who"]) for r in dropped} == {
        ("q05", "two answers are right", "chair")
    }
    assert {r["post_hoc"] for r in dropped} == {"yes"}
    orders = {(r["kind"], r["one"], r["other"]): r for r in rows(files, "t/orders.csv")}
    tau = kendalltau([then[r] for r in now], list(now.values())).statistic
    for key in (("dropped", "the board", "q05"), ("version", "gold v1", "gold v2")):
        assert float(orders[key]["tau"]) == pytest.approx(tau, abs=1e-12)
    moves = {r["run"]: r for r in rows(files, "t/moves.csv")}
    assert {r: int(moves[r]["rank_before"]) for r in then} == then
    assert "drones-1" not in moves


# --- pairs


def test_pairs_are_those_of_a_comparison_of_these_runs(paper):
    engine, (found,), files = paper
    ranked = [row.entry.slug for row in rank(found.results).ranked]
    with store.reading(engine) as db:
        (table,) = pair_tables(*views(db, "t", ranked), ())
    said_ = {(p["a"], p["b"]): p for p in table.as_json()["pairs"]}
    pairs = {(r["one"], r["other"]): r for r in document(files)["parts"][0]["pairs"]}
    assert pairs.keys() == said_.keys()
    assert len(pairs) == 6
    for key, pair in pairs.items():
        for name in ("difference", "low", "high", "p"):
            assert pair[name] == said_[key][name]
        if pair["low"] is None:  # one run is wrong too seldom
            assert pair["reason"].endswith("wrong answers; 10 of each are needed")
            assert pair["apart"] == ""
            continue
        assert pair["apart"] == ("no" if pair["low"] < 0 < pair["high"] else "yes")
    grid = cells(files["t/matrix.tex"])[1:]
    for i, one in enumerate(ranked):
        assert grid[i][1] == one
        for j in range(i + 1, len(ranked)):
            pair = said_[one, ranked[j]]
            bold = pairs[one, ranked[j]]["apart"] == "yes"
            p = "--" if pair["p"] is None else f"{pair['p']:.4f}"
            assert grid[i][2 + j] == (rf"\textbf{{{p}}}" if bold else p)
            assert read_back(grid[j][2 + i]) == shown(pair["difference"], 3)


@ON_SQLITE
def test_runs_that_are_not_compared_say_why(engine):
    one_task(engine, TASK.replace("resamples = 60", "resamples = 0"))
    for k in range(2):
        sent(engine, "t", "Ants", str(k), run(k))
    _, files = made(engine)
    (pair,) = rows(files, "t/pairs.csv")
    assert pair["reason"] == "the task asks for no resamples"
    assert (pair["low"], pair["p"], pair["apart"]) == ("", "", "")
    assert pair["difference"]
    assert not any(what.startswith("pairs") and what.endswith(", p") for what in macros(files))


# --- difficulty and influence


@pytest.mark.parametrize(
    "primary", ["hmr", "accuracy", "ece@5", "auroc", "macro(hmr,kind)", "eceorder@5", "nll"]
)
@pytest.mark.parametrize("wrong", [None, 1])
def test_influence_is_that_of_grading_without_the_instance(primary, wrong):
    """With one wrong answer alone a convention decides, or nothing is defined, without it."""
    task = parse(TASK.replace("resamples = 60", "resamples = 0"), "t")
    task = replace(task, primary=primary, measures=())
    gold = read_gold(task, GOLD.encode(), "gold.csv")
    gold = replace(gold, standings=(Standing("dropped"), *(Standing(),) * (len(IDS) - 1)))
    bodies = {f"r{k}": run(k, wrong=wrong) for k in (1, 3, 4)}
    seen = {name: viewed(task, gold, body) for name, body in bodies.items()}
    each, influences = instances(task, gold, seen, list(bodies))
    assert [one.id for one in each] == IDS[1:]
    values = {}
    for k in range(1, len(IDS)):
        gone = tuple(Standing("dropped") if i == k else s for i, s in enumerate(gold.standings))
        for name, body in bodies.items():
            found = grade(task, replace(gold, standings=gone), body)
            assert isinstance(found, Graded)
            values[name, k] = found.scores[0].value
    alone = wrong == 1 and primary == "auroc"  # nothing to tell apart without the wrong answer
    for one in influences:
        assert one.without.count(None) == int(alone)
        for k, left in enumerate(one.without, 1):
            expected = values[one.run, k]
            assert left == (expected if expected is None else pytest.approx(expected, abs=1e-12))
    for k, one in enumerate(each, 1):
        before = by_hand([i.value for i in influences], primary)
        after = by_hand([values[name, k] for name in bodies], primary)
        changed = sum(a != b for a, b in zip(before, after, strict=True))
        assert one.reranked == changed
        moves = [i.moved[k - 1] for i in influences if i.moved[k - 1] is not None]
        assert one.moved == (max(map(abs, moves)) if moves else None)


def by_hand(values, primary):
    """Ranks of values at three decimals; None for one that is undefined."""
    sign = 1 if find(primary).better == "lower" else -1
    places = [None if v is None else sign * float(f"{v:.3f}") for v in values]
    return [
        None if p is None else 1 + sum(q is not None and q < p for q in places) for p in places
    ]


def test_difficulty_by_hand():
    task = parse('title = "T"\n', "t")
    gold = read_gold(task, b"id,answer\nq1,yes\nq2,yes\n", "g")
    bodies = {
        name: f"id,answer,confidence\nq1,{first},{sure}\nq2,no,1\n".encode()
        for name, first, sure in (("a", "yes", 0.9), ("b", "yes", 0.5), ("c", "no", 0.25))
    }
    seen = {name: viewed(task, gold, body) for name, body in bodies.items()}
    one, two = instances(task, gold, seen, [])[0]
    assert (one.runs, one.right, one.waiting, one.share) == (3, 2, 0, 2 / 3)
    assert (one.sure_right, one.sure_wrong) == (pytest.approx(0.7), 0.25)
    assert one.reward == pytest.approx((0.9 + 0.5 + 0.75) / 3)
    assert (two.share, two.sure_right, two.sure_wrong, two.reward) == (0, None, 1, 0)
    assert (one.reranked, one.shift) == (None, None)  # nothing is ranked


def test_the_tables_say_what_was_found(paper):
    _, (found,), files = paper
    table = {r["instance"]: r for r in rows(files, "t/instances.csv")}
    assert table.keys() == {*IDS} - {"q05"}
    assert {r["runs"] for r in table.values()} == {"5"}  # all but the withdrawn one
    shares = [float(r["share"]) for r in rows(files, "t/instances.csv")]
    assert shares == sorted(shares)
    part = document(files)["parts"][0]
    wide = {r["instance"]: r for r in rows(files, "t/influence.csv")}
    for one in found.instances:
        row = table[one.id]
        assert int(row["right"]) == one.right
        for name, value in (
            ("share", one.share),
            ("sure_right", one.sure_right),
            ("sure_wrong", one.sure_wrong),
            ("reward", one.reward),
            ("moved", one.moved),
        ):
            assert row[name] == ("" if value is None else repr(value))
            macro = f"instances, {one.id}, {name}"
            assert (macro in macros(files)) == (value is not None)
        of = part["influence"]["instances"].index(one.id)
        for run_, each in part["influence"]["moved"].items():
            assert repr(each[of]) == wide[one.id][run_]
        assert abs(float(wide[one.id][row["moved_run"]])) == one.moved
    assert part["influence"]["moved"].keys() == set(found.counted)


# --- judged tasks, phases, intervals


def test_what_waits_for_a_judge_has_bounds_and_no_share(engine):
    judged_task(engine)
    sent_to_judges(engine, ["a", "b", "?", "d", "e", "f"])
    sent_to_judges(engine, ["a", "x", "y", "d", "e", "?"], team="Bees")
    said(engine, "Ann", ("q0", "a", "right"), ("q1", "b", "wrong"), ("q1", "x", "right"))
    _, files = made(engine, "quiz")
    table = {(r["run"], r["measure"]): r for r in rows(files, "quiz/scores.csv")}
    ants = table["ants-1", "accuracy"]
    # Of six answers one is right, one wrong and one a refusal; three wait.
    assert (ants["value"], ants["least"], ants["most"]) == ("", repr(1 / 6), repr(4 / 6))
    assert ants["not_judged"] == "3"
    assert ants["no_interval"] == ants["note"] == "not all of its answers are judged yet"
    macro = macros(files, "quiz")
    assert macro["scores, ants-1, all, accuracy, value"] == "0.167 to 0.667"
    assert "0.167 to 0.667" in files["quiz/board.tex"]
    hard = {r["instance"]: r for r in rows(files, "quiz/instances.csv")}
    assert (hard["q1"]["right"], hard["q1"]["share"], hard["q1"]["not_judged"]) == (
        "1",
        "0.5",
        "0",
    )
    assert (hard["q3"]["share"], hard["q3"]["not_judged"]) == ("", "2")
    # The refusal is known to be wrong, the other answer waits.
    assert (hard["q2"]["right"], hard["q2"]["not_judged"]) == ("0", "1")
    (part,) = document(files)["parts"]
    assert part["influence"]["moved"] == {}
    assert part["influence"]["notes"]["ants-1"] == "not all of its answers are judged yet"


@ON_SQLITE
def test_orders_under_judges_are_there_once_all_is_judged(engine):
    judged_task(engine)
    sent_to_judges(engine, list("aaaaaa"))
    sent_to_judges(engine, list("aabbbb"), team="Bees")
    sent_to_judges(engine, list("aabbbc"), team="Bees", name="two")
    marks = [(f"q{i}", x, "right" if x == "a" else "wrong") for i in range(6) for x in "abc"]
    given = {(f"q{i}", x) for i in range(6) for x in ("aaa", "aaa", "abb", "abb", "abb", "abc")[i]}
    marks = [m for m in marks if m[:2] in given]
    fluent = [(*mark, "4" if mark[1] == "a" else "1") for mark in marks]
    said(engine, "Ann", *fluent, head="id,answer,label,fluency", columns=("fluency",))
    other = [(i, x, "wrong" if (i, x) == ("q5", "a") else word) for i, x, word in marks]
    said(engine, "Bob", *other)
    said(engine, "Cyd", *marks)
    _, files = made(engine, "quiz")
    orders = {(r["kind"], r["one"], r["other"]): r for r in rows(files, "quiz/orders.csv")}
    # By the rule 6, 2 and 2 are right, as by Ann; Bob says 5, 2 and 2.
    assert float(orders["judge", "Ann", "the rule"]["tau"]) == 1
    assert float(orders["judges", "Ann", "Bob"]["tau"]) == 1
    assert ("judges", "Bob", "Cyd") in orders
    agreement = {(r["judges"], r["kind"]): r for r in rows(files, "quiz/judges.csv")}
    assert agreement["Ann and Bob", "kappa"]["units"] == str(len(marks))
    assert float(agreement["Ann and Bob", "kappa"]["raw"]) == pytest.approx(1 - 1 / len(marks))
    labels = {(r["judges"], r["label"]): r for r in rows(files, "quiz/labels.csv")}
    # Ann calls six answers right, and Bob five of these: 2 * 5 / (6 + 5).
    assert labels["Ann and Bob", "right"]["said"] == "11"
    assert float(labels["Ann and Bob", "right"]["agreement"]) == pytest.approx(10 / 11)
    # Six answers of 4, and twice two of 4 and four of 1.
    means = {r["run"]: float(r["mean"]) for r in rows(files, "quiz/columns.csv")}
    assert means == {"ants-1": 4.0, "bees-1": 2.0, "bees-2": 2.0}
    pairs = {(r["one"], r["other"]): r for r in rows(files, "quiz/column_pairs.csv")}
    differences = {pair: float(r["difference"]) for pair, r in pairs.items()}
    assert sorted(differences.values()) == [0.0, 2.0, 2.0]
    assert differences["ants-1", "bees-1"] == 2.0
    assert {r["column"] for r in pairs.values()} == {"fluency"}
    assert {r["low"] for r in pairs.values()} == {""}  # the task asks for no resamples
    assert all(r["reason"] for r in pairs.values())
    assert_latex(files)


@ON_SQLITE
def test_each_phase_with_runs_has_a_folder(engine):
    day = timedelta(days=40)
    text_ = TASK + "".join(
        f'[[phase]]\nname = "{name}"\nopens = "{(NOON + k * day).isoformat()}"\n'
        f'closes = "{(NOON + (k + 1) * day).isoformat()}"\ndigits = {2 + k}\n'
        for k, name in enumerate(("Dry run", "東京", "dry-run"))
    )
    one_task(engine, text_.replace("resamples = 60", "resamples = 0"))
    for k in (0, 2):
        upload = Upload("Ants", "one", "run.csv", run(k), NOON + k * day)
        assert isinstance(receive(engine, "t", upload), Receipt)
    found, files = made(engine)
    assert [one.results.phase.name for one in found] == ["Dry run", "dry-run"]
    assert [p["folder"] for p in document(files)["parts"]] == ["t/dry-run", "t/dry-run-2"]
    first, second = (
        {r["run"] for r in rows(files, f"t/{name}/scores.csv")}
        for name in ("dry-run", "dry-run-2")
    )
    assert (first, second) == ({"ants-1"}, {"ants-2"})
    value = found[1].results.entries[0].graded.scores[0].value
    macro = macros(files, "t/dry-run-2")["scores, ants-2, all, hmr, value"]
    assert read_back(macro) == shown(value, 4)
    both = [macros(files, f"t/{name}") for name in ("dry-run", "dry-run-2")]
    named = [
        set(re.findall(r"newcommand\{\\(\w+)", files[f"t/{n}/macros.tex"]))
        for n in ("dry-run", "dry-run-2")
    ]
    assert not named[0] & named[1]
    assert all(both)
    assert_latex(files)


@ON_SQLITE
def test_intervals_state_no_confidence_and_may_be_endless(engine):
    text_ = 'title = "I"\nkind = "interval"\nprimary = "covgap"\n[resampling]\nresamples = 0\n'
    ids = [f"q{i}" for i in range(4)]
    gold = "id,answer\n" + "".join(f"{n},1\n" for n in ids)
    one_task(engine, text_, gold)
    ends = "".join(f"{n},0,{'inf' if n == 'q0' else 0.5 * i}\n" for i, n in enumerate(ids))
    sent(engine, "t", "Ants", "one", f"id,lower,upper\n{ends}".encode())
    _, files = made(engine)
    hard = {r["instance"]: r for r in rows(files, "t/instances.csv")}
    assert {n: r["share"] for n, r in hard.items()} == {
        "q0": "1.0",
        "q1": "0.0",
        "q2": "1.0",
        "q3": "1.0",
    }
    assert {r["reward"] + r["sure_right"] + r["sure_wrong"] for r in hard.values()} == {""}
    width = next(r for r in rows(files, "t/scores.csv") if r["measure"] == "width")
    assert width["value"] == ""
    assert width["note"].startswith("infinite")
    assert macros(files)["scores, ants-1, all, width, value"] == r"\ensuremath{\infty}"
    # Three of four are covered, where nine of ten are to be: without q1 all are.
    moved = {r["instance"]: float(r["ants-1"]) for r in rows(files, "t/influence.csv")}
    assert moved["q1"] == pytest.approx(0.1 - 0.15)
    assert moved["q2"] == pytest.approx(0.9 - 2 / 3 - 0.15)


@ON_SQLITE
def test_a_held_run_is_listed_and_has_no_number(engine, monkeypatch):
    def broken(*_):
        raise ZeroDivisionError

    one_task(engine, 'title = "T"\n[resampling]\nresamples = 0\n')
    sent(engine, "t", "Ants", "one", run(1))
    monkeypatch.setattr("grader.grade.score", broken)
    receive(engine, "t", Upload("Ants", "two", "run.csv", run(77), NOON))
    monkeypatch.undo()
    _, files = made(engine)
    runs = {r["run"]: r for r in rows(files, "t/runs.csv")}
    assert runs["ants-2"]["unranked"].startswith("held")
    assert "ants-2" not in {r["run"] for r in rows(files, "t/scores.csv")}
    assert next(r["count"] for r in rows(files, "t/counts.csv") if r["what"] == "held") == "1"


@ON_SQLITE
def test_no_run_is_a_folder_of_empty_tables(engine):
    one_task(engine, TASK)
    (found,), files = made(engine)
    assert rows(files, "t/scores.csv") == []
    assert {one.runs for one in found.instances} == {0}
    assert {one.share for one in found.instances} == {None}
    assert_latex(files)


# --- LaTeX


def cells(tex):
    """The cells of each row of a table; `\\&` is no end of one."""
    body = tex[tex.index("\\toprule") : tex.index("\\bottomrule")]
    lines = [line for line in body.splitlines() if line.endswith(r"\\")]
    return [re.split(r"(?<!\\) ?& ?", line.removesuffix(r"\\").rstrip(" ")) for line in lines]


def assert_latex(files):
    """Every file parses, and every row of a table has as many cells as it has columns."""
    tables = 0
    for path, body in files.items():
        if not path.endswith(".tex"):
            continue
        LatexWalker(body, tolerant_parsing=False).get_latex_nodes()
        assert re.match("% For organisers, until the gold of .* is released: ", body)
        for line in body.splitlines():
            bare = re.sub(r"\\[{}%#&_$]", "", line)
            assert bare.count("{") == bare.count("}") or "usepackage" in path
        if "\\toprule" in body:
            assert len({len(row) for row in cells(body)}) == 1, path
            tables += 1
    assert tables >= 12


def test_every_file_of_latex_parses_whatever_people_typed(paper):
    _, _, files = paper
    assert_latex(files)
    assert r"Ants \& Co\_101\%" in files["t/board.tex"]
    assert r"=Bees \{x\}\textbackslash{}" in files["t/board.tex"]
    assert r"\section*{50\% \{of\} it\_all \& more}" in files["overview.tex"]
    inputs = re.findall(r"\\input\{(.*?)\}", files["overview.tex"])
    assert len(inputs) >= 13
    assert all(f"{path}.tex" in files for path in inputs)


@pytest.mark.parametrize(
    ("typed", "tex"),
    [
        ("a_b & 50% #1 $x", r"a\_b \& 50\% \#1 \$x"),
        ("{~^\\}", r"\{\textasciitilde{}\textasciicircum{}\textbackslash{}\}"),
        ("[5pt]", "{}[5pt]"),
        ("*", "{}*"),
        ("<b> a|b", r"\textless{}b\textgreater{} a\textbar{}b"),
        ("a\n\\end{x}", r"a?\textbackslash{}end\{x\}"),
        ("† – ∞ τ", r"\dag{} -- \ensuremath{\infty} \ensuremath{\tau}"),
        ("東京 é", "東京 é"),
    ],
)
def test_texts_are_escaped(typed, tex):
    assert text(typed) == tex
    LatexWalker(text(typed), tolerant_parsing=False).get_latex_nodes()


def test_numbers_stand_in_text_and_formulas():
    assert number("-0.012") == r"\ensuremath{-}0.012"
    assert number("∞") == r"\ensuremath{\infty}"
    assert number("–") == "--"


def test_long_tables_break_between_pages_and_say_what_is_left_out():
    columns = (Column("a_b", "", "key"), Column("x", "", "number"))
    made_ = [(f"k{i}", told(i / 7, 2)) for i in range(50)]
    shown_ = {"a_b": "l", "x": "r"}
    long = tabular(Table("many", "Many", columns, tuple(made_), shown_))
    short = tabular(Table("many", "Many", columns, tuple(made_), shown_, 3))
    assert "\\begin{longtable}{lr}" in long
    assert "\\begin{tabular}{lr}" in short
    assert short.startswith("% the first 3 of 50 rows; all stand in many.csv\n")
    assert cells(short) == [["a b", "x"], ["k0", "0.00"], ["k1", "0.14"], ["k2", "0.29"]]


def test_names_are_letters_and_no_two_are_the_same():
    every = [
        Macro(parts, "1", "scores")
        for parts in (
            ("t", "ants-1", "hmr"),
            ("t", "ants", "1", "hmr"),
            ("t", "ants-1", "all", "brier", "value"),
            ("t", "ants-1", "hmr", "X"),
            ("東京", "ece@10", ""),
            ("大阪", "ece@10", ""),
            ("José", "n"),
        )
    ]

    def named(some):
        (made_,) = lines([some])
        return [re.match(r"\\newcommand\{\\([A-Za-z]+)\}", line)[1] for line in made_]

    minted = named(every)
    assert len(set(minted)) == len(minted)
    assert minted[2:4] == ["TAntsOneBrier", "TAntsOneHmrX"]
    assert minted[6] == "JoseN"
    assert all(re.fullmatch("TAntsOneHmr[a-p]{8}", name) for name in minted[:2])
    assert all(re.fullmatch("X[a-p]{8}EceOneZero", name) for name in minted[4:6])
    # Whatever else there is, and in whichever order, a name is of the same number or of none.
    assert named(every[::-1]) == minted[::-1]
    of = dict(zip(minted, every, strict=True))
    for k in range(len(every)):
        rest = every[:k] + every[k + 1 :]
        for name, one in zip(named(rest), rest, strict=True):
            assert of.get(name, one) == one
    assert words("a1b2") == "AOneBTwo"


# --- how it is cited

KEYS = {"cff-version", "message", "type", "title", "authors", "version", "date-released"}
WORK = Work(
    "t",
    'A "task": 50% {of} it\\ #1',
    ("Doe & Co", "東京 {x}"),
    "gold v2",
    datetime(2031, 7, 1, tzinfo=UTC).date(),
    "Gold version 2",
)


def test_citation_cff_is_yaml_of_its_schema():
    found = yaml.safe_load(cff(WORK))
    assert found.keys() == KEYS
    assert found["cff-version"] == "1.2.0"
    assert found["type"] == "dataset"
    assert found["title"] == WORK.title
    assert found["authors"] == [{"name": "Doe & Co"}, {"name": "東京 {x}"}]
    assert found["date-released"] == "2031-07-01"
    bare = yaml.safe_load(cff(Work("t", "T\u2028\U000e0001: #x")))
    assert bare.keys() == KEYS - {"version", "date-released"}
    assert bare["title"] == "T\u2028\U000e0001: #x"
    assert bare["authors"] == [{"name": "The organisers of T\u2028\U000e0001: #x"}]


def test_bibtex_is_read_back():
    read = bibliography(bibtex([WORK, Work("u", "Ünï"), Work("v", "}{")]), "bibtex").entries
    assert list(read) == ["t", "u", "v"]
    assert read["t"].type == "misc"
    assert read["t"].fields["title"] == (
        r'{A "task": 50\% \textbraceleft{}of\textbraceright{} it\textbackslash{} \#1}'
    )
    assert [str(person) for person in read["t"].persons["author"]] == [
        r"{Doe \& Co}",
        r"{東京 \textbraceleft{}x\textbraceright{}}",
    ]
    assert read["t"].fields["year"] == "2031"
    assert dict(read["u"].fields) == {"title": "{Ünï}", "howpublished": "Shared task"}
    assert "year = {2030}" in bibtex([Work("t", "T", year=2030)])
    assert "year = {2031}" in bibtex([replace(WORK, year=2030)])


def test_a_task_is_cited_by_what_is_known(paper):
    _, files = made(paper[0], organisers=("Doe",))
    found = yaml.safe_load(files["CITATION.cff"])
    assert (found["title"], found["version"]) == ("50% {of} it_all & more", "gold v2")
    assert "date-released" not in found  # its gold is not
    assert found["authors"] == [{"name": "Doe"}]
    (entry,) = bibliography(files["references.bib"], "bibtex").entries.values()
    assert entry.fields["year"] == "2031"  # in which its last run came in
    assert document(files)["organisers"] == ["Doe"]


@pytest.mark.parametrize(("later", "public"), [(0, True), (1, False)])
def test_a_release_counts_from_its_instant_on(paper, later, public):
    _, (found,), _ = paper
    gold = replace(found.results.gold, released=NOON + timedelta(seconds=later))
    then = replace(found, results=replace(found.results, gold=gold))
    files = {p: body.decode() for p, body in folder([then], Subject("t", "T", NOON))}
    cited = yaml.safe_load(files["CITATION.cff"])
    assert cited.get("date-released") == ("2031-05-10" if public else None)
    assert files["README.md"].startswith("The gold of these tasks is public.") == public
    assert "year = {2031}" in files["references.bib"]
    assert bool(document(files)["parts"][0]["gold"]["released"]) == public


# --- the folder


def test_the_same_data_and_instant_give_the_same_bytes_on_both_databases(paper, engine):
    _, _, files = paper
    assert made(filled(engine))[1] == files


def test_the_readme_names_every_file_and_column(paper):
    _, _, files = paper
    readme = files["README.md"]
    assert readme.startswith("For organisers, until the gold of t (v2) is released: ")
    assert document(files)["notice"] == readme.splitlines()[0]
    for path in files:
        assert f"`{path.rpartition('/')[2]}`" in readme or path == "README.md"
    (part,) = document(files)["parts"]
    for name, value in part.items():
        assert f"`{name}`" in readme or f"## {name}\n" in readme
        if isinstance(value, list):
            section = readme.split(f"## {name}\n")[1].split("\n## ")[0]
            columns = re.findall("^- `(.*)`: .", section, re.MULTILINE)
            assert all(list(row) == columns for row in value)
            assert list(rows(files, f"t/{name}.csv")[:1]) == [] or (
                list(rows(files, f"t/{name}.csv")[0]) == columns
            )


# --- the command

CLI = {"env": {"GRADER_DB": "sqlite:///grader.db"}}
TOML = 'title = "{}"\n[resampling]\nresamples = 0\n'
LATE = ("--at", "2031-07-01T00:00:00Z")


def invoke(*args):
    return CliRunner().invoke(main, [str(a) for a in args], **CLI)


def refused(*args):
    done = invoke(*args)
    assert (done.exit_code, done.stdout) == (2, ""), done.output
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.fixture
def maps(tmp_path, monkeypatch):
    """A campaign of two tasks and a dry run, each with a run."""
    monkeypatch.chdir(tmp_path)
    with store.unit(store.opened("sqlite:///grader.db")) as db:
        for slug in ("dry", "one", "two"):
            text_ = TOML.format(slug.title())
            gold = read_gold(parse(text_, slug), GOLD.encode(), "gold.csv")
            store.add_task(db, slug, text_, gold, SALT, AT)
        store.add_team(db, "Ants", "a", AT)
        tasks = "".join(f'[[task]]\nslug = "{s}"\n' for s in ("two", "later", "one"))
        campaign = (
            f'slug = "maps"\ntitle = "Maps"\n{tasks}[[task]]\nslug = "dry"\ndry_run = true\n'
        )
        store.add_campaign(db, campaign, AT)
    engine = store.opened("sqlite:///grader.db")
    for slug in ("dry", "one", "two"):
        sent(engine, slug, "Ants", "one", run(1))
    engine.dispose()
    return tmp_path


def test_a_campaign_is_its_tasks_but_for_dry_runs(maps):
    done = invoke("export", "maps", "--overview", "paper", "--organiser", "Doe", *LATE)
    assert done.exit_code == 0, done.output
    folders = {p.name for p in (maps / "paper").iterdir() if p.is_dir()}
    assert folders == {"one", "two"}
    found = json.loads((maps / "paper" / "overview.json").read_text())
    assert [part["task"] for part in found["parts"]] == ["two", "one"]
    assert found["campaign"]["title"] == "Maps"
    titles = {
        p: yaml.safe_load((maps / "paper" / p / "CITATION.cff").read_text()) for p in (".", "one")
    }
    assert {p: c["title"] for p, c in titles.items()} == {".": "Maps", "one": "One"}
    entries = bibliography((maps / "paper" / "references.bib").read_text(), "bibtex").entries
    assert list(entries) == ["maps-campaign", "two", "one"]
    macro = "\\newcommand{\\TwoAntsOneHmr}"
    assert macro in (maps / "paper" / "two" / "macros.tex").read_text()
    assert found["notice"] == (
        "For organisers, until the gold of two (v1) and one (v1) is released: "
        "what is right follows from it."
    )
    assert entries["maps-campaign"].fields["year"] == "2031"


def test_one_table_has_the_official_runs_of_all_tracks(maps):
    engine = store.opened("sqlite:///grader.db")
    with store.unit(engine) as db:
        for name in ("Bees", "Cats"):
            store.add_team(db, name, name, AT)
    slugs = [sent(engine, "one", "Bees", str(k), run(k)) for k in (2, 3)]
    base = sent(engine, "two", "Cats", "one", run(4))
    with store.unit(engine) as db:
        mark(db, "two", base, "baseline", DECIDED)
        mark(db, "one", slugs[0], "primary", DECIDED)
        freeze(db, "one", "camera-ready", "the results", NOON)
    engine.dispose()
    assert invoke("export", "maps", "--overview", "paper", *LATE).exit_code == 0
    files = {
        str(p.relative_to(maps / "paper")): p.read_text()
        for p in (maps / "paper").rglob("*")
        if p.is_file()
    }
    table = rows(files, "results.csv")
    assert [(r["address"], r["task"], r["run"], r["frozen"]) for r in table] == [
        ("ants", "two", "ants-1", ""),
        ("ants", "one", "ants-1", "camera-ready"),
        ("bees", "one", "bees-1", "camera-ready"),
        ("cats", "two", "cats-1", ""),
    ]
    assert [r["rank"] for r in table] == [
        next(x["rank"] for x in rows(files, f"{r['task']}/runs.csv") if x["run"] == r["run"])
        for r in table
    ]
    for r in table:
        scores = rows(files, f"{r['task']}/scores.csv")
        of = [s for s in scores if (s["run"], s["subset"]) == (r["run"], "all")]
        assert r["value"] == next(s["value"] for s in of if s["measure"] == "hmr")
    assert (table[3]["rank"], table[3]["unranked"]) == ("", "a baseline")
    as_json = document(files)["results"]
    assert [(r["team"], r["task"]) for r in as_json] == [(r["team"], r["task"]) for r in table]
    head, *body = cells(files["results.tex"])
    assert head[0::2] == ["Team", "HMR (gold v1)", "HMR (gold v1)"]
    assert [row[0] for row in body] == ["Ants", "Bees", "Cats"]
    assert (body[1][1:3], body[2][1], body[2][3:]) == (["", ""], "--", ["", ""])
    assert body[0][2] == shown(float(table[0]["value"]), 3)
    assert f"\\newcommand{{\\MapsResultsBeesOneRank}}{{{table[2]['rank']}}}" in files["macros.tex"]
    assert r"\input{results}" in files["overview.tex"]
    assert r"\input{macros}" in files["overview.tex"]
    for path in set(files) - {"README.md", ".grader-files"}:
        assert f"`{path.rpartition('/')[2]}`" in files["README.md"]
    assert_latex(files)


def test_the_command_writes_over_nothing_unasked(maps):
    assert invoke("export", "one", "--overview", "paper", *LATE).exit_code == 0
    first = {p: p.read_bytes() for p in (maps / "paper").rglob("*") if p.is_file()}
    assert "paper holds files already" in refused("export", "one", "--overview", "paper", *LATE)
    assert invoke("export", "one", "--overview", "paper", "--force", *LATE).exit_code == 0
    assert {p: p.read_bytes() for p in (maps / "paper").rglob("*") if p.is_file()} == first
    assert len(first) > 25


def test_an_overview_never_stands_in_a_site(maps):
    assert invoke("publish", "site", *LATE).exit_code == 0
    said_ = refused("export", "one", "--overview", "site/paper", *LATE)
    assert "site is a published site, and an overview tells what is right" in said_
    assert not (maps / "site" / "paper").exists()
    assert invoke("export", "one", "--overview", "web/paper", *LATE).exit_code == 0
    assert "web/paper/overview.json would be served" in refused("publish", "web", *LATE)
    assert "overview.json would be served" in refused("publish", "web/paper", *LATE)


def test_what_does_not_go_together_is_said(maps):
    assert "give --format or --overview DIR" in refused("export", "one")
    both = ("--format", "csv", "--overview", "x")
    assert "give --format or --overview DIR" in refused("export", "one", *both)
    assert "--out goes with" in refused("export", "one", "--overview", "x", "--out", "y")
    assert "--organiser goes with" in refused(
        "export", "one", "--format", "csv", "--organiser", "D"
    )
    assert "there is no task 'nope'" in refused("export", "nope", "--overview", "x")
    with store.unit(store.opened("sqlite:///grader.db")) as db:
        store.add_campaign(db, 'slug = "bare"\ntitle = "B"\n[[task]]\nslug = "z"\n', AT)
    assert "no task of the campaign 'bare' is registered" in refused(
        "export", "bare", "--overview", "x"
    )
    assert not (maps / "x").exists()
