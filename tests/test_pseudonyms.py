"""Boards under pseudonyms: no page, file or feed says who sent a run, on both databases."""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import pytest
from click.testing import CliRunner
from conftest import AT
from test_release import files as files_of
from test_release import spellings

from grader import marking, releasing, store
from grader.board import rank, visible
from grader.cli import main
from grader.errors import Mistake
from grader.freezing import freeze
from grader.intake import receive
from grader.marking import Decision
from grader.model import About, Pseudonym, Receipt, Snapshot, Unread, Upload
from grader.paired import public
from grader.publishing import publish
from grader.receipts import answer, lines
from grader.rescore import Act
from grader.revise import update_task
from grader.site import render
from grader.site.lone import lone
from grader.site.sheets import contests
from grader.store.opening import release_gold
from grader.store.pseudonyms import codes
from grader.tasks import parse, read_gold

ONE = pytest.mark.parametrize("kind", ["sqlite"])  # the rule is asked, not the database
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
OPENS, CLOSES = datetime(2031, 5, 1, tzinfo=UTC), datetime(2031, 6, 1, tzinfo=UTC)
LATER, REVEAL = datetime(2031, 6, 2, tzinfo=UTC), datetime(2031, 7, 1, tzinfo=UTC)
NOON = datetime(2031, 5, 10, 12, 34, 56, tzinfo=UTC)
N = 60
TEAMS = ("Antlers <b>", "Beeswax & Co", "東京の蜂", "Zyzzyva")
WORDS = ("Antlers", "antlers", "Beeswax", "beeswax", "東京の蜂", "Zyzzyva", "zyzzyva")
SECRETS = (*WORDS, "stripes", "zebra.csv", "papers.example", "horsepower", "their power", "swamp")


def phase(name, opens, closes, **keys):
    said = {"name": name, "opens": opens.isoformat(), "closes": closes.isoformat()} | keys
    return "[[phase]]\n" + "".join(f'{k} = "{v}"\n' for k, v in said.items())


KINDS = (
    'title = "Kinds"\nprimary = "accuracy"\nmeasures = ["r_o"]\n[gold]\nsubsets = ["kind"]\n'
    "[resampling]\nresamples = 20\n"
)


def config(**keys):
    veil = {"names": "pseudonyms", "reveal": REVEAL.isoformat(), "late": "unofficial"} | keys
    return (
        KINDS
        + phase("formal", OPENS, CLOSES, **veil)
        + phase("second", LATER, LATER + DAY, **veil)
    )


GOLD = "id,answer,kind\n" + "".join(f"q{i},x,{'ab'[i % 2]}\n" for i in range(N))


def payload(right, sure=0.7):
    rows = (f"q{i},{'x' if i % 10 < right else 'z'},{sure}\n" for i in range(N))
    return ("id,answer,confidence\n" + "".join(rows)).encode()


def registered(engine, text=None, teams=TEAMS):
    text = text or config()
    gold = read_gold(parse(text, "kinds"), GOLD.encode(), "gold.csv")
    with store.unit(engine) as db:
        store.add_task(db, "kinds", text, gold, b"salt" * 8, AT)
        for name in teams:
            store.add_team(db, name, f"token of {name}", AT)
    return engine


def send(engine, team, right, at=NOON, **keys):
    upload = Upload(team, f"stripes of {team}", "zebra.csv", payload(right), at, **keys)
    done = receive(engine, "kinds", upload)
    assert isinstance(done, Receipt), done
    return done


def filled(engine):
    """Four teams: equal ones, a baseline, a withdrawn run, a late one, one with much to say."""
    registered(engine)
    said = About("horsepower", ("https://papers.example/x",), ("horsepower: 5",))
    send(engine, TEAMS[3], 7, about=said)
    send(engine, TEAMS[0], 7, NOON + HOUR, flags=("primary",))
    send(engine, TEAMS[1], 7, NOON + 2 * HOUR, flags=("baseline",))
    send(engine, TEAMS[2], 5, NOON + 3 * HOUR)
    send(engine, TEAMS[2], 6, NOON + 4 * HOUR)
    send(engine, TEAMS[0], 8, CLOSES + HOUR)
    send(engine, TEAMS[1], 9, LATER + HOUR)
    gone = Decision("fell into the swamp", NOON + DAY)
    with store.unit(engine) as db:
        run = f"{store.team(db, TEAMS[2]).slug}-1"
        marking.withdraw(db, "kinds", run, gone)
    return engine


