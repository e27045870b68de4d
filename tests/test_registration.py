"""Teams from a file, renamed, merged and erased: what is kept, what goes, and who sees it."""

import json
import re
import sqlite3
import zlib
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import AT
from sqlalchemy import Engine, LargeBinary, Text, event, func, insert, select

from grader import store
from grader.board import visible
from grader.cli import main
from grader.intake import receive
from grader.marking import Decision
from grader.model import Registration, Rejected, Upload
from grader.registration import COLUMNS, merge, rename
from grader.registration.mentions import Mentions
from grader.registration.sheet import sheet
from grader.site import render
from grader.store.schema import (
    METADATA,
    golds,
    gradings,
    payloads,
    releases,
    runs,
    scorecards,
    tasks,
    teams,
)
from grader.tasks import parse, read_gold

# Of intervals: they are scored in a moment.
TASK = 'title = "Capitals"\nkind = "interval"\n[resampling]\nresamples = 0\n'
FORMAL = """
[[phase]]
name = "formal"
opens = "2031-05-01T00:00:00Z"
closes = "2031-06-01T00:00:00Z"
runs = 2
grace = 60
"""
IDS = [f"q{i}" for i in range(12)]
GOLD = "id,answer\n" + "".join(f"{i},1\n" for i in IDS)
NOON, LATER = "2031-05-10T12:00:00Z", "2031-05-20T12:00:00Z"
HEAD = "id,name,affiliation,contact,tracks,consent\n"
ANTS = "ANT,Ants,Hill School,anna@hill.example,capitals,yes\n"
BEES = "BEE,Bees,,,,\n"
HOSTILE = [
    "<script>alert(1)</script>",
    "' onmouseover='x",
    'The "A", B; \\ Team',
    "=HYPERLINK(0)",
    "+1 @home",
    "فريق",
    "🐜🐜",
    "東京",
    "{{ 7*7 }} %s {0}",
]


def body(wide, note=""):
    return "id,lower,upper,note\n" + "".join(f"{name},0,{wide},{note}\n" for name in IDS)


def invoke(*args):
    return CliRunner().invoke(main, [str(a) for a in args])


def text(*args):
    done = invoke(*args)
    assert done.exit_code == 0, done.output + str(done.exception)
    return done.stdout


def answer(*args):
    return json.loads(text(*args, "--format", "json"))


def refused(*args):
    done = invoke(*args)
    assert (done.exit_code, done.stdout) == (2, ""), done.output
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.fixture
def folder(tmp_path, engine, migrated_url, monkeypatch):
    """The tasks ``capitals`` and ``rivers``, one of them with a phase, on both databases."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRADER_DB", migrated_url)
    with store.unit(engine) as db:
        for slug, config in (("capitals", TASK), ("rivers", TASK + FORMAL)):
            gold = read_gold(parse(config, slug), GOLD.encode(), "gold.csv")
            store.add_task(db, slug, config, gold, b"salt" * 8, AT)
    return tmp_path


def task(folder, slug, config):
    """A task's folder with another file."""
    (folder / slug).mkdir()
    (folder / slug / "task.toml").write_text(config, encoding="utf-8")
    (folder / slug / "gold.csv").write_text(GOLD, encoding="utf-8")


def imported(folder, lines, head=HEAD, name="teams.csv"):
    (folder / name).write_text(head + lines, encoding="utf-8")
    return answer("team", "import", folder / name)


def wrong(folder, lines, head=HEAD):
    (folder / "teams.csv").write_text(head + lines, encoding="utf-8")
    said = refused("team", "import", "teams.csv").removeprefix("grader: the file of teams has ")
    return said.splitlines()


def listed():
    return {team["team"]: team for team in answer("team", "list")}


@pytest.fixture
def sent(engine):
    """A function that sends a run to a task; it returns the run's slug."""

    def send(team, wide=6, name="one", task="capitals", at=NOON):
        moment = datetime.fromisoformat(at)
        done = receive(engine, task, Upload(team, name, "run.csv", body(wide).encode(), moment))
        return done.run

    return send


def full(team):
    """Whether ``rivers`` takes no more run of a team."""
    Path("full.csv").write_text(body(99), encoding="utf-8")
    done = invoke("submit", "full.csv", "--task", "rivers", "--team", team, "--at", NOON)
    return done.exit_code == 1 and "2 in all are used" in done.stdout


def pages(engine, at=LATER):
    """The public's pages at an instant."""
    with store.reading(engine) as db:
        seen = visible(store.snapshot(db, datetime.fromisoformat(at)), "public")
    return {path: page.decode() for path, page in render(seen) if path.endswith(".html")}


def history(engine, task="capitals"):
    with store.reading(engine) as db:
        return [(e.what, e.why) for e in store.history(db, task)]


def stored(engine):
    """Every text of the database by table and column, the bytes of uploads unpacked."""
    found = {}
    with engine.connect() as db:
        for table in METADATA.sorted_tables:
            for column in table.c:
                if isinstance(column.type, Text):
                    of = select(column).where(column.is_not(None))
                    found[f"{table.name}.{column.name}"] = set(db.scalars(of))
                if isinstance(column.type, LargeBinary) and table.name == "payloads":
                    of = [zlib.decompress(b).decode() for b in db.scalars(select(column))]
                    found[f"{table.name}.{column.name}"] = set(of)
    return found


def holding(engine, word):
    """The columns in which a word stands, in either case."""
    return sorted(
        name
        for name, texts in stored(engine).items()
        if any(word.casefold() in text.casefold() for text in texts)
    )


# --- teams from a file


