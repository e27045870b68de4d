"""Campaigns: their file, their page with its table of results, and tasks copied in them."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import AT
from reading import parse as html
from reading import text as shown
from sites import HOSTILE, NOON, entry

from grader import store
from grader.board import official, rank, visible
from grader.campaign import KEYS, parse
from grader.cli import main
from grader.errors import Mistake
from grader.model import (
    Campaign,
    Frozen,
    FrozenGold,
    GoldSummary,
    Graded,
    Member,
    Phase,
    Release,
    Results,
    Score,
    Snapshot,
    Task,
)
from grader.site import render
from grader.tasks import parse as parse_task
from grader.tasks import read_gold
from grader.tasks.copying import copied, moved

DAY = timedelta(days=1)
FILE = """
slug = "maps"
title = "Maps 2031"
description = "Two tasks about *places*."

[[task]]
slug = "capitals-dry"
track = "Capitals"
dry_run = true

[[task]]
slug = "capitals"
track = "Capitals"
language = "English"

[[task]]
slug = "rivers"
subtask = "lengths"
"""
MAPS = Campaign(
    "maps",
    "Maps 2031",
    "Two tasks about *places*.",
    (
        Member("capitals-dry", "Capitals", dry_run=True),
        Member("capitals", "Capitals", "English"),
        Member("rivers", subtask="lengths"),
    ),
)


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


# --- the file


def test_a_campaign_is_what_its_file_says():
    assert parse(FILE) == MAPS
    assert MAPS.dry_runs == {"capitals-dry"}
    assert MAPS.tasks[1].kind == ("Capitals", "English")


WRONG = [
    ("", ["slug: is missing", "title: is missing", "task: is missing"]),
    (
        'slug = "A b"\ntitle = " "\ntitel = "x"\n[[task]]\ntrak = 1\ndry_run = "yes"\n',
        [
            "titel: is no key: did you mean 'title'?",
            "slug: is 'A b'",
            "title: is blank",
            "task.trak: is no key: did you mean 'task.track'?",
            "task.slug: is missing",
            "task.dry_run: is 'yes'",
        ],
    ),
    (
        'slug = "a"\ntitle = "A"\n[[task]]\nslug = "b"\n[[task]]\nslug = "b"\ntrack = "x, y"\n',
        ["task.track: is 'x, y': a comma or", "task.slug: 'b' stands 2 times"],
    ),
    ('slug = "a"\ntitle = "A"\ntask = ["b"]\n', ["task: holds 'b', which is no table"]),
    ('slug = "a"\ntitle = "A"\ntask = "b"\n', ["task: is no table [[task]]"]),
    ('slug = "campaign"\ntitle = "A\\nB"\n', ["slug: is", "title: holds a control", "task: is"]),
    ('slug = "a"\ntitle = 2031-01-01\n[[task]]\nslug = 1\n', ["title: is", "task.slug: is '1'"]),
    (
        f'slug = "a"\ntitle = "{"x" * 201}"\n[[task]]\nslug = "-"\n',
        ["title: has 201", "task.slug"],
    ),
]


@pytest.mark.parametrize(("given", "said"), WRONG)
def test_every_mistake_of_a_file_is_told_at_once_with_what_may_be(given, said):
    with pytest.raises(Mistake) as no:
        parse(given)
    head, *lines = no.value.said
    assert head == f"campaign.toml: {len(said)} mistake{'s' if len(said) > 1 else ''}"
    assert [line.strip()[: len(s)] for line, s in zip(lines, said, strict=True)] == said
    for line in lines:
        key = line.strip().partition(":")[0]
        assert ("; it may be " in line) == (key in KEYS)
        assert KEYS.get(key, "") in line


def test_a_file_that_is_no_toml_is_named():
    with pytest.raises(Mistake, match=r"campaign\.toml is not valid TOML"):
        parse("slug = “a”")


def test_the_readme_lists_every_key():
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    for key, what in KEYS.items():
        assert f"| `{key}` | {what} |" in readme


# --- stored


TASK = 'title = "Capitals"\nkind = "interval"\n[resampling]\nresamples = 0\n'
GOLD = "id,answer\n" + "".join(f"q{i},1\n" for i in range(6))


@pytest.fixture
def folder(tmp_path, engine, migrated_url, monkeypatch):
    """The campaign's file, its dry run and its first task, on both databases."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRADER_DB", migrated_url)
    with store.unit(engine) as db:
        for slug in ("capitals-dry", "capitals"):
            gold = read_gold(parse_task(TASK, slug), GOLD.encode(), "gold.csv")
            store.add_task(db, slug, TASK, gold, b"salt" * 8, AT)
    (tmp_path / "campaign.toml").write_text(FILE, encoding="utf-8")
    return tmp_path