def entries(db, at=NOON):
    return store.snapshot(db, at, ["kinds"]).tasks[0].entries


def site(engine, at=NOON):
    with store.reading(engine) as db:
        return dict(render(public(db, at)))


def told(files, secrets=SECRETS):
    """The secrets that stand in a file, or in its address."""
    return {
        (path, secret)
        for path, body in files.items()
        for secret in secrets
        if secret in path or any(s in body for s in spellings(secret))
    }


def digests():
    found = {sha256(payload(right)).hexdigest() for right in range(11)}
    return found | {digest[:12] for digest in found}


def test_no_byte_of_any_page_says_who_sent_a_run(engine):
    filled(engine)
    for at in (NOON, CLOSES + DAY, REVEAL - timedelta(microseconds=1)):
        files = site(engine, at)
        assert told(files) == set()
        assert told(files, digests()) == set()
        assert not any(b"12:34" in body or b"13:34" in body for body in files.values())
        runs = [path for path in files if re.fullmatch("kinds/team_[0-9a-z]{6}-[0-9]+.html", path)]
        assert len(runs) == 6  # a withdrawn run has no page
        assert "Teams go by pseudonyms" in files[runs[0]].decode()
        boards = [path for path in files if "/subset/" in path]
        assert bool(boards) == (at > LATER + DAY)  # till then labels are in use
        assert all(b"Teams go by pseudonyms" in files[path] for path in boards)
        files_of = {path for path in files if path.startswith("kinds/phase/formal/board.")}
        assert {"kinds/phase/formal/board.csv", "kinds/phase/formal/board.tex"} <= files_of
    after = site(engine, REVEAL)
    assert "kinds/zyzzyva-1.html" in after
    assert not any(b"team_" in body or "team_" in path for path, body in after.items())
    assert {secret for _, secret in told(after)} >= {TEAMS[0].split()[0], "horsepower", "swamp"}


@ONE
def test_participants_and_one_pass_of_the_gate_tell_as_little(engine):
    """Also of what was compared before the gate: it goes by real addresses."""
    filled(engine)
    with store.reading(engine) as db:
        whole = store.with_past(db, store.snapshot(db, NOON))
    for viewer in ("public", "participants"):
        seen = visible(whole, viewer)
        assert told({"": repr(seen).encode()}) == set()
        assert visible(seen, viewer) == seen
        assert told(dict(render(seen))) == set()
    assert visible(whole, "organisers") == whole


@ONE
def test_a_run_without_a_pseudonym_is_not_shown(engine):
    filled(engine)
    with store.reading(engine) as db:
        (results,) = store.snapshot(db, NOON).tasks
    bare = replace(results, entries=tuple(replace(e, pseudonym=None) for e in results.entries))
    (formal, second) = visible(Snapshot((bare,), NOON), "public").tasks
    assert (formal.entries, second.entries) == ((), ())


def pseudonyms(engine, at=NOON):
    """Of each run that the public sees in a phase, by the real address."""
    with store.reading(engine) as db:
        return {e.slug: e.pseudonym for e in entries(db, at)}


def test_a_pseudonym_is_of_a_team_in_a_phase_and_stays(engine):
    filled(engine)
    before = pseudonyms(engine)
    assert len({p.team for p in before.values()}) == 5  # four teams, one of them in two phases
    first, late = before["antlers-b-1"], before["antlers-b-2"]
    assert (first.team, first.run) == (late.team, late.run.replace("-2", "-1"))
    formal, second = before["beeswax-co-1"], before["beeswax-co-2"]
    assert formal.team != second.team
    assert (formal.run[-2:], second.run[-2:]) == ("-1", "-1")  # it tells of no other phase
    with store.unit(engine) as db:
        store.add_team(db, "Aardvark", "token", NOON)
    send(engine, "Aardvark", 3, CLOSES - HOUR)
    after = pseudonyms(engine)
    assert {run: after[run] for run in before} == before
    with store.unit(engine) as db:
        store.rename_team(db, TEAMS[3], "Quagga", NOON)
    assert pseudonyms(engine)["zyzzyva-1"] == before["zyzzyva-1"]
    files = site(engine, CLOSES + DAY)
    shown = {p for p in files if re.fullmatch("kinds/team_[^/]*.html", p)}
    del after["team-1"]  # it was withdrawn
    assert {f"kinds/{p.run}.html" for p in after.values()} == shown