def test_a_file_adds_teams_and_shows_their_tokens_once(folder, engine):
    done = imported(folder, ANTS + BEES)
    assert [team["team"] for team in done["added"]] == ["Ants", "Bees"]
    tokens = [team["token"] for team in done["added"]]
    assert len(set(tokens)) == 2
    kept = stored(engine)
    assert kept["teams.token"] == {sha256(token.encode()).hexdigest() for token in tokens}
    assert all(token not in texts for texts in kept.values() for token in tokens)
    ants, bees = listed().values()
    facts = ("slug", "aliases", "affiliation", "contact", "tracks", "consent", "erased")
    assert [ants[key] for key in facts] == [
        "ants",
        ["ANT"],
        "Hill School",
        "anna@hill.example",
        ["capitals"],
        True,
        None,
    ]
    assert [bees[key] for key in facts] == ["bees", ["BEE"], None, None, [], None, None]
    again = imported(folder, ANTS + BEES)
    nothing = {"added": [], "changed": {}, "unchanged": ["Ants", "Bees"]}
    assert {key: again[key] for key in nothing} == nothing
    assert stored(engine) == kept
    assert text("team", "import", "teams.csv") == "0 teams added, 0 changed, 2 as before\n"


def test_a_corrected_file_changes_what_differs_and_adds_what_is_new(folder, engine, sent):
    imported(folder, ANTS + BEES)
    sent("Ants")
    fixed = "ANT,The Ants,Hill University,,rivers; capitals,no\nBEE,,,bea@x.example,,\nCAT,,,,,y\n"
    done = imported(folder, fixed)
    assert [team["team"] for team in done["added"]] == ["CAT"]
    assert done["changed"] == {
        "The Ants": ["name", "affiliation", "contact", "tracks", "consent"],
        "Bees": ["contact"],
    }
    ants = listed()["The Ants"]
    assert ants["aliases"] == ["ANT", "Ants"]
    assert (ants["contact"], ants["tracks"], ants["consent"]) == (
        None,
        ["capitals", "rivers"],
        False,
    )
    assert listed()["CAT"]["aliases"] == []
    assert history(engine) == [
        ('team consent: "Ants" lets its runs be archived', "team import"),
        ('team rename: "Ants" to "The Ants"', "team import"),
        ('team consent: "The Ants" lets none of its runs be archived', "team import"),
    ]
    assert imported(folder, fixed)["unchanged"] == ["The Ants", "Bees", "CAT"]
    assert len(listed()) == 3


def test_a_column_that_is_not_there_changes_nothing(folder):
    imported(folder, ANTS)
    before = listed()
    assert imported(folder, "ANT\n", "id\n")["unchanged"] == ["Ants"]
    assert listed() == before
    done = imported(folder, "ant,,bea@x.example\n", "id,affiliation,contact\n")
    assert done["changed"] == {"Ants": ["affiliation", "contact"]}
    ants = listed()["Ants"]
    assert (ants["affiliation"], ants["contact"]) == (None, "bea@x.example")
    assert (ants["tracks"], ants["consent"]) == (["capitals"], True)


def test_the_address_of_a_name_in_other_letters_is_made_of_the_id(folder, engine):
    done = imported(folder, "KYOTO,京都,,,,\nOSAKA,大阪,,,,\n東京,札幌,,,,\nX9,Ünïon,,,,\n")
    with store.reading(engine) as db:
        found = {team.name: team.slug for team in store.teams(db)}
    assert found == {"京都": "kyoto", "大阪": "osaka", "札幌": "team", "Ünïon": "union"}
    assert len(done["added"]) == 4


def test_a_team_that_was_there_before_is_found_by_its_name(folder):
    text("team", "add", "Ants")
    done = imported(folder, "ANT, ants ,,,,\nBEE,Bees,,,,\n")
    assert [team["team"] for team in done["added"]] == ["Bees"]
    assert done["changed"] == {"ants": ["name", "id"]}
    assert listed()["ants"]["aliases"] == ["ANT"]


def test_a_team_keeps_the_name_that_it_was_given_since(folder):
    imported(folder, ANTS + BEES)
    text("team", "rename", "Ants", "Wasps", "--why", "their mail")
    done = imported(folder, ANTS)
    assert (done["unchanged"], done["kept_names"]) == (["Wasps"], {"Wasps": "Ants"})
    assert done["not_in_the_file"] == ["Bees"]
    said = text("team", "import", "teams.csv")
    assert "note: Wasps was 'Ants' before, and keeps its name\n" in said
    assert "note: not in the file, and as they were: Bees\n" in said


@pytest.mark.parametrize(
    "head",
    [
        "ID,Display name,Affiliation,Contact,Tracks entered,Consent to archive",
        "team_id,DISPLAY_NAME,organisation,E-Mail,tasks,Archive?",
        " Team ID , team-name ,institution, email ,TRACKS,consent",
    ],
)
def test_columns_have_several_names(head):
    lines = ANTS.replace("\n", ",x\n")
    found = sheet(f"{head},Timestamp\n{lines}".encode(), {"capitals": ("capitals", ("capitals",))})
    assert (found.problems, found.unread) == ((), ("Timestamp",))
    (line,) = found.lines
    assert (line.id, line.name, line.given) == ("ANT", "Ants", set(COLUMNS))
    assert line.said == Registration(
        "Hill School", "anna@hill.example", ("capitals",), consent=True
    )


def test_the_help_names_every_column():
    said = " ".join(text("team", "import", "--help").split())
    assert f"The columns are {', '.join(list(COLUMNS)[:-1])} and {list(COLUMNS)[-1]};" in said


def test_every_problem_of_a_file_is_told_at_once_with_its_line(folder, engine):
    before = stored(engine)
    lines = (
        "ANT,Ants,,,capital,perhaps\n"
        ",Bees,,,,\n"
        "C\tT,Cats,,,,\n"
        "\n"
        'DOG,"Do\ngs",,,,\n'
        f"EEL,Eels,{'x' * 301},,rivers,yes\n"
        "ants,Foxes,,,,\n"
        "GNU,Gnus\n"
        "ANT,Hens,,,,1\n"
    )
    assert wrong(folder, lines) == [
        "9 problems, and nothing was imported",
        (
            "teams.csv:2: unknown-track: 'capital' names no task and no track; did you mean "
            "'capitals'?"
        ),
        "teams.csv:2: bad-consent: consent is 'perhaps': write yes or no, or leave it blank",
        "teams.csv:3: bad-id: the id is empty, and it needs 1 to 100 characters",
        (
            "teams.csv:4: bad-id: the id holds the control character U+0009, and only plain "
            "characters are allowed: 'C\\tT'"
        ),
        (
            "teams.csv:6: bad-name: the name holds the control character U+000A, and only plain "
            "characters are allowed: 'Do\\ngs'"
        ),
        (
            "teams.csv:8: bad-affiliation: the affiliation has 301 characters, and 300 are "
            f"allowed: '{'x' * 40}'…"
        ),
        "teams.csv:9: duplicate-team: 'ants' is already on line 2",
        "teams.csv:10: column-count: 2 fields, the header has 6",
        "teams.csv:11: duplicate-team: 'ANT' is already on line 2",
    ]
    assert stored(engine) == before