def changed(folder, *pairs):
    given = FILE
    for old, new in pairs:
        given = given.replace(old, new)
    (folder / "campaign.toml").write_text(given, encoding="utf-8")
    return "campaign.toml"


def logged(engine, slug):
    with store.reading(engine) as db:
        return [event.what for event in store.history(db, slug)]


def test_a_campaign_is_kept_changed_and_listed(folder, engine):
    assert text("campaign", "list") == ("no campaign yet: grader campaign add campaign.toml\n")
    said = text("campaign", "add", "campaign.toml")
    assert said.splitlines()[-1] == "not registered yet: rivers; grader task add DIR"
    with store.reading(engine) as db:
        assert store.campaigns(db) == (MAPS,)
        assert store.campaign(db, "maps") == MAPS
    assert logged(engine, "capitals-dry") == ["campaign: a dry run of maps, Capitals"]
    assert logged(engine, "capitals") == ["campaign: a task of maps, Capitals, English"]
    no = refused("campaign", "add", "campaign.toml")
    assert "already a campaign 'maps'\n  grader campaign update" in no
    assert text("campaign", "update", "campaign.toml") == "maps: nothing changed\n"
    file = changed(folder, ('title = "Maps 2031"', 'title = "Atlas"'), ("dry_run = true\n", ""))
    assert text("campaign", "update", file) == (
        "maps: title, tasks changed; publish again to show it\n"
    )
    assert logged(engine, "capitals-dry")[1:] == ["campaign: a task of maps, Capitals"]
    assert len(logged(engine, "capitals")) == 1
    file = changed(folder, ('[[task]]\nslug = "capitals"', '[[task]]\nslug = "cities"'))
    answer("campaign", "update", file)
    assert logged(engine, "capitals")[-1] == "campaign: no longer a task of maps"
    (listed,) = answer("campaign", "list")
    assert [(t["task"], t["dry_run"], t["registered"]) for t in listed["tasks"]] == [
        ("capitals-dry", True, True),
        ("cities", False, False),
        ("rivers", False, False),
    ]


def test_a_task_is_in_one_campaign(folder):
    text("campaign", "add", "campaign.toml")
    file = changed(folder, ('slug = "maps"', 'slug = "other"'), ("capitals-dry", "more"))
    no = refused("campaign", "add", file)
    assert "capitals, rivers of 'other' belongs to the campaign 'maps'" in no
    file = changed(
        folder,
        ('slug = "maps"', 'slug = "other"'),
        ('slug = "capitals', 'slug = "x-capitals'),
        ('slug = "rivers"', 'slug = "x-rivers"'),
    )
    text("campaign", "add", file)
    assert "'capitals-dry'" not in text("campaign", "list")
    no = refused("campaign", "show", "map")
    assert "there is no campaign 'map'; did you mean 'maps'?" in no
    file = changed(folder, ('slug = "maps"', 'slug = "none"'))
    assert "there is no campaign 'none'" in refused("campaign", "update", file)
    (folder / "latin.toml").write_bytes(b'title = "\xe9"\n')
    assert "latin.toml:1: byte 0xE9 is not UTF-8" in refused("campaign", "add", "latin.toml")


