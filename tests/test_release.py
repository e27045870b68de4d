"""What goes out before the board and after it: nobody sees more than is his."""

import csv
import errno
import hmac
import io
import json
import os
import re
import statistics
from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
import sites
from click.testing import CliRunner

from grader import store
from grader.board import field_of, visible
from grader.cli import main
from grader.intake import receive
from grader.model import Gold, Itemised, OpenGold, Receipt, Snapshot, Upload
from grader.publishing import swapping

OPENS, CLOSES, REVEAL = "2031-05-01T00:00:00Z", "2031-06-01T00:00:00Z", "2031-06-15T12:00:00Z"
NOON, BETWEEN, AFTER = "2031-05-10T12:00:00Z", "2031-06-05T00:00:00Z", "2031-06-20T00:00:00Z"
TASK = """
title = "Quiz"
primary = "accuracy"
measures = ["hmr"]
[gold]
subsets = ["kind"]
[resampling]
resamples = 0
"""
ONE = pytest.mark.parametrize("kind", ["sqlite"])  # the rule is asked, not the database
N = 12
LABELS = [f"gold-{i * 7919 + 104729}" for i in range(N)]
KINDS = ["=easy" if i % 2 else "hard" for i in range(N)]
TEAMS = (
    "Ants <script>alert(1)</script>",
    '=cmd|"/c calc"!Bees',
    "Cicadas & {{ 7*7 }}",
    "東京の蜂",
    "Earwigs' onmouseover='x",
    "Fireflies",
    "../../Gnats",
)
EVENTS = "Results under embargo until 2031-06-15 12:00:00 UTC; do not share."


def phase(name="formal", opens=OPENS, closes=CLOSES, **keys):
    said = {"visible": '"none"', "reveal": f'"{REVEAL}"'} | keys
    extra = "".join(f"{key} = {value}\n" for key, value in said.items() if value)
    return f'[[phase]]\nname = "{name}"\nopens = "{opens}"\ncloses = "{closes}"\n{extra}'


def right(k, i):
    return (3 * i + k) % 5 != 0


def sure(k, i):
    return round(0.40 + 0.05 * k + 0.02 * i, 2)


def name_of(k):
    return f"runname{k}x"


def run(k):
    rows = (f"q{i},{LABELS[i] if right(k, i) else f'own-{k}-{i}'},{sure(k, i)}" for i in range(N))
    return "id,answer,confidence\n" + "\n".join(rows) + "\n"


def invoke(*args):
    return CliRunner().invoke(main, [str(a) for a in args])


def text(*args):
    done = invoke(*args)
    assert done.exit_code == 0, done.output
    return done.stdout