@pytest.mark.parametrize("cut", [",", ";", "\t"])
def test_a_spreadsheet_may_have_saved_the_file_with_semicolons_or_tabs(folder, cut):
    head = cut.join(["Team ID", "Display name", "Tracks entered"])
    line = cut.join(["ANT", '"Ants; Co, Ltd"', '"capitals; rivers"'])
    (added,) = imported(folder, line + "\n", f"\ufeff{head}\r\n")["added"]
    assert added["team"] == "Ants; Co, Ltd"
    (team,) = answer("team", "list")
    assert team["tracks"] == ["capitals", "rivers"]


@pytest.mark.parametrize(
    ("head", "lines", "said"),
    [
        ("name,tracks", "Ants,\n", "1 missing-column: there is no column 'id'"),
        ("id,email,contact", "A,b,c\n", "1 duplicate-column: 'email', 'contact' are all the"),
        ("id,id", "A,b\n", "1 duplicate-column"),
        ("id;name", "A,b\n", "2 column-count: 1 field, the header has 2"),
        ("id", "", "1 no-rows"),
        ("id", "A\0\n", "2 bad-character: the field holds a NUL character"),
        ("id", f"{'x' * 101}\n", "2 bad-id"),
        ("id,name", '"A,b\n', "2 bad-quoting"),
        ("id", "\u202eA\n", "2 bad-id: the id holds the control character U+202E"),
    ],
)
def test_a_file_that_is_none_is_told_plainly(head, lines, said):
    found = sheet(f"{head}\n{lines}".encode(), {})
    told = [f"{p.line or 1} {p.code}: {p.message}" for p in found.problems]
    assert any(problem.startswith(said) for problem in told), told


def test_lines_that_speak_of_other_teams_than_they_say_are_told(folder):
    imported(folder, ANTS + BEES)
    text("team", "alias", "Ants", "Emmets")
    assert wrong(folder, "ANT,Bees,,,,\nX,Emmets,,,,\nANTS,,,,,\n")[1:] == [
        (
            "teams.csv:2: two-teams: 'ANT' is 'Ants', and 'Bees' is another team: if they are "
            "one, grader team merge"
        ),
        "teams.csv:4: same-team: it is 'Ants', as line 3 is",
    ]


def test_other_tables_are_read_too(folder):
    rows = [
        {"id": "ANT", "name": "Ants", "tracks": ["capitals", "Rivers"], "consent": True},
        {"id": "BEE", "name": None, "contact": "b@x.example", "consent": "no"},
    ]
    lines = "".join(f"{json.dumps(row)}\n" for row in rows)
    imported(folder, lines, "", "teams.jsonl")
    ants, bees = listed().values()
    assert (ants["team"], ants["tracks"], ants["consent"]) == (
        "Ants",
        ["capitals", "rivers"],
        True,
    )
    assert (bees["team"], bees["contact"], bees["consent"]) == ("BEE", "b@x.example", False)
    (folder / "teams.jsonl").write_text('{"id": "C", "contact": ["x"]}\n', encoding="utf-8")
    assert "bad-contact: the contact is a list, no text" in refused(
        "team", "import", "teams.jsonl"
    )
    assert imported(folder, "DEE\tD, the\n", "id\tname\n")["added"][0]["team"] == "D, the"


def test_tracks_are_tasks_or_what_a_campaign_calls_them(folder):
    plan = 'slug = "c"\ntitle = "C"\n' + "".join(
        f'[[task]]\nslug = "{slug}"\ntrack = "{track}"\n'
        for slug, track in (("later", "Geo Graphy"), ("capitals", "geo  graphy"), ("rivers", ""))
    )
    (folder / "campaign.toml").write_text(plan, encoding="utf-8")
    text("campaign", "add", "campaign.toml")
    said = wrong(folder, 'CAT,,,,"geo grafy",\nDOG,,,,zzz,\n')
    assert said[1].endswith("names no task and no track; did you mean 'Geo Graphy'?")
    assert said[2].endswith("there are: 'capitals', 'Geo Graphy', 'later', 'rivers'")
    imported(folder, 'ANT,,,,"Geo graphy, rivers",\nBEE,,,,LATER;;later,\n')
    teams = listed()
    assert teams["ANT"]["tracks"] == ["capitals", "later", "rivers"]
    assert teams["BEE"]["tracks"] == ["later"]
    task(folder, "later", TASK)
    text("task", "add", "later")
    assert answer("team", "import", "teams.csv")["unchanged"] == ["ANT", "BEE"]


def test_whatever_teams_are_called_comes_back_and_is_text_on_pages(folder, engine, sent):
    quoted = [f'"{name.replace(chr(34), chr(34) * 2)}"' for name in HOSTILE]
    imported(folder, "".join(f"T{i},{name}\n" for i, name in enumerate(quoted)), "id,name\n")
    assert list(listed()) == HOSTILE
    for i in range(len(HOSTILE)):
        sent(f"T{i}", 6, "one")
    with store.unit(engine) as db:
        for name in HOSTILE:
            decision = Decision(name, datetime.fromisoformat(LATER))
            rename(db, name, f"{name} {name}", decision)
            rename(db, f"{name} {name}", name, decision)
    page = pages(engine)["capitals/index.html"]
    assert "<script>alert" not in page
    assert "' onmouseover" not in page
    assert page.count("was renamed") == 2 * len(HOSTILE)