def test_results_in_the_terminal(folder, engine):
    text("campaign", "add", "campaign.toml")
    assert text("campaign", "show", "maps").splitlines()[-1] == "no run yet"
    for team in ("Ants", "Bees"):
        text("team", "add", team)
    for task, team, wide in (
        ("capitals", "Ants", 3),
        ("capitals", "Ants", 2),
        ("capitals", "Bees", 2.5),
        ("capitals-dry", "Bees", 1),
    ):
        rows = "".join(f"q{i},0,{wide}\n" for i in range(6))
        Path("run.csv").write_text(f"id,lower,upper\n{rows}", encoding="utf-8")
        text("submit", "run.csv", "--task", task, "--team", team, "--name", f"w{wide}")
    assert text("campaign", "show", "maps").splitlines()[-3:] == [
        "team\tcapitals #\tcapitals iscore",
        "Ants\t1\t2.000",
        "Bees\t2\t2.500",
    ]
    text("run", "flag", "capitals", "ants-1", "primary", "--why", "their mail")
    found = answer("campaign", "show", "maps")["results"]
    assert [(r["team"], r["task"], r["run"], r["rank"], r["value"]) for r in found] == [
        ("Ants", "capitals", "ants-1", 3, 3.0),
        ("Bees", "capitals", "bees-1", 2, 2.5),
    ]
    assert "frozen" not in text("campaign", "show", "maps")
    text("task", "freeze", "capitals", "--why", "the results")
    assert text("campaign", "show", "maps").splitlines()[-1] == (
        "capitals: these are under gold v1; official results are frozen as v1"
    )
    (first, *_) = answer("campaign", "show", "maps")["results"]
    assert (first["gold"], first["frozen"]) == (1, ["v1"])
    text("publish", "site")
    page = html(Path("site/campaign/maps.html").read_bytes())
    assert results_of(page) == [["Ants", "3 3.000"], ["Bees", "2 2.500"]]


# --- the page


def scored(value, right=5):
    scores = (Score("brier", "all", 10, value), Score("accuracy", "all", 10, right / 10))
    return Graded(scores, (), (), 10, 10, right, 0)


def run(slug, team, value, flags=(), right=5):
    flags = dict.fromkeys(flags, "their mail")
    return replace(entry(slug, team, slug, scored(value, right), flags), received=NOON)


def task(slug, *entries, **keys):
    made = Task(slug, slug.capitalize(), primary="brier", measures=(), **keys)
    return Results(made, GoldSummary(1, "00" * 32, NOON, "", 10, 10), entries)


CAPITALS = task(
    "capitals",
    run("ants-1", "Ants", 0.25),
    run("ants-2", "Ants", 0.125),
    run("bees-1", "Bees", 0.125),
    run("cats-1", "Cats", 0.5, ["primary"]),
    replace(run("cats-2", "Cats", 0.0625, ["primary"]), received=NOON - DAY),
    run("cats-3", "Cats", 0.03125),
    run("dogs-1", "Dogs", 0.1, ["withdrawn"]),
    run("eels-1", "Eels", 0.75, right=0),
    run("base-1", "Organisers", 0.3, ["late"]),
    run("base-2", "Organisers", 0.375, ["baseline"]),
)
RIVERS = task("rivers", run("bees-1", "Bees", 0.5), run("fox-1", "fox", 0.5))
DRY = task("capitals-dry", run("gnu-1", "Gnus", 0.1))


def results_of(page):
    """Each row of the table of results: the team, then rank and score of each task."""
    (table,) = (t for t in page.iter("table") if "results" in t.get("class"))
    rows = table.findall("tbody/tr")
    return [[" ".join(shown(cell).split()) for cell in row] for row in rows]


def pages(*tasks, campaign=MAPS, at=NOON):
    made = Snapshot(tasks, at, (campaign,))
    files = dict(render(visible(made, "public")))
    return {path: html(body) for path, body in files.items() if path.endswith(".html")}