def test_codes_are_keyed_distinct_and_others_in_each_phase():
    formal, second = (codes(b"key", name, range(2000)) for name in ("formal", "second"))
    assert len(set(formal.values())) == 2000
    assert not set(formal.values()) & set(second.values())
    assert not set(formal.values()) & set(codes(b"other", "formal", range(2000)).values())
    assert all(re.fullmatch("[2-9BCDFGHJKMNPQRTVWXZ]{6}", code) for code in formal.values())
    some = codes(b"key", "formal", range(0, 2000, 7))
    assert some == {n: formal[n] for n in some}


def test_two_teams_of_one_code_keep_theirs_when_a_third_comes(monkeypatch):
    """With codes of one letter nearly all collide."""
    monkeypatch.setattr("grader.store.pseudonyms._LONG", 1)
    few = codes(b"key", "formal", range(12))
    more = codes(b"key", "formal", range(20))
    assert len(set(more.values())) == 20
    assert few == {n: more[n] for n in few}


@ONE
def test_the_order_of_rows_is_that_of_pseudonyms(engine):
    filled(engine)
    with store.reading(engine) as db:
        seen = public(db, NOON).tasks[0]
    tied = [row for row in rank(seen).ranked if row.rank == 1]
    assert len(tied) == 2
    teams = [row.entry.team for row in rank(seen).ranked if row.rank == tied[0].rank]
    assert teams == sorted(teams)
    assert [e.team for e in seen.entries] == sorted(e.team for e in seen.entries)
    assert seen.versus["all"].slugs == tuple(row.entry.slug for row in rank(seen).ranked)
    assert all(row.entry.received == datetime(2031, 5, 10, tzinfo=UTC) for row in tied)


def test_a_receipt_says_what_others_see_the_run_as(engine):
    registered(engine)
    receipt = send(engine, TEAMS[0], 7)
    known = pseudonyms(engine)[receipt.run]
    assert receipt.known_as == known
    assert answer(receipt)["known_as"]["run"] == known.run
    assert f"known as  {known.team}, {known.run}" in "\n".join(lines([("f", receipt)]))
    assert send(engine, TEAMS[0], 7).known_as == known  # the same run again
    later = send(engine, TEAMS[0], 5, REVEAL + HOUR)
    assert (later.phase, later.known_as) == ("second", None)
    assert "known_as" not in answer(later)


@ONE
def test_nothing_of_a_veiled_phase_is_frozen_or_released(engine):
    filled(engine)
    with store.unit(engine) as db, pytest.raises(Mistake, match="no run of 'kinds' under its"):
        freeze(db, "kinds", "v1", "why", CLOSES + DAY)
    why = Decision("it is time", LATER + 2 * DAY)
    with store.unit(engine) as db, pytest.raises(Mistake, match="while teams go by pseudonyms"):
        releasing.release(db, "kinds", None, why, sure=True)
    with store.unit(engine) as db, pytest.raises(Mistake, match="pseudonyms until 2031-07-01"):
        raise Mistake(releasing.parcels(db, LATER + 2 * DAY)[1][0].why)
    with store.unit(engine) as db:
        freeze(db, "kinds", "v1", "why", REVEAL)
        releasing.release(db, "kinds", None, Decision("it is time", REVEAL), sure=True)
        public(db, REVEAL)


@ONE
def test_gold_that_is_public_all_the_same_names_nobody(engine):
    filled(engine)
    with store.unit(engine) as db:
        store.register(db, TEAMS[0], replace(store.team(db, TEAMS[0]).registration, consent=True))
        release_gold(db, "kinds", None, NOON)
    assert told(site(engine, NOON + DAY)) == set()