# --- renamed


def test_a_renamed_team_keeps_its_addresses_and_is_found_by_both_names(folder, engine, sent):
    imported(folder, ANTS + BEES)
    run = sent("Ants", task="rivers")
    done = answer("team", "rename", "ants", "Wasps", "--why", "their mail", "--at", LATER)
    assert done == {
        "team": "Wasps",
        "aliases": ["ANT", "Ants"],
        "logged_in": ["capitals", "rivers"],
    }
    assert listed()["Wasps"]["slug"] == "ants"
    assert sent("Ants", 7, "two", "rivers") == "ants-2"
    shown = answer("run", "show", "rivers", run)
    assert shown["team"] == "Wasps"
    said = 'team rename: "Ants" to "Wasps"'
    assert history(engine, "rivers")[-1] == (said, "their mail")
    # It entered that task and sent nothing: no board ever showed the old name.
    assert history(engine)[-1] == (f"{said}, before it sent anything", "their mail")
    assert full("Ants")


def test_a_name_may_be_spelled_anew_or_come_back(folder):
    imported(folder, ANTS + BEES)
    rename = ("--why", "their mail")
    assert answer("team", "rename", "Ants", "ANTS", *rename)["aliases"] == ["ANT"]
    assert answer("team", "rename", "ANTS", "Wasps", *rename)["aliases"] == ["ANT", "ANTS"]
    back = answer("team", "rename", "Wasps", "Ants", *rename)
    assert sorted(back["aliases"]) == ["ANT", "Wasps"]
    other = answer("team", "rename", "Ants", "ant", *rename)
    assert sorted(other["aliases"]) == ["Ants", "Wasps"]
    assert list(listed()) == ["ant", "Bees"]
    assert "'ant' is its name already" in refused("team", "rename", "Ants", "ant", *rename)
    assert "already a team 'Bees'" in refused("team", "rename", "Ants", "bees", *rename)
    assert "an alias of 'Bees'" in refused("team", "rename", "Ants", "BEE", *rename)
    assert "there is no team 'Cats'" in refused("team", "rename", "Cats", "Dogs", *rename)
    assert "Missing option '--why'" in refused("team", "rename", "Ants", "Dogs")
    assert "U+0000" in refused("team", "rename", "Ants", "D\0gs", *rename)
    assert list(listed()) == ["ant", "Bees"]


def test_a_team_that_entered_nothing_is_in_no_log_and_says_so(folder):
    imported(folder, BEES)
    done = text("team", "rename", "Bees", "Wasps", "--why", "their mail")
    assert done == (
        "the team is called Wasps now, also BEE, Bees; publish again to show it\n"
        "the reason is in no log: the team entered no task and sent nothing\n"
    )


# --- merged


def test_all_that_a_team_sent_moves_and_addresses_stay(folder, engine, sent):
    imported(folder, ANTS + BEES)
    ants = [sent("Ants", 6, "one"), sent("Ants", 7, "two")]
    bees = [sent("Bees", 8, "three")]
    (folder / "bad.csv").write_text("id\nq1\n", encoding="utf-8")
    refuse = ("submit", "bad.csv", "--task", "rivers", "--at", NOON)
    assert invoke(*refuse, "--team", "Ants").exit_code == 1
    for team, digits in (("Ants", "ab"), ("Ants", "cd"), ("Bees", "ab")):
        promise = ("run", "commit", "rivers", "--team", team, "--sha256", digits * 32)
        text(*promise, "--at", NOON)
    token = sorted(stored(engine)["teams.token"])
    done = answer("team", "merge", "ANT", "bees", "--why", "one group", "--at", LATER)
    assert done == {
        "team": "Bees",
        "aliases": ["ANT", "BEE", "Ants"],
        "no_longer_primary": [],
        "renamed": [],
        "over_quota": [],
        "logged_in": ["capitals", "rivers"],
    }
    found = {run["run"]: run["team"] for run in answer("run", "list", "capitals")}
    assert found == dict.fromkeys((*ants, *bees), "Bees")
    with store.reading(engine) as db:
        past = store.past(db, "rivers", "Ants")
    assert past.committed == {("formal", "ab" * 32), ("formal", "cd" * 32)}
    assert past.refused == (datetime(2031, 5, 10, 12, tzinfo=UTC),)
    with engine.connect() as db:
        numbers = db.execute(select(runs.c.slug, runs.c.number).order_by(runs.c.id)).all()
        assert db.scalar(select(func.count()).select_from(teams)) == 1
    assert dict(map(tuple, numbers)) == {"ants-1": 3, "ants-2": 4, "bees-1": 1}
    assert sent("Ants", 9, "four") == "bees-5"
    assert history(engine)[-2:] == [
        ('team merge: "Ants" into "Bees"', "one group"),
        ('team consent: "Bees" does not say whether its runs may be archived', "one group"),
    ]
    assert len(stored(engine)["teams.token"] & set(token)) == 1
    # The addresses of the team that is gone are never given again.
    text("team", "add", "Ants!")
    assert listed()["Ants!"]["slug"] == "ants-2"
    assert "one team already" in refused("team", "merge", "Ants", "Bees", "--why", "x")


def test_quotas_of_merged_teams_count_together(folder, sent):
    imported(folder, ANTS + BEES)
    for team in ("Ants", "Bees"):
        sent(team, 6, f"{team} one", "rivers")
    done = answer("team", "merge", "Ants", "Bees", "--why", "one group")
    assert done["over_quota"] == []
    assert full("Bees")
    imported(folder, "CAT,Cats\nDOG,Dogs\n", "id,name\n")
    for team in ("Cats", "Dogs"):
        for k in (6, 7):
            sent(team, k, f"{team} {k}", "rivers")
    said = text("team", "merge", "Cats", "Dogs", "--why", "one group")
    assert "rivers: 4 runs in phase 'formal', where 2 are allowed: no more is taken\n" in said