def facts(page):
    (found,) = (d for d in page.iter("dl") if d.get("class") == "facts")
    return {shown(d.find("dt")): shown(d.find("dd")) for d in found}


def test_an_official_run_is_the_one_named_primary_last_else_the_best():
    rows = official(rank(CAPITALS))
    assert {team: (row.entry.slug, row.rank) for team, row in rows.items()} == {
        "Ants": ("ants-2", 3),
        "Bees": ("bees-1", 3),
        "Cats": ("cats-1", 6),
        "Eels": ("eels-1", None),
        "Organisers": ("base-2", None),
    }


def test_one_table_has_rank_and_score_of_each_teams_official_run():
    page = pages(DRY, CAPITALS, RIVERS)["campaign/maps.html"]
    assert results_of(page) == [
        ["Ants", "3 0.125", "· no run"],
        ["Bees", "3 0.125", "1 0.500"],
        ["Cats", "6 0.500", "· no run"],
        ["Eels", "– fewer than 1 right answer, needed to be ranked", "· no run"],
        ["fox", "· no run", "1 0.500"],
        ["Organisers", "– 0.375 a baseline", "· no run"],
    ]
    assert facts(page) == {"Tasks": "2", "Runs": "11", "Teams": "6"}


def test_results_say_on_which_gold_they_stand_and_where_frozen_ones_are():
    frozen = Frozen("Rivers", "brier", FrozenGold(1, "00" * 32, 10, 10, ()), (), ())
    releases = tuple(Release(name, NOON, "the results", frozen, {}) for name in ("v1", "東京"))
    later = replace(RIVERS, gold=replace(RIVERS.gold, version=3), releases=releases)
    made = pages(CAPITALS, later)
    (table,) = (t for t in made["campaign/maps.html"].iter("table") if "results" in t.get("class"))
    heads = {shown(th.find("span")): th for th in table.find("thead/tr").findall("th")[1:]}
    said = {title: shown(th.findall("span")[-1]) for title, th in heads.items()}
    assert said == {"Capitals": "gold version 1", "Rivers": "gold version 3; frozen: v1, 東京"}
    links = [a.get("href") for a in heads["Rivers"].findall("span")[-1].iter("a")]
    assert links[0] == "../rivers/release/v1.html"
    assert {link.removeprefix("../") for link in links} <= made.keys()
    assert "Results that were frozen are not in this table" in shown(made["campaign/maps.html"])
    assert "were frozen" not in shown(pages(CAPITALS, RIVERS)["campaign/maps.html"])


def test_a_dry_run_is_marked_and_out_of_counts_and_results():
    made = pages(DRY, CAPITALS, RIVERS)
    page = made["campaign/maps.html"]
    assert "Gnus" not in shown(page)
    tables = [t for t in page.iter("table") if t.get("class") == "stages"]
    cells = [[" ".join(shown(c).split()) for c in row] for t in tables for row in t.iter("tr")]
    assert cells == [
        ["Task", "Instances", "Runs"],
        ["Capitals Capitals · English", "10", "9"],
        ["Rivers lengths", "10", "2"],
        ["Task", "Instances", "Runs"],
        ["Capitals-dry dry run Capitals", "10", "1"],
    ]
    index = made["index.html"]
    assert "2 tasks and 1 dry run." in shown(index)
    assert "Campaign Maps 2031 2 tasks, 6 teams in one table" in " ".join(shown(index).split())
    titles = [" ".join(shown(h).split()) for h in index.iter("h2")]
    assert titles == ["Capitals", "Rivers", "Capitals-dry dry run"]
    assert "dry run In none of" in " ".join(shown(made["capitals-dry/index.html"]).split())
    assert "dry run" not in shown(made["capitals/index.html"])
    assert "Tasks / Maps 2031" in " ".join(shown(made["capitals/index.html"]).split())