@ONE
@pytest.mark.parametrize(
    ("was", "now", "at", "why"),
    [
        ("teams", "pseudonyms", NOON, "runs are in, and their names may have been read"),
        ("pseudonyms", "teams", NOON, ""),
        ("pseudonyms", "pseudonyms", REVEAL, "its reveal was over: names are known"),
    ],
)
def test_a_board_with_names_gets_none_without(engine, was, now, at, why):
    registered(engine, config(names=was))
    send(engine, TEAMS[0], 7)
    later = (REVEAL + DAY).isoformat()
    text = config(names=now, reveal=later)
    task = parse(text, "kinds")
    gold = read_gold(task, GOLD.encode(), "gold.csv")

    def update():
        with store.unit(engine) as db:
            update_task(db, task, text, gold, Act(at, b"salt" * 8, lambda *_: None))

    if not why:
        update()
        assert "kinds/antlers-b-1.html" in site(engine)
        return
    with pytest.raises(Mistake, match=why):
        update()


@ONE
def test_before_there_are_runs_names_may_be_hidden(engine):
    registered(engine, config(names="teams"))
    text = config()
    task = parse(text, "kinds")
    with store.unit(engine) as db:
        gold = read_gold(task, GOLD.encode(), "gold.csv")
        update_task(db, task, text, gold, Act(NOON, b"salt" * 8, lambda *_: None))
    send(engine, TEAMS[0], 7)
    assert told(site(engine)) == set()


@ONE
def test_pages_of_pseudonyms_go_with_the_reveal(engine, tmp_path):
    filled(engine)
    publish(site(engine, NOON).items(), tmp_path / "site")
    assert any("team_" in path for path in files_of(tmp_path / "site"))
    publish(site(engine, REVEAL).items(), tmp_path / "site")
    assert not any("team_" in path for path in files_of(tmp_path / "site"))


@ONE
def test_organisers_find_a_run_by_its_pseudonym(tmp_path, migrated_url, monkeypatch):
    engine = filled(store.opened(migrated_url))
    known = pseudonyms(engine)["antlers-b-2"]
    engine.dispose()
    monkeypatch.setenv("GRADER_DB", migrated_url)

    def show(*args):
        done = CliRunner().invoke(main, ["run", "show", "kinds", *args, "--at", NOON.isoformat()])
        assert done.exit_code == 0, done.output
        return done.stdout

    for address in ("antlers-b-2", known.run):
        shown = json.loads(show(address, "--format", "json"))
        assert shown["run"] == "antlers-b-2"
        assert Pseudonym(**shown["pseudonym"]) == known
    assert f"{known.team}, {known.run}" in show(known.run)


@ONE
def test_runs_under_pseudonyms_are_compared_without_reading_their_bytes_again(engine, monkeypatch):
    filled(engine)
    read = []
    monkeypatch.setattr("grader.paired.viewed", lambda *args, **_: read.append(args))
    with store.reading(engine) as db:
        seen = public(db, NOON).tasks[0]
    assert read == []
    assert seen.versus["all"].comparison is not None


@pytest.mark.parametrize(
    ("of_phase", "of_task", "what"),
    [
        ("digits = 1\n", "", "bins"),
        ("digits = 1\n", "", "right"),
        ("", "[ranking]\ndigits = 1\n", "bins"),  # guarded: its runs are scored on them still
    ],
)
def test_a_key_hangs_on_no_number_that_is_kept_back(engine, of_phase, of_task, what):
    registered(engine, f"{KINDS}{of_task}{phase('formal', OPENS, CLOSES)}{of_phase}")
    send(engine, TEAMS[3], 7, NOON)
    with store.reading(engine) as db:
        results = store.snapshot(db, NOON + HOUR, ["kinds"]).tasks[0]
    (entry,) = results.entries
    graded = entry.graded
    less = tuple(replace(b, accuracy=b.accuracy and b.accuracy - 1e-9) for b in graded.reliability)
    changed = {"reliability": less} if what == "bins" else {"right": graded.right - 1}
    made = []
    for one in (graded, replace(graded, **changed)):
        assert isinstance(one.analysed, Unread)
        part = replace(results, entries=(replace(entry, graded=one),))
        found = visible(Snapshot((part,), NOON + HOUR), "public")
        pages = dict(render(found))
        made.append(([run.key for c in contests(found) for run in lone(c, "")], pages))
    assert graded != replace(graded, **changed)
    assert made[0] == made[1]