def test_the_same_run_of_both_teams_stays_two_and_is_told(folder, engine, sent):
    imported(folder, ANTS + BEES)
    for team in ("Ants", "Bees"):
        sent(team, 6, "one")
        sent(team, 7, "one")
    sent("Ants", 6, "one (2)")  # the name that would be given is taken
    done = answer("team", "merge", "Ants", "Bees", "--why", "one group")
    assert done["renamed"] == [
        {"task": "capitals", "run": "ants-1", "same_as": "bees-1", "name": "one (3)"},
        {"task": "capitals", "run": "ants-2", "same_as": "bees-2", "name": "one (2)"},
    ]
    found = {run["run"]: run["name"] for run in answer("run", "list", "capitals")}
    assert found == {
        "ants-1": "one (3)",
        "ants-2": "one (2)",
        "bees-1": "one",
        "bees-2": "one",
        "ants-3": "one (2)",
    }
    assert ("run rename: ants-1 to 'one (3)' beside bees-1", "one group") in history(engine)
    logged = answer("run", "show", "capitals", "ants-1")["log"]
    assert [event["what"] for event in logged] == [
        'team merge: "Ants" into "Bees"',
        "run rename: ants-1 to 'one (3)' beside bees-1",
    ]


def test_a_team_has_one_primary_run_in_a_phase_after_a_merge(folder, sent):
    imported(folder, ANTS + BEES)
    for task in ("capitals", "rivers"):
        sent("Ants", 6, "one", task)
        text("run", "flag", task, "ants-1", "primary", "--why", "mail")
    sent("Bees", 7, "two")
    text("run", "flag", "capitals", "bees-1", "primary", "--why", "mail")
    said = text("team", "merge", "Ants", "Bees", "--why", "one group")
    assert (
        "capitals: both had a primary run: bees-1 stays it, ants-1 no longer is\n"
        "  grader run flag capitals ants-1 primary --why '…'\n"
    ) in said
    assert "rivers: both" not in said
    flags = {r["run"]: list(r["flags"]) for r in answer("run", "list", "capitals")}
    assert flags == {"ants-1": [], "bees-1": ["primary"]}
    (rivers,) = answer("run", "list", "rivers")
    assert list(rivers["flags"]) == ["primary"]
    logged = answer("run", "show", "capitals", "ants-1")["log"]
    assert [event["what"] for event in logged] == [
        "run flag: ants-1 primary",
        'team merge: "Ants" into "Bees"',
        "run flag: ants-1 no longer primary beside bees-1",
    ]


def test_since_when_runs_may_be_archived_is_kept_and_every_change_is_logged(folder, engine):
    """Also of teams that entered no task when they said so."""
    days = [f"2031-05-0{k}T12:00:00+00:00" for k in range(1, 6)]

    def given(lines, at):
        (folder / "teams.csv").write_text("id,tracks,consent\n" + lines, encoding="utf-8")
        text("team", "import", "teams.csv", "--at", at)

    def said():
        return {name: (t["consent"], t["consented"]) for name, t in listed().items()}

    given("A,capitals,yes\nB,,yes\nC,capitals,\n", days[0])
    given("A,capitals,yes\nB,rivers,yes\nC,capitals,\n", days[1])
    assert said() == {"A": (True, days[0]), "B": (True, days[0]), "C": (None, None)}
    given("A,capitals,no\nC,capitals,yes\n", days[2])
    assert said() == {"A": (False, days[2]), "B": (True, days[0]), "C": (True, days[2])}
    text("team", "merge", "B", "C", "--why", "one group", "--at", days[3])
    assert said() == {"A": (False, days[2]), "C": (True, days[2])}
    text("team", "merge", "A", "C", "--why", "one group", "--at", days[4])
    assert said() == {"C": (False, days[4])}
    consents = [(what, why) for what, why in history(engine) if what.startswith("team consent")]
    assert consents == [
        ('team consent: "A" lets its runs be archived', "team import"),
        ('team consent: "A" lets none of its runs be archived', "team import"),
        ('team consent: "C" lets its runs be archived', "team import"),
        ('team consent: "C" lets none of its runs be archived', "one group"),
    ]
    assert history(engine, "rivers")[-1] == consents[-1]
    text("team", "erase", "C", "--why", "asked")
    assert said() == {"erased team 1": (None, None)}


BOTH = [
    ("yes", "yes", True),
    ("yes", "no", False),
    ("no", "", False),
    ("yes", "", None),
    ("", "", None),
]


def test_what_two_teams_registered_with_stands_together(folder):
    lines = (
        f"A{i},,Hill,a@x.example,rivers,{one}\nB{i},,Vale,a@x.example,capitals,{other}\n"
        for i, (one, other, _) in enumerate(BOTH)
    )
    imported(folder, "".join(lines))
    for i, (_, _, both) in enumerate(BOTH):
        text("team", "merge", f"A{i}", f"B{i}", "--why", "one group")
        team = listed()[f"B{i}"]
        assert (team["affiliation"], team["contact"]) == ("Vale; Hill", "a@x.example")
        assert (team["tracks"], team["consent"]) == (["capitals", "rivers"], both)


def test_runs_that_come_in_while_teams_are_merged_are_not_lost(folder, engine, sent):
    imported(folder, ANTS + BEES)
    decision = Decision("one group", AT)

    def decide(verb, *names):
        with store.unit(engine) as db:
            verb(db, *names, decision)

    with ThreadPoolExecutor(6) as pool:
        runs_in = [pool.submit(sent, "Ants", k, f"run {k}") for k in range(2, 7)]
        pool.submit(decide, merge, "Ants", "Bees").result()
        assert len({run.result() for run in runs_in}) == 5
    sent("Ants", 9, "after")
    assert [run["team"] for run in answer("run", "list", "capitals")] == ["Bees"] * 6


# --- what pages say of names