def test_a_task_that_is_not_registered_yet_is_announced():
    page = pages(CAPITALS)["campaign/maps.html"]
    assert "rivers lengths not registered yet" in " ".join(shown(page).split())
    assert facts(page) == {"Tasks": "2", "Runs": "9", "Teams": "5"}
    empty = pages(task("rivers"))["campaign/maps.html"]
    assert "No run is in yet." in shown(empty)
    assert not [t for t in empty.iter("table") if "results" in t.get("class")]


@pytest.mark.parametrize("hides", ["none", "own", "teams"])
def test_scores_that_are_hidden_are_in_no_table_before_their_time(hides):
    opens, closes, reveal = NOON - 10 * DAY, NOON + DAY, NOON + 2 * DAY
    phase = Phase("formal", opens, closes, visible=hides, reveal=reveal)
    zebra = replace(run("zebra-7", "Zebra", 0.0625), phase="formal")
    secret = task("rivers", zebra, phases=(phase,))
    for at, named in ((NOON, False), (reveal - timedelta(seconds=1), False), (reveal, True)):
        made = pages(CAPITALS, secret, at=at)
        page = made["campaign/maps.html"]
        assert ("Zebra" in shown(page)) == ("0.062" in shown(page)) == named, at
        assert ("Teams" in facts(page)) == named
        assert facts(page)["Runs"] == "10"
        assert ("Rivers: 1 run, whose scores are hidden." in shown(page)) == (not named)
        assert all("zebra" not in path for path in made) != named


def test_whatever_people_typed_is_text():
    teams = [run(f"run-{i}", name, 0.1 * (i + 1)) for i, name in enumerate(HOSTILE)]
    members = (Member("capitals", HOSTILE[0], HOSTILE[1], HOSTILE[2]), Member("rivers"))
    campaign = Campaign("maps", HOSTILE[0], f"{HOSTILE[1]} [x](javascript:alert(1))", members)
    hostile = replace(CAPITALS, entries=tuple(teams))
    made = pages(hostile, RIVERS, campaign=campaign)
    page = made["campaign/maps.html"]
    keys = {th.get("data-key") for th in page.iter("th")}
    assert set(HOSTILE) <= keys
    for element in page.iter():
        tag = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
        assert tag not in ("img", "iframe", "style")
        assert not any(name.startswith("on") for name in element.attrib)
        assert not str(element.get("href", "")).startswith("javascript")
        assert tag != "script" or element.get("src").endswith("static/table.js")


# --- a task copied to another


PHASES = """
[[phase]]              # when
name = "dry run"
opens = "2031-01-01 AoE"
closes = "2031-01-31 AoE"
runs = 3
reveal = "2031-02-10T12:00:00Z"
[[phase]]
name = "late"
opens = "2031-02-01 AoE"
closes = "2031-02-02 AoE"
"""
DRY_TASK = f"""\
# the dry run
title = "Capitals (dry run)"   # to be changed
description = '''
# not a heading of TOML
title = "no title"
'''
kind = "interval"
[gold]
file = "dry.csv"  # as the judges left it
id = ["qset", "no"]
[resampling]
resamples = 0
{PHASES}"""
DRY_GOLD = "qset,no,answer\n" + "".join(f"a,{i},{i}\n" for i in range(5))
NEW_GOLD = "qset,no,answer\n" + "".join(f"b,{i},{i}\n" for i in range(7))
OPENS = datetime(2031, 5, 1, 12, tzinfo=UTC)  # the first of May, anywhere on Earth


def test_a_copied_file_keeps_its_comments_and_all_else():
    old = parse_task(DRY_TASK, "dry")
    phases = moved(old.phases, "2031-05-01 AoE")
    columns = replace(old.gold, file="formal.csv")
    new = replace(old, slug="formal", title='The "formal" run', gold=columns, phases=phases)
    made = copied(DRY_TASK, old, new)
    assert parse_task(made, "formal") == new
    assert made.startswith('# the dry run\ntitle = "The \\"formal\\" run"\n')
    assert 'title = "no title"\n' in made
    assert '[gold]\nfile = "formal.csv"\nid = ["qset", "no"]\n' in made
    assert "# when" not in made
    assert [(p.opens - OPENS, p.closes - OPENS) for p in new.phases] == [
        (0 * DAY, 31 * DAY),
        (31 * DAY, 33 * DAY),
    ]
    assert new.phases[0].reveal == datetime(2031, 6, 10, 12, tzinfo=UTC)
    same = copied(DRY_TASK, old, replace(new, phases=old.phases, title=old.title))
    assert same == (
        DRY_TASK.replace(
            'file = "dry.csv"  # as the judges left it', 'file = "formal.csv"'
        ).replace('run)"   # to be changed', 'run)"')
    )