def refused(*args):
    done = invoke(*args)
    assert (done.exit_code, done.stdout) == (2, ""), done.output
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.fixture
def place(tmp_path, migrated_url, monkeypatch):
    """A working folder with an empty database, on each of the two."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRADER_DB", migrated_url)
    return tmp_path


def add(slug, toml, gold=None):
    folder = Path(slug)
    folder.mkdir()
    (folder / "task.toml").write_text(toml, encoding="utf-8")
    rows = (f"q{i},{LABELS[i]},{KINDS[i]}\n" for i in range(N))
    (folder / "gold.csv").write_text(gold or "id,answer,kind\n" + "".join(rows), encoding="utf-8")
    text("task", "add", slug, "--at", "2031-01-01T00:00:00Z")


def quiz(toml="", teams=7):
    add("quiz", toml or TASK + phase())
    send(range(teams))


def send(teams, at=NOON):
    engine, when = store.opened(os.environ["GRADER_DB"]), datetime.fromisoformat(at)
    with store.unit(engine) as db:
        for k in teams:
            store.add_team(db, TEAMS[k], f"token of {k}", when)
    for k in teams:
        sent = Upload(TEAMS[k], name_of(k), f"run{k}.csv", run(k).encode(), when)
        assert isinstance(receive(engine, "quiz", sent), Receipt)
    engine.dispose()


def handed(folder="out", *more, at=AFTER):
    """The folders of teams by name, each with its files by path."""
    done = json.loads(
        text("publish", folder, "--for", "participants", "--at", at, *more, "--format", "json")
    )
    return {team: files(path) for team, path in done["folders"].items()}


def files(folder):
    found = (p for p in sorted(Path(folder).rglob("*")) if p.is_file() and p.name != "site.json")
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in found}


def rows_of(body):
    return list(csv.DictReader(io.StringIO(body.decode(), newline="")))


def table(own):
    (found,) = (rows_of(body) for path, body in own.items() if path.endswith(".csv"))
    return found


def spellings(secret):
    """A text as pages and tables write it."""
    marks = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "'": "&#39;", '"': "&#34;"}
    escaped = "".join(marks.get(letter, letter) for letter in secret)
    return {s.encode() for s in (secret, escaped, secret.replace('"', '""'))}


def others_secrets(k):
    """All that must not stand in the folder of a team."""
    for j, team in enumerate(TEAMS):
        if j != k:
            yield from (team, name_of(j))
            yield from (f"own-{j}-{i}" for i in range(N))
    yield from (LABELS[i] for i in range(N) if not right(k, i))


def test_a_folder_has_a_teams_own_instances_and_nothing_of_others(place):
    quiz()
    found = handed()
    assert list(found) == list(TEAMS)
    for k, team in enumerate(TEAMS):
        for path, body in found[team].items():
            for secret in others_secrets(k):
                assert not any(s in body for s in spellings(secret)), (team, path, secret)
        rows = table(found[team])
        assert [row["id"] for row in rows] == [f"q{i}" for i in range(N)]
        told = [row["result"] for row in rows]
        assert told == ["right" if right(k, i) else "wrong" for i in range(N)]
        assert [float(row["confidence"]) for row in rows] == [sure(k, i) for i in range(N)]
        assert rows[1]["subset:kind"] == "'=easy"
        assert rows[0]["answer"] == (LABELS[0] if right(k, 0) else f"own-{k}-0")
        # On a phone the result stands beside the id, whatever answers are like.
        (page,) = (body for body in found[team].values() if b'id="instances"' in body)
        heads = re.findall(rb"<th scope=\"col\"[^>]*>([^<]*)</th>", page)
        assert heads[:4] == [b"Id", b"Result", b"Answer", b"Confidence"]
        each = rb"</bdi></th><td>(right|wrong)</td><td><bdi"
        assert len(re.findall(each, page)) == N
    slugs = {p.name for p in Path("out").iterdir() if p.is_dir()}
    assert {slug for slug in slugs if not slug.replace("-", "").isalnum()} == set()


@ONE
def test_every_page_and_every_row_says_the_embargo(place):
    quiz()
    for own in handed("early", "--early", "--why", "by mail", at=BETWEEN).values():
        for path, body in own.items():
            if path.endswith(".html"):
                assert EVENTS.encode() in body, path
                assert b"http-equiv" in body
                assert b'href="http' not in body
        assert {row["embargo"] for row in table(own)} == {EVENTS}
    late = handed("late")  # all is revealed, but for the instances
    assert {row["embargo"] for own in late.values() for row in table(own)} == {
        "Results under embargo until the organisers publish them; do not share."
    }
    given = handed("given", "--embargo", "2031-06-30 AoE")
    assert b"until 2031-06-30 12:00:00 UTC;" in given[TEAMS[5]]["index.html"]


@ONE
def test_figures_of_the_field_are_those_of_the_other_teams_without_their_edges(place):
    quiz()
    found = handed()
    for k, team in enumerate(TEAMS):
        for i, row in enumerate(table(found[team])):
            others = [j for j in range(len(TEAMS)) if j != k]
            many = sum(right(j, i) for j in others)
            edges = {0: "at most 1 of 6", 1: "at most 1 of 6", 5: "at least 5 of 6"}
            edges |= {6: edges[5]}
            assert row["field_right"] == edges.get(many, f"{many} of 6")
            rewards = sorted(sure(j, i) if right(j, i) else 1 - sure(j, i) for j in others)
            least, middle, most = rewards[1], statistics.median(rewards), rewards[-2]
            for column, value in (("min", least), ("median", middle), ("max", most)):
                assert abs(float(row[f"field_reward_{column}"]) - value) <= 0.05 + 1e-9


def test_the_field_is_not_told_again_once_a_run_has_changed(place):
    """Two of it, with a run and without, would tell what the run has right."""
    quiz()
    early = ("--early", "--why", "by mail")
    first = handed("first", *early, at=BETWEEN)
    same = handed("same", *early, at="2031-06-06T00:00:00Z")
    assert [table(own) for own in same.values()] == [table(own) for own in first.values()]
    assert all(row["field_right"] for own in same.values() for row in table(own))
    text("run", "withdraw", "quiz", slug_of(6), "--why", "w", "--at", "2031-06-07T00:00:00Z")
    said = "it was told on 2031-06-05 00:00:00 UTC, and runs have changed since"
    for at in ("2031-06-08T00:00:00Z", AFTER):
        own = handed(at[:10], *(early if at < REVEAL else ()), at=at)[TEAMS[5]]
        assert "field_right" not in table(own)[0]
        assert any(said.encode() in body for body in own.values())


def test_a_field_that_teams_were_told_after_the_reveal_is_kept_too(place):
    quiz()
    assert all(row["field_right"] for own in handed().values() for row in table(own))
    late = "2031-06-21T00:00:00Z"
    text("run", "withdraw", "quiz", slug_of(6), "--why", "w", "--at", late)
    told = handed(at="2031-06-22T00:00:00Z")
    assert not any("field_right" in row for own in told.values() for row in table(own))


def test_a_disputed_instance_is_named_where_it_stands(place):
    """In every run, or in the one that it is disputed in: for its team, and once all is public."""
    quiz()
    consenting(1, 2)
    at = ("--at", BETWEEN)
    text("dispute", "add", "quiz", "--instance", "q3", "two answers", *at)
    inside = ("--instance", "q4", "--run", slug_of(1))
    text("dispute", "add", "quiz", *inside, "--team", TEAMS[1], "secretly", *at)
    given = handed("out", "--early", "--why", "by mail", at=BETWEEN)
    said = refused("gold", "release", "quiz", "--why", "x", "--at", AFTER)
    assert "2 disputes not answered: 1, 2 (grader dispute list quiz)" in said

    def of(rows):
        return {row["id"]: row["disputes"] for row in rows if row["disputes"]}

    assert of(table(given[TEAMS[1]])) == {"q3": "1", "q4": "2"}
    assert of(table(given[TEAMS[2]])) == {"q3": "1"}
    assert not any(b"secretly" in body for own in given.values() for body in own.values())
    page = next(b for p, b in given[TEAMS[1]].items() if p.endswith("-1.html")).decode()
    assert '<th scope="col">Dispute</th>' in page
    released()
    found = site(AFTER)
    public = {p: b for p, b in found.items() if p.startswith("quiz/gold/") and "/v1" not in p}
    named = [of(rows_of(body)) for _, body in sorted(public.items())]
    assert sorted(named, key=len) == [{"q3": "1"}, {"q3": "1", "q4": "2"}]


def item(team, results, confidence):
    n = len(results)
    ids = tuple(map(str, range(n)))
    return Itemised("r", team, "r", ids, ("x",) * n, np.array(confidence), tuple(results))


@ONE
def test_fewer_than_five_others_tell_nothing(place):
    field = {t: item(t, ["right"], [0.9]) for t in "abcde"}
    assert field_of(field, "a").why.startswith("fewer than 5 other teams")
    assert field_of(field, "z").right == ("at least 4 of 5",)
    five = {**field, "e": item("e", ["waiting"], [0.9])}
    told = field_of(five, "z")  # on the instance four are known
    assert (told.right, np.isnan(told.median).all()) == (("",), True)
    quiz(teams=5)
    own = handed()[TEAMS[0]]
    assert "field_right" not in table(own)[0]
    assert b"fewer than 5 other teams are ranked" in own["index.html"]


@pytest.mark.parametrize("rights", range(6))
def test_no_figure_tells_that_all_are_right_or_all_wrong(rights):
    results = ["right"] * rights + ["wrong"] * (5 - rights)
    field = {str(j): item(str(j), [r], [1.0]) for j, r in enumerate(results)}
    told = field_of(field, "z")
    beside = {0: 1, 5: 4}.get(rights, rights)  # the neighbour that it cannot be told from
    other = ["right"] * beside + ["wrong"] * (5 - beside)
    same = field_of({str(j): item(str(j), [r], [1.0]) for j, r in enumerate(other)}, "z")
    assert told.right == same.right
    for mine, theirs in ((told.least, same.least), (told.most, same.most)):
        assert mine.tolist() == theirs.tolist()


def test_nothing_is_told_while_labels_are_in_use(place):
    add(
        "quiz",
        TASK
        + phase("dry", OPENS, "2031-05-08T00:00:00Z")
        + phase(opens="2031-05-09T00:00:00Z", grace=60),
    )
    send([0], "2031-05-02T00:00:00Z")
    out = ("publish", "out", "--for", TEAMS[0], "--early", "--why", "x")
    assert "phase 'formal' of 'quiz' is still to come" in refused(
        *out, "--at", "2031-05-08T12:00:00Z"
    )
    assert "phase 'formal' of 'quiz' is open" in refused(*out, "--at", NOON)
    assert "until 2031-06-01 01:00:00 UTC" in refused(
        *out, "--at", "2031-06-01T00:30:00Z"
    )  # grace
    extend = ("phase", "extend", "quiz", "formal", "--until", "2031-06-03T00:00:00Z", "--why", "x")
    text(*extend, "--team", TEAMS[0], "--at", NOON)
    assert "until 2031-06-03 01:00:00 UTC" in refused(*out, "--at", "2031-06-02T00:00:00Z")
    assert not Path("out").exists()
    text(*out, "--at", "2031-06-03T01:00:00Z")


@ONE
def test_a_phase_without_end_tells_nothing(place):
    quiz(TASK, teams=1)
    said = refused("publish", "out", "--for", "participants")
    assert "'quiz' has no phases, so it takes runs at any time" in said
    assert "takes runs at any time" in refused("gold", "release", "quiz", "--why", "x", "--yes")


@ONE
@pytest.mark.parametrize(
    ("keys", "why"),
    [
        ({"visible": '"none"'}, "its scores are hidden until 2031-06-15"),
        ({"visible": '"teams"', "digits": 2}, "its decimals are hidden until 2031-06-15"),
        ({"visible": '"own"', "subsets": "false"}, "its subsets are hidden until 2031-06-15"),
        ({"visible": '"none"', "reveal": ""}, "its scores are hidden for good"),
    ],
)
def test_hidden_phases_hold_for_teams_until_organisers_say_otherwise(place, keys, why):
    quiz(TASK + phase(**keys), teams=6)
    assert why in refused("publish", "out", "--for", "participants", "--at", BETWEEN)
    found = handed("out", "--early", "--why", "by mail", at=BETWEEN)
    assert len(found) == 6
    assert "publish early: formal to 6 teams\tby mail" in text("task", "show", "quiz")
    assert b"runname" not in b"".join(site(BETWEEN).values())  # the public sees what it did


@ONE
def test_who_sees_its_own_scores_alone_is_told_nothing_of_the_field(place):
    quiz(TASK + phase(visible='"own"'))
    own = handed(at=BETWEEN)[TEAMS[2]]
    assert [row["result"] for row in table(own)].count("right") == sum(
        right(2, i) for i in range(N)
    )
    assert "field_right" not in table(own)[0]
    assert b"Of the other teams: its scores are hidden until 2031-06-15" in own["index.html"]
    early = handed("early", "--early", "--why", "x", at=BETWEEN)[TEAMS[2]]
    assert "field_right" in table(early)[0]


def site(at, folder="site"):
    text("publish", folder, "--at", at)
    return files(folder)


def test_what_could_not_be_written_was_handed_to_nobody(place, monkeypatch):
    quiz(teams=6)
    early = (
        "publish",
        "out",
        "--for",
        "Fireflies",
        "--early",
        "--why",
        "by mail",
        "--at",
        BETWEEN,
    )
    with monkeypatch.context() as broken:
        full = OSError(errno.ENOSPC, "No space left on device")
        broken.setattr(swapping, "exchange", lambda *_: (_ for _ in ()).throw(full))
        assert "No space left on device" in refused(*early)
    assert "publish early" not in text("task", "show", "quiz")
    assert not dropping("q3", at=BETWEEN)
    text(*early)
    assert "publish early: formal to Fireflies\tby mail" in text("task", "show", "quiz")
    assert files("out/fireflies")


def dropping(name, at=AFTER):
    """Whether it is post hoc that an instance is dropped."""
    order = ("gold", "drop", "quiz", name, "--why", "x", "--at", at, "--format", "json")
    return json.loads(text(*order))["post_hoc"]


@pytest.mark.parametrize("split", ["", '"public"', '"private"'])
def test_what_is_dropped_after_teams_were_told_early_is_post_hoc(place, split):
    """The public part has the first half of the instances."""
    rows = (f"q{i},{LABELS[i]},{KINDS[i]},{'private' if i >= 6 else 'public'}\n" for i in range(N))
    toml = TASK.replace("[gold]\n", '[gold]\nsplit = "part"\n')
    add("quiz", toml + phase(split=split), "id,answer,kind,part\n" + "".join(rows))
    send(range(2))
    assert not dropping("q0", at="2031-06-03T00:00:00Z")
    handed("out", "--early", "--why", "by mail", at=BETWEEN)
    assert dropping("q2", at=BETWEEN) == (split != '"private"')
    assert dropping("q7", at=BETWEEN) == (split != '"public"')


def test_what_is_dropped_after_the_gold_is_public_is_post_hoc_whatever_phases_hide(place):
    quiz(TASK + phase(reveal=""), teams=2)
    assert not dropping("q0")
    released(at="2031-06-21T00:00:00Z")
    assert not dropping("q1")  # before the release
    assert dropping("q2", at="2031-06-21T00:00:00Z")


@ONE
def test_one_team_may_be_told_and_the_others_folders_stay(place):
    quiz()
    everybody = handed()
    text("run", "withdraw", "quiz", slug_of(5), "--why", "x", "--at", AFTER)
    assert "nothing to hand out: 'Fireflies'" in refused(
        "publish", "out", "--for", "Fireflies", "--at", AFTER
    )
    text("publish", "out", "--for", TEAMS[0], "--at", AFTER)
    assert files("out/fireflies") == everybody["Fireflies"]
    assert "Fireflies" not in handed()  # whoever left has no folder any more
    assert not Path("out/fireflies").exists()
    text("publish", "alone", "--for", TEAMS[0], "--at", AFTER)
    assert sum(p.is_dir() for p in Path("alone").iterdir()) == 1
    nobody = refused("publish", "out", "--for", "Nobody", "--at", AFTER)
    assert "no team 'Nobody'" in nobody
    assert nobody.endswith("grader team list\n")


def slug_of(k):
    runs = json.loads(text("run", "list", "quiz", "--format", "json"))
    rows = runs if isinstance(runs, list) else runs["runs"]
    return next(row["run"] for row in rows if row["name"] == name_of(k))


def test_erased_and_merged_teams_have_no_folder(place):
    quiz()
    handed()
    text("team", "merge", "Fireflies", TEAMS[2], "--why", "one lab", "--at", AFTER)
    text("team", "erase", TEAMS[0], "--why", "they asked", "--at", AFTER)
    found = handed()
    assert list(found) == list(TEAMS[1:5] + TEAMS[6:])
    assert not Path("out/fireflies").exists()
    assert not any(b"alert(1)" in body for own in found.values() for body in own.values())
    both = {path for path in found[TEAMS[2]] if path.endswith(".csv")}
    assert len(both) == 2
    assert "was erased" in refused("publish", "out", "--for", "erased team 1", "--at", AFTER)


@ONE
def test_pages_for_some_are_never_put_among_pages_for_others(place):
    quiz()
    handed("out")
    before = files("out")
    assert "holds pages for participants" in refused("publish", "out", "--at", AFTER)
    assert files("out") == before
    site(AFTER)
    said = refused("publish", "site", "--for", "participants", "--at", AFTER)
    assert "holds pages for public, and these are for participants" in said
    assert "holds pages for public" in refused("publish", "site", "--for", "organisers")
    inside = refused("publish", "site/a/b/c", "--for", "organisers")
    assert "site holds pages for public, and these are for organisers" in inside
    assert "holds pages for participants" in refused("publish", "out/site")
    handed("around/two/out")
    assert "out holds pages for participants" in refused("publish", "around")
    assert not Path("around/index.html").exists()
    past = ("--for", "participants", "--embargo", "2031-06-19T00:00:00Z", "--at", AFTER)
    assert "--embargo 2031-06-19T00:00:00Z is over" in invoke("publish", "x", *past).stderr
    assert invoke("publish", "x", "--early", "--why", "x").exit_code == 2
    assert invoke("publish", "x", "--for", "participants", "--early").exit_code == 2


@ONE
def test_organisers_see_all_and_every_page_says_so(place):
    quiz()
    text("publish", "all", "--for", "organisers", "--at", NOON)
    pages = {path: body for path, body in files("all").items() if path.endswith(".html")}
    assert all(b"For organisers only" in body for body in pages.values())
    held = files("all")
    assert LABELS[3].encode() in held["quiz/gold/v1.csv"]
    assert sum(path.startswith("quiz/gold/") and "-1.csv" in path for path in held) == len(TEAMS)
    assert b"not released" in held["quiz/gold.html"]


# -- gold


def consenting(*teams):
    lines = "".join(f'"{TEAMS[k].replace(chr(34), chr(34) * 2)}",yes\n' for k in teams)
    Path("teams.csv").write_text("id,consent\n" + lines, encoding="utf-8")
    text("team", "import", "teams.csv")


def released(*more, at=AFTER):
    return text("gold", "release", "quiz", "--why", "it is over", "--yes", "--at", at, *more)


def test_no_label_is_public_before_the_release_and_all_are_after_it(place):
    quiz()
    consenting(1, 5)
    for at in (NOON, BETWEEN, AFTER):
        for path, body in site(at).items():
            assert not any(label.encode() in body for label in LABELS), path
            assert not any(f"own-{k}-".encode() in body for k in range(7)), path
    assert "'formal' of 'quiz' is open" in refused(
        "gold", "release", "quiz", "--why", "x", "--at", NOON
    )
    said = refused("gold", "release", "quiz", "--why", "x", "--at", AFTER)
    assert "cannot be taken back" in said
    assert "2 of 7 runs" in said
    assert said.rstrip().endswith("--yes")
    assert not any(b"gold.html" in body for body in site(AFTER).values())
    assert "2 of 7 runs are shown" in released()
    assert not any(b"gold.html" in body for body in site(BETWEEN).values())  # not yet by then
    found = site(AFTER)
    assert [json.loads(row["answers"]) for row in rows_of(found["quiz/gold/v1.csv"])] == [
        [label] for label in LABELS
    ]
    shown = {path for path in found if path.startswith("quiz/gold/") and "/v1" not in path}
    assert len(shown) == 2
    everything = b"".join(found.values())
    assert b"own-5-" in everything
    assert not any(f"own-{k}-".encode() in everything for k in (0, 2, 3, 4, 6))
    assert b"5 runs are left out" in found["quiz/gold.html"]
    assert b"Gold released" in found["quiz/index.html"]
    assert b"2031-06-20 00:00:00 UTC" in found["quiz/index.html"]
    again = ("gold", "release", "quiz", "--why", "x", "--yes", "--at", AFTER)
    assert "is public since 2031-06-20" in refused(*again)
    assert "gold release: v1\tit is over" in text("task", "show", "quiz")


def test_a_small_subset_is_shown_once_its_labels_and_its_runs_are_public(place):
    """Three instances are rare: teams that agreed to an archive are shown on them, others not."""
    kinds = ["rare" if i < 3 else "often" for i in range(N)]
    rows = "".join(f"q{i},{LABELS[i]},{kinds[i]}\n" for i in range(N))
    add("quiz", TASK + phase(), f"id,answer,kind\n{rows}")
    send(range(7))
    consenting(*range(6))
    hidden = site(AFTER, "before")
    assert "quiz/subset/kind.rare.html" not in hidden
    assert b"fewer than 5 instances: not shown" in hidden["quiz/index.html"]
    released("--yes")
    page = site(AFTER, "after")["quiz/subset/kind.rare.html"].decode()
    for k in range(7):
        row = re.search(rf'<tr id="run-{slug_of(k)}".*?</tr>', page, re.DOTALL)[0]
        share = sum(right(k, i) for i in range(3)) / 3
        assert (f">{share:.3f}<" in row) == (k < 6), k
        assert ("fewer than 5 instances" in row) == (k == 6), k


def test_the_commitment_is_found_again_from_the_published_files(place):
    quiz()
    board = site(AFTER)["quiz/index.html"].decode()
    done = json.loads(released("--format", "json"))["gold"]
    assert done["commitment"] in board
    assert done["key"] not in board
    found = site(AFTER)
    assert done["key"] in found["quiz/gold.html"].decode()
    key = bytes.fromhex(done["key"])
    assert hmac.digest(key, found["quiz/gold/v1.json"], "sha256").hex() == done["commitment"]
    # The text written out by hand, from the table.
    rows = rows_of(found["quiz/gold/v1.csv"])
    kinds = ",".join(f'"{row["subset:kind"].removeprefix(chr(39))}"' for row in rows)
    said = (
        '{"answers":['
        + ",".join(row["answers"] for row in rows)
        + '],"clusters":[],"ids":['
        + ",".join(f'"{row["id"]}"' for row in rows)
        + '],"splits":[],"statuses":['
        + ",".join(['"scored"'] * N)
        + '],"subsets":{"kind":['
        + kinds
        + "]}}"
    )
    assert hmac.digest(key, said.encode(), "sha256").hex() == done["commitment"]
    verify = ("gold", "verify", "--key", done["key"], "--commitment", done["commitment"])
    assert "as committed" in text(*verify, "site/quiz/gold/v1.csv")
    changed = found["quiz/gold/v1.csv"].replace(LABELS[0].encode(), b"another")
    Path("changed.csv").write_bytes(changed)
    assert invoke(*verify, "changed.csv").exit_code == 1
    assert "no released gold" in refused(*verify, "quiz/gold.csv")


def test_each_version_is_released_by_its_own_act(place):
    quiz()
    released()
    text("gold", "drop", "quiz", "q3", "--why", "two answers", "--at", AFTER)
    found = site(AFTER)
    assert "quiz/gold/v1.csv" in found
    assert "quiz/gold/v2.csv" not in found
    assert b"version 2</dd>" in found["quiz/index.html"]
    released()
    found = site(AFTER)
    statuses = [row["status"] for row in rows_of(found["quiz/gold/v2.csv"])]
    assert statuses.count("dropped") == 1
    assert b'version 2 <span class="flag">released' in found["quiz/index.html"]
    assert found["quiz/gold.html"].count(b"Its key") == 2


def test_gold_that_another_open_task_has_too_stays_secret(place):
    quiz()
    toml = TASK + phase("later", "2031-06-10T00:00:00Z", "2031-07-01T00:00:00Z", reveal="")
    add("again", toml)
    said = refused("gold", "release", "quiz", "--why", "x", "--yes", "--at", AFTER)
    assert "'later' of 'again' is open" in said
    assert f"has {N} of the ids, {N} of them with the same answers" in said
    assert "'again'" in refused("publish", "out", "--for", "participants", "--at", AFTER)
    rows = "".join(f"q{i},else{i},\n" for i in range(N))
    add("other", toml, "id,answer,kind\n" + rows)
    done = released(at="2031-07-02T00:00:00Z")
    assert f"mind: task 'other' has {N} of the ids, 0 of them" in done


JUDGED = TASK.replace('title = "Quiz"', 'title = "Quiz"\nanswers = "judged"')


@pytest.mark.parametrize("unit", ["answer", "run"])
def test_judgements_are_released_and_those_of_runs_without_consent_are_not(place, unit):
    quiz(JUDGED + f'[judging]\nunit = "{unit}"\n' + phase(), teams=2)
    consenting(1)
    slugs = [slug_of(k) for k in (0, 1)]
    rows = [("id", unit, "label")]
    for k in (0, 1):
        for i in range(N):
            said = LABELS[i] if right(k, i) else f"own-{k}-{i}"
            whose = said if unit == "answer" else slugs[k]
            rows.append((f"q{i}", whose, "right" if right(k, i) else "wrong"))
    lines = map(",".join, dict.fromkeys(rows))
    Path("labels.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    text("judge", "import", "quiz", "labels.csv", "--judge", "Anna", "--at", AFTER)
    warned = refused("gold", "release", "quiz", "--why", "x", "--at", AFTER)
    theirs = sum(not (right(0, i) and right(1, i)) for i in range(N))
    told = f"{theirs} judged answers that no such run gives would be public too"
    assert (told in warned) == (unit == "answer")
    released()
    found = site(AFTER)
    said = rows_of(found["quiz/gold/v2-judgements.csv"])
    assert {row["judge"] for row in said} == {"Anna"}
    for row in said:
        own = row["answer"].startswith("own-")
        assert row["resolved"] == ("wrong" if own else "right")
    both = {row["answer"] for row in said}
    if unit == "answer":
        assert "own-0-0" in both
        assert "quiz/gold/v2.json" in found
    else:
        assert len(said) == N
        assert not any(answer.startswith("own-0") for answer in both)
        assert "quiz/gold/v2.json" not in found
        assert b"cannot be found again" in found["quiz/gold.html"]


def test_judgements_that_change_nothing_are_released_with_what_they_agree_with(place):
    """Eight units by Anna, the same by Ben, and what came after is another version's."""
    quiz(JUDGED + phase(), teams=2)
    own = {f"q{i}": LABELS[i] for i in range(8)}
    first = "id,answer,label\n" + "".join(f"{i},{a},right\n" for i, a in own.items())
    Path("labels.csv").write_text(first, encoding="utf-8")
    Path("more.csv").write_text(f"id,answer,label\nq8,{LABELS[8]},right\n", encoding="utf-8")
    Path("last.csv").write_text(f"id,answer,label\nq9,{LABELS[9]},right\n", encoding="utf-8")
    taken = ("judge", "import", "quiz")
    text(*taken, "labels.csv", "--judge", "Anna", "--at", "2031-06-20T00:00:00Z")
    text(*taken, "labels.csv", "--judge", "Ben", "--at", "2031-06-21T00:00:00Z")
    text(*taken, "more.csv", "--judge", "Anna", "--at", "2031-06-22T00:00:00Z")
    released("--version", "2", at="2031-06-23T00:00:00Z")
    released("--version", "3", at="2031-06-24T00:00:00Z")
    text(*taken, "more.csv", "--judge", "Ben", "--at", "2031-06-25T00:00:00Z")
    text(*taken, "last.csv", "--judge", "Ben", "--at", "2031-06-26T00:00:00Z")
    for at in ("2031-06-24T12:00:00Z", "2031-06-27T00:00:00Z"):
        found = site(at)
        said = {
            n: Counter(row["judge"] for row in rows_of(found[f"quiz/gold/v{n}-judgements.csv"]))
            for n in (2, 3)
        }
        assert said == {2: {"Anna": 8, "Ben": 8}, 3: {"Anna": 9, "Ben": 8}}


def test_the_gate_itself_lets_no_gold_through_before_its_instant():
    seen = sites.exams()
    entry = seen.entries[0]
    secret = Gold(("q1",), (("rare",),))
    runs = tuple(
        replace(item(team, ["right"], [0.9]), run=entry.slug, consent=consent)
        for team, consent in (("a", True), ("b", False))
    )

    def through(released, viewer="public"):
        gold = OpenGold(secret, "9f", "5a", released)
        results = replace(seen, golds=(gold,), itemised=runs)
        return visible(Snapshot((results,), sites.NOON), viewer).tasks[0]

    for released in (None, sites.NOON + timedelta(seconds=1)):
        for viewer in ("public", "participants"):
            shut = through(released, viewer)
            assert (shut.golds, shut.itemised) == ((), ())
    public = through(sites.NOON)
    assert [one.gold.answers for one in public.golds] == [(("rare",),)]
    assert [one.team for one in public.itemised] == ["a"]
    assert through(None, "organisers").itemised == runs