def test_pages_say_what_a_team_was_called_on_them(folder, engine, sent):
    imported(folder, "A,Ants\nB,Bees\nC,Cats\n", "id,name\n")
    upload = Upload("Ants", "no run", "no.csv", b"id\n", datetime.fromisoformat(NOON))
    assert isinstance(receive(engine, "capitals", upload), Rejected)
    text("team", "rename", "Ants", "Emmets", "--why", "shy", "--at", "2031-05-01T00:00:00Z")
    for team, wide in (("Emmets", 6), ("Bees", 7)):
        sent(team, wide)
    for old, new in (("Emmets", "Wasps"), ("Wasps", "Hornets")):
        text("team", "rename", old, new, "--why", f"no longer {old}", "--at", LATER)
    text("team", "merge", "Bees", "Hornets", "--why", "one <b>group</b>", "--at", LATER)
    text("team", "rename", "Cats", "Lions", "--why", "sent nothing", "--at", LATER)
    page = pages(engine)["capitals/index.html"]
    told = [re.sub("<[^>]*>", "", line) for line in page.splitlines() if "was " in line]
    assert [line for line in told if "renamed" in line or "merged" in line] == [
        "Bees was merged into Hornets on 2031-05-20 12:00:00 UTC: one &lt;b&gt;group&lt;/b&gt;",
        "Wasps was renamed Hornets on 2031-05-20 12:00:00 UTC: no longer Wasps",
        "Emmets was renamed Wasps on 2031-05-20 12:00:00 UTC: no longer Emmets",
    ]
    assert "Ants" not in page


def test_a_hidden_phase_says_nothing_of_names(folder, engine, sent):
    hidden = FORMAL.replace("grace = 60", 'visible = "none"')
    coming = (
        hidden.replace("formal", "later")
        .replace("05-01", "06-01")
        .replace('closes = "2031-06', 'closes = "2031-07')
    )
    shown = (
        FORMAL.replace("formal", "dry")
        .replace("06-01", "05-01")
        .replace('opens = "2031-05', 'opens = "2031-04')
    )
    task(folder, "rivers", TASK + shown + hidden + coming)
    text("task", "update", "rivers")
    imported(folder, "A,Ants\nB,Bees\n", "id,name\n")
    sent("Ants", 6, "one", "rivers", at="2031-04-10T12:00:00Z")
    sent("Bees", 7, "one", "rivers")
    text("team", "merge", "Bees", "Ants", "--why", "one group", "--at", LATER)
    text("team", "rename", "Ants", "Emmets", "--why", "mail", "--at", LATER)
    made = pages(engine)
    assert [path for path, page in made.items() if "Bees" in page] == []
    renamed = [path for path, page in made.items() if "was renamed" in page]
    assert set(renamed) == {"rivers/phase/dry.html", "team/ants.html"}


def test_what_teams_registered_with_is_on_no_page_and_in_no_export(folder, sent):
    imported(folder, "ANT,Ants,Hill School,anna@hill.example,capitals,yes\n")
    sent("Ants")
    text("publish", "site")
    text("task", "kit", "capitals")
    made = [
        p.read_bytes() for d in ("site", "kit") for p in (folder / d).rglob("*") if p.is_file()
    ]
    made += [text("export", "capitals", "--format", form).encode() for form in ("csv", "json")]
    made += [text("task", "show", "capitals").encode(), text("run", "list", "capitals").encode()]
    assert any(b"Ants" in content for content in made)
    for word in (b"anna@", b"Hill School", b"ANT,"):
        assert [content for content in made if word in content] == []


# --- erased


def erased(*more):
    return answer("team", "erase", "Ants", "--why", "Ants asked for it", "--at", LATER, *more)


@pytest.fixture
def known(folder, engine, sent):
    """A team with runs, whose name stands wherever one can."""
    imported(folder, ANTS + "HIL,Ants United,Hill School,,,\nBEE,Bees,,,,\n")
    for k, name in enumerate(("ants-final", "other")):
        (folder / "ants_run.csv").write_text(body(6 + k), encoding="utf-8")
        told = (
            "--text",
            "By Anna of Ants. " * 500,
            "--link",
            "https://ants.example",
            "--name",
            name,
        )
        to = ("--task", "capitals", "--team", "Ants", "--at", NOON)
        answer("submit", "ants_run.csv", *to, *told)
    (folder / "bad ants.csv").write_text("id\nq1\n", encoding="utf-8")
    invoke("submit", "bad ants.csv", "--task", "rivers", "--team", "Ants", "--at", NOON)
    sent("Bees", 7, "as the Ants had it")
    sent("Ants United", 8, "ours")
    text("run", "commit", "rivers", "--team", "Ants", "--sha256", "ab" * 32, "--at", NOON)
    text("run", "flag", "capitals", "ants-1", "primary", "--why", "mail of anna@hill.example")
    text("run", "withdraw", "capitals", "ants-2", "--why", "ANTS want it; Ants United not")
    text("run", "restore", "capitals", "ants-2", "--why", "the antsy want it")
    text("gold", "drop", "capitals", "q11", "--why", "the Ants say so")
    return engine


@pytest.fixture
def careless():
    """SQLite as most systems have it: what is overwritten stays in the file."""

    def off(dbapi, _):
        if isinstance(dbapi, sqlite3.Connection):
            dbapi.execute("PRAGMA secure_delete = OFF")

    event.listen(Engine, "connect", off)
    yield
    event.remove(Engine, "connect", off)


def record(engine):
    """What erasing must not touch: gradings and scores, and the bytes they were made from."""
    with engine.connect() as db:
        return [db.execute(select(table)).all() for table in (gradings, scorecards, payloads)]