@pytest.mark.parametrize(
    "given",
    [
        'title = """\nCapitals"""\nkind = "interval"\n',
        'title = "C"\ngold = {file = "dry.csv"}\nkind = "interval"\n',
        '"title" = "C"\nkind = "interval"\n[gold]\n"file" = "dry.csv"\n',
        'title = "C"\nkind = "interval"',
        'title = "C"\nlabels = ["a", "b"]\nanswers = "choice"\n[ranking]\ndigits = 4\n[gold]\n',
        f'title = "C"\nkind = "interval"\n{PHASES}[gold]\nfile="dry.csv"\n',
    ],
)
def test_a_file_of_any_shape_is_copied(given):
    old = parse_task(given, "dry")
    columns = replace(old.gold, file="new.csv")
    new = replace(old, slug="new", title="New", gold=columns, phases=moved_or_none(old))
    assert parse_task(copied(given, old, new), "new") == new


def moved_or_none(old):
    return moved(old.phases, "2032-01-01T00:00Z") if old.phases else ()


@pytest.fixture
def dry(tmp_path, engine, migrated_url, monkeypatch):
    """A dry run in the database, and a new gold beside it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRADER_DB", migrated_url)
    gold = read_gold(parse_task(DRY_TASK, "dry"), DRY_GOLD.encode(), "dry.csv")
    with store.unit(engine) as db:
        store.add_task(db, "dry", DRY_TASK, gold, b"salt" * 8, AT)
    (tmp_path / "formal.csv").write_text(NEW_GOLD, encoding="utf-8")
    return tmp_path


COPY = ("task", "copy", "dry", "formal", "--gold", "formal.csv")


def test_a_formal_run_is_registered_from_its_dry_run(dry, engine):
    # What was extended in the dry run is not the formal run's.
    longer = ("--until", "2031-02-10T12:00:00Z", "--why", "the server was down")
    text("phase", "extend", "dry", "late", *longer, "--at", "2031-01-20T12:00:00Z")
    done = answer(*COPY, "--title", "Capitals", "--opens", "2031-05-01 AoE")
    kept = "phase 'dry run' (visible: public), phase 'late' (visible: public)"
    mend = "change in tasks/formal/task.toml, then: grader task update tasks/formal"
    note = f"kept as it was: {kept}; what should differ, {mend}"
    assert (done["task"], done["n"], done["notes"]) == ("formal", 7, [note])
    folder = dry / "tasks" / "formal"
    assert sorted(file.name for file in folder.iterdir()) == ["formal.csv", "task.toml"]
    assert (folder / "formal.csv").read_text(encoding="utf-8") == NEW_GOLD
    with store.reading(engine) as db:
        now, old = store.registered(db, "formal"), store.registered(db, "dry")
    assert now.config == (folder / "task.toml").read_text(encoding="utf-8")
    assert now.gold.ids[0] == "b/0"
    assert now.task.title == "Capitals"
    assert [p.opens for p in now.task.phases] == [OPENS, OPENS + 31 * DAY]
    assert [p.closes for p in now.task.phases] == [OPENS + 31 * DAY, OPENS + 33 * DAY]
    back = replace(now.task, slug="dry", title=old.task.title, phases=old.task.phases)
    assert replace(back, gold=old.task.gold) == old.task
    assert logged(engine, "formal") == ["task copy: from dry"]
    # What was written is what is registered: to take it over changes nothing.
    assert text("task", "update", "tasks/formal") == "formal: nothing changed\n"


def test_phases_may_be_others_and_ids_that_come_again_are_noted(dry):
    (dry / "phases.toml").write_text(PHASES.replace("2031", "2033"), encoding="utf-8")
    (dry / "formal.csv").write_text(DRY_GOLD + "b,1,1\n", encoding="utf-8")
    said = text(*COPY, "--phases", "phases.toml", "--out", "new")
    assert "note: 5 of 6 ids are also in dry: are the questions new?\n" in said
    assert "note: kept as it was: the title 'Capitals (dry run)'; what should differ" in said
    assert said.endswith("new/formal holds task.toml and formal.csv\n")
    shown_phases = text("phase", "list", "formal")
    assert "2033-01-01 12:00:00 UTC" in shown_phases
    assert "2031-" not in shown_phases


def test_a_gold_that_lies_in_the_new_folder_already_is_used(dry):
    (dry / "tasks" / "formal").mkdir(parents=True)
    (dry / "formal.csv").rename(dry / "tasks" / "formal" / "gold.csv")
    copy = ("task", "copy", "dry", "formal", "--gold", "tasks/formal/gold.csv")
    text(*copy, "--opens", "2031-05-01 AoE")
    assert (dry / "tasks" / "formal" / "task.toml").exists()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((), "the phases of 'dry' are over, so 'formal' would take no run"),
        (("--opens", "tomorrow"), "'tomorrow' is not an instant with its offset"),
        (("--opens", "2031-05-01 AoE", "--phases", "phases.toml"), "give one of the two"),
        (("--opens", "2031-05-01 AoE", "--title", " "), "title: is blank"),
        (("--phases", "phases.toml"), "phase.closes"),
        (("--phases", "other.toml"), "is to hold tables [[phase]] alone, and has title"),
    ],
)
def test_what_cannot_be_copied_is_said_and_nothing_is_made(dry, engine, given, said):
    (dry / "phases.toml").write_text(PHASES.replace("closes", "close"), encoding="utf-8")
    (dry / "other.toml").write_text(DRY_TASK, encoding="utf-8")
    assert said in refused(*COPY, *given, "--at", "2031-03-01T12:00:00Z")
    assert not (dry / "tasks").exists()
    with store.reading(engine) as db:
        assert store.slugs(db) == ("dry",)


def test_names_and_golds_that_cannot_be_are_said(dry, engine):
    opens = ("--opens", "2031-05-01 AoE")
    assert "there is no task 'dri'" in refused("task", "copy", "dri", *COPY[3:], *opens)
    assert "already a task 'dry'" in refused("task", "copy", "dry", "dry", *COPY[4:], *opens)
    assert "becomes the task's address" in refused("task", "copy", "dry", "A b", *COPY[4:], *opens)
    assert "becomes the task's address" in refused(
        "task", "copy", "dry", "campaign", *COPY[4:], *opens
    )
    (dry / "formal.csv").write_text("id,answer\nx,1\n", encoding="utf-8")
    assert "there is no column 'qset'" in refused(*COPY, *opens)
    (dry / "formal.csv").write_text("qset,no,answer\na,1,\n", encoding="utf-8")
    assert "has no answers" in refused(*COPY, *opens)
    (dry / "formal.csv").write_text(NEW_GOLD, encoding="utf-8")
    (dry / "tasks").write_text("in the way", encoding="utf-8")
    assert "cannot be written" in refused(*COPY, *opens)
    (dry / "tasks").unlink()
    (dry / "tasks" / "formal").mkdir(parents=True)
    (dry / "tasks" / "formal" / "formal.csv").write_text("mine", encoding="utf-8")
    assert "exists already" in refused(*COPY, *opens)
    with store.reading(engine) as db:
        assert store.slugs(db) == ("dry",)
    assert (dry / "tasks" / "formal" / "formal.csv").read_text(encoding="utf-8") == "mine"