def test_a_team_that_is_erased_leaves_its_runs_and_nothing_of_itself(
    careless, folder, known, kind, sent
):
    (folder / "bee.csv").write_text(body(5, "Ants"), encoding="utf-8")
    text("submit", "bee.csv", "--task", "capitals", "--team", "Bees", "--at", NOON)
    before, kept, texts = answer("run", "list", "capitals"), record(known), stored(known)
    planned = erased("--dry-run")
    assert planned.pop("dry_run")
    assert stored(known) == texts
    done = erased()
    assert done == planned
    assert done["team"] == "erased team 1"
    assert done["moved"] == [
        {"task": "capitals", "run": "ants-1", "now": "erased-team-1-1"},
        {"task": "capitals", "run": "ants-2", "now": "erased-team-1-2"},
    ]
    # What is left are another team's words and bytes.
    assert done["left"] == {"runs.name": ["capitals"], "payloads.body": ["capitals/bees-2"]}
    assert done["logged_in"] == ["capitals", "rivers"]
    team = listed()["erased team 1"]
    assert team["erased"] == "2031-05-20T12:00:00+00:00"
    facts = [team[k] for k in ("affiliation", "contact", "tracks", "consent", "aliases")]
    assert facts == [None, None, [], None, []]
    # The record stands: the same scores, ranks, bytes and instants.
    assert record(known) == kept
    after = answer("run", "list", "capitals")
    keys = ("rank", "why", "received", "size", "status", "flags")
    found = [{r["sha256"]: [r[key] for key in keys] for r in runs} for runs in (before, after)]
    (one,) = (run["sha256"] for run in before if run["run"] == "ants-1")
    assert found[0][one].pop() == {"primary": "mail of anna@hill.example"}
    assert found[1][one].pop() == {"primary": "mail of erased team 1"}
    assert found[0] == found[1]
    mine = [run for run in after if run["team"] == "erased team 1"]
    assert sorted((run["run"], run["name"], run["file"]) for run in mine) == [
        ("erased-team-1-1", "run 1", "erased-team-1-1.csv"),
        ("erased-team-1-2", "run 2", "erased-team-1-2.csv"),
    ]
    assert all(run["about"] == {"text": None, "links": [], "resources": []} for run in mine)
    _no_text_names(known)
    if kind == "sqlite":
        file = (folder / "grader.db").read_bytes()
        assert [word for word in (b"anna@hill.example", b"By Anna of Ants") if word in file] == []
    _registered_again(folder, len(after), sent)


def _no_text_names(known):
    for word in ("anna", "ants.example", "ants_run", "bad ants", "ants-final"):
        assert holding(known, word) == [], word
    mentions = {
        (column, text)
        for column, found in stored(known).items()
        for text in found
        if re.search("(?<![a-z])ants(?![a-z])", text, re.IGNORECASE)
        if column != "payloads.body"
    }
    assert mentions == {
        ("runs.name", "as the Ants had it"),
        ("teams.name", "Ants United"),
        ("teams.folded", "ants united"),
        ("teams.slug", "ants-united"),
        ("runs.slug", "ants-united-1"),
        ("log.why", "erased team 1 want it; Ants United not"),
    }
    # Its affiliation is another team's too.
    assert holding(known, "Hill School") == ["teams.affiliation"]
    said = history(known)
    assert ("run flag: erased-team-1-1 primary", "mail of erased team 1") in said
    assert ("run restore: erased-team-1-2", "the antsy want it") in said
    assert ("gold drop: q11", "the erased team 1 say so") in said
    assert said[-1] == ("team erase: erased team 1", "erased team 1 asked for it")
    logged = answer("run", "show", "capitals", "erased-team-1-2")["log"]
    assert [event["what"] for event in logged][-3:] == [
        "run withdraw: erased-team-1-2",
        "run restore: erased-team-1-2",
        "team erase: erased team 1",
    ]


def _registered_again(folder, many, sent):
    """The name is free, and is that of another team with addresses of its own."""
    done = imported(folder, ANTS + BEES)
    assert [team["team"] for team in done["added"]] == ["Ants"]
    assert listed()["Ants"]["slug"] == "ants"
    assert sent("Ants", 6, "ants-final") == "ants-1"
    runs_now = {run["run"]: run["team"] for run in answer("run", "list", "capitals")}
    assert (runs_now["ants-1"], runs_now["erased-team-1-1"]) == ("Ants", "erased team 1")
    assert len(runs_now) == many + 1
    again = answer("team", "erase", "ANT", "--why", "again")
    assert (again["team"], again["moved"][0]["now"]) == ("erased team 2", "erased-team-2-1")


def test_no_page_names_an_erased_team_and_its_old_pages_go(folder, known):
    text("publish", "site", "--at", LATER)
    assert (folder / "site" / "capitals" / "ants-1.html").exists()
    text("team", "rename", "Ants", "Emmets", "--why", "mail", "--at", LATER)
    text("team", "erase", "Emmets", "--why", "asked", "--at", LATER)
    text("publish", "site", "--at", LATER)
    site = folder / "site"
    assert not (site / "capitals" / "ants-1.html").exists()
    assert (site / "capitals" / "erased-team-1-1.html").exists()
    for page in site.rglob("*.html"):
        content = page.read_text(encoding="utf-8")
        left = content.replace("as the Ants had it", "").replace("Ants United", "")
        assert not re.search("(?<![a-z])(ants|emmets)(?![a-z-])", left, re.IGNORECASE), page
        assert "was renamed" not in content


def test_addresses_that_say_no_name_stay(folder, engine, sent):
    imported(folder, "甲,東京\n乙,京都\n", "id,name\n")
    run = sent("東京")
    assert run == "team-1"
    text("run", "withdraw", "capitals", run, "--why", "東京の希望")
    done = answer("team", "erase", "東京", "--why", "asked")
    assert done["moved"] == []
    assert history(engine)[0] == ("run withdraw: team-1", "erased team 1の希望")
    assert listed()["erased team 1"]["slug"] == "team"
    text("team", "add", "東京")
    assert sent("東京", 7) == "team-3-1"


def test_an_address_made_of_an_id_goes_with_it(folder, sent):
    imported(folder, "KYOTO,京都\n", "id,name\n")
    assert sent("京都") == "kyoto-1"
    done = answer("team", "erase", "京都", "--why", "asked")
    assert [move["now"] for move in done["moved"]] == ["erased-team-1-1"]
    assert listed()["erased team 1"]["slug"] == "erased-team-1"


@pytest.mark.parametrize(
    ("name", "before"), [("Team 2", "team-2-1"), ("Team", "team-1"), ("Team ２", "team-2-1")]
)
def test_an_address_that_is_a_name_goes_though_it_looks_like_none(
    folder, engine, sent, name, before
):
    text("team", "add", name)
    assert sent(name) == before
    text("run", "withdraw", "capitals", before, "--why", f"as {name} asked")
    done = answer("team", "erase", name, "--why", "asked")
    assert done["moved"] == [{"task": "capitals", "run": before, "now": "erased-team-1-1"}]
    assert listed()["erased team 1"]["slug"] == "erased-team-1"
    (run,) = answer("run", "list", "capitals")
    assert run["run"] == "erased-team-1-1"
    assert stored(engine)["runs.filename"] == {"erased-team-1-1.csv"}
    assert history(engine)[0] == ("run withdraw: erased-team-1-1", "as erased team 1 asked")


@pytest.mark.parametrize("word", ["organisers", " Participants", "PUBLIC", "ｏrganisers"])
def test_no_team_is_called_as_those_are_for_whom_pages_may_be(folder, engine, word):
    imported(folder, ANTS)
    before = stored(engine)
    said = f"no team may be called '{word.strip()}'"
    assert said in refused("team", "add", word)
    assert said in refused("team", "alias", "Ants", word)
    assert said in refused("team", "rename", "Ants", word, "--why", "x")
    assert wrong(folder, f"{word},Bees\nBEE,{word}\n", "id,name\n") == [
        "2 problems, and nothing was imported",
        f"teams.csv:2: bad-id: {said}: to publish, it says for whom pages are",
        f"teams.csv:3: bad-name: {said}: to publish, it says for whom pages are",
    ]
    assert stored(engine) == before
    text("team", "add", f"{word}!")
    assert listed()[f"{word.strip()}!"]["slug"] == f"{word.strip().lower().replace('ｏ', 'o')}-2"


def test_frozen_results_keep_their_numbers_without_the_name(folder, engine, sent):
    imported(folder, ANTS)
    sent("Ants")
    kept = {"measure": "ants", "value": 0.1, "Ants": "key"}
    rows = [kept | {"flags": {"primary": 'of "Ants"'}, "why": "withdrawn: ants-1 by Ants"}]
    with store.unit(engine) as db:
        key = db.scalar(select(tasks.c.id).where(tasks.c.slug == "capitals"))
        gold = db.scalar(select(golds.c.id).where(golds.c.task_id == key))
        line = store.log(db, "capitals", "task freeze: v1", "", AT)
        row = {"task_id": key, "name": "v1", "gold_id": gold, "why": "", "at": AT}
        row |= {"log_id": line}
        db.execute(insert(releases).values(row | {"document": json.dumps(rows)}))
    done = erased()
    (document,) = stored(engine)["releases.document"]
    # What is no one's words stays, and is told.
    assert json.loads(document) == [
        kept
        | {
            "flags": {"primary": 'of "erased team 1"'},
            "why": "withdrawn: erased-team-1-1 by erased team 1",
        }
    ]
    assert done["left"] == {"releases.document": ["capitals"]}


def test_addresses_of_merged_teams_go_apart(folder, sent):
    imported(folder, ANTS + BEES)
    for team in ("Ants", "Bees"):
        sent(team)
    text("team", "merge", "Ants", "Bees", "--why", "one group")
    done = answer("team", "erase", "Bees", "--why", "asked")
    assert [(move["run"], move["now"]) for move in done["moved"]] == [
        ("ants-1", "erased-team-1-2-1"),
        ("bees-1", "erased-team-1-1"),
    ]
    assert len({run["run"] for run in answer("run", "list", "capitals")}) == 2


def test_nothing_more_is_done_to_an_erased_team(folder):
    imported(folder, ANTS + BEES)
    erased()
    why = ("--why", "x")
    for given in (
        ("erase", "erased team 1", *why),
        ("rename", "erased team 1", "Ants", *why),
        ("merge", "erased team 1", "Bees", *why),
        ("merge", "Bees", "erased team 1", *why),
        ("alias", "erased team 1", "Ants"),
        ("token", "erased team 1"),
    ):
        assert "erased team 1 was erased" in refused("team", *given)
    assert "there is no team 'Ants'" in refused("team", "erase", "Ants", *why)


def test_what_cannot_be_erased_is_told_in_words(folder):
    imported(folder, ANTS)
    task(folder, "capitals", TASK.replace("Capitals", "Capitals for Ants"))
    text("task", "update", "capitals")
    (folder / "run.csv").write_text(body(6, "Ants"), encoding="utf-8")
    text("submit", "run.csv", "--task", "capitals", "--team", "Ants")
    said = text("team", "erase", "Ants", "--why", "asked").splitlines()
    assert said[:6] == [
        "erased; it is called 'erased team 1'",
        "  capitals/ants-1 is capitals/erased-team-1-1",
        "  1 log line reworded",
        "a name of the team, or the same word by chance, still stands in:",
        "  task.toml of: capitals",
        "  uploaded bytes of: capitals/erased-team-1-1",
    ]
    assert said[6].startswith("not looked through: backups, exports, kits, sites published before")


MENTIONS = [
    ("Ants and ants' ANTS", "X and X' X"),
    ("wants antsy ants2 2ants", "wants antsy ants2 2ants"),
    ("ants_run, (ants), ants-b", "X_run, (X), X-b"),
    ("Ants  United of Ants", "Ants  United of X"),
    ("ants-12 and ants-12b ants-1-2", "x-12 and X-12b X-1-2"),
    ("the Old\n Ants", "the X"),
    ("QA of a qa", "X of a qa"),
    ('"R\\"D"', '"X"'),
    ("東京大学 Antsの", "X大学 Xの"),
    ("a.b axb", "X axb"),
]


@pytest.mark.parametrize(("text_", "after"), MENTIONS)
def test_a_mention_is_a_word_of_its_own(text_, after):
    names = ("Ants", "Old Ants", "QA", 'R"D', "東京", "a.b")
    said = Mentions(names, {"ants": "x"}, "X", ("Ants United",))
    assert said.reworded(text_) == after
    assert said.found(text_) == (text_ != after)
