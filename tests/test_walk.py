"""A site that is published again and again while everything behind it changes.

Whatever happened, a publish into the folder of the last one leaves what a publish into a new
folder would: no page is kept that ought to have changed, and no link leads to what is gone.
"""

import shutil
from datetime import UTC, datetime, timedelta

import pytest
from click.testing import CliRunner
from crawling import broken
from test_publish import held

from grader import store
from grader.cli import main
from grader.paired import everything, public
from grader.publishing import known, publish
from grader.site import render, renewed

N = 24
NAMES = ("Zyzzyva <b>", "Index", "فريق النمل", "=Cmd & Co")
START = datetime(2031, 5, 1, tzinfo=UTC)
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
GOLD = "id,answer,lot\n" + "".join(
    f"q{i},{'xyz'[i % 3]},{'north' if i % 4 else 'South'}\n" for i in range(N)
)


def _phase(name, opens, closes, **keys):
    said = {"name": name, "opens": (START + opens * DAY).isoformat()}
    said |= {"closes": (START + closes * DAY).isoformat()} | keys
    values = {k: v if isinstance(v, int) else f'"{v}"' for k, v in said.items()}
    return "[[phase]]\n" + "".join(f"{k} = {v}\n" for k, v in values.items())


def _task(title, phases="", top="", ranking=""):
    return (
        f'title = "{title}"\nlabels = ["x", "y", "z"]\nanswers = "choice"\n{top}'
        '[gold]\nsubsets = ["lot"]\n[resampling]\nresamples = 20\n'
        f"{ranking}{phases}"
    )


PHASED = "".join(
    (
        _phase("first", 0, 10, late="unofficial"),
        _phase("veiled", 10, 20, names="pseudonyms", reveal=(START + 40 * DAY).isoformat()),
        _phase("Hidden!", 22, 30, visible="none", reveal=(START + 41 * DAY).isoformat()),
    )
)


def _payload(seed, right=0.6, label=None):
    rows = []
    for i in range(N):
        good = (i * 7 + seed * 5) % 10 < right * 10
        answer = label or ("xyz"[i % 3] if good else "yzx"[i % 3])
        rows.append(f"q{i},{answer},{((i * 13 + seed * 29) % 99 + 1) / 100}\n")
    return "id,answer,confidence\n" + "".join(rows)


class Walk:
    """A database, a site of it, and the instant of the next command."""

    def __init__(self, url, folder):
        self.url, self.folder, self.at, self.kept = url, folder, START + HOUR, 0
        for slug in ("open", "phased"):
            (folder / slug).mkdir()
            (folder / slug / "gold.csv").write_text(GOLD, encoding="utf-8")

    def __call__(self, *said, code=0):
        self.at += timedelta(minutes=1)
        args = [*map(str, said), "--db", self.url, "--at", self.at.isoformat()]
        done = CliRunner().invoke(main, args)
        assert done.exit_code == code, (said, done.output, done.exception)
        return done.output

    def config(self, slug, text):
        (self.folder / slug / "task.toml").write_text(text, encoding="utf-8")

    def submit(self, slug, team, seed, *more, right=0.6, label=None):
        file = self.folder / f"{slug} {seed}.csv"
        file.write_text(_payload(seed, right, label), encoding="utf-8")
        self("submit", file, "--task", slug, "--team", team, "--name", f"@run {seed}", *more)

    def seen(self, whom="public"):
        engine = store.existing(self.url)
        with store.reading(engine) as db:
            snapshot = {"public": public, "organisers": everything}[whom](db, self.at)
        engine.dispose()
        return snapshot

    def check(self, whom="public"):
        """Publish into the folder of the last site, and make all pages anew beside it."""
        out, snapshot = self.folder / f"runs {whom}", self.seen(whom)
        pages = list(renewed(snapshot, "", known(out)))
        self.kept += sum(page.content is None for page in pages)
        publish(pages, out, whom)
        found, made = held(out), dict(render(snapshot))
        assert sorted(found) == sorted(made)
        assert [path for path in made if found[path] != made[path]] == []

    def compare(self):
        """Publish by the command, into the folder of the last site and into a new one."""
        for out in ("public", "fresh"):
            self("publish", self.folder / out)
        old, new = (held(self.folder / out) for out in ("public", "fresh"))
        assert sorted(old) == sorted(new)
        assert [path for path in new if old[path] != new[path]] == []
        lists = {(self.folder / out / "site.json").read_bytes() for out in ("public", "fresh")}
        assert len(lists) == 1
        assert broken(new) == []
        shutil.rmtree(self.folder / "fresh")


@pytest.fixture
def walk(migrated_url, tmp_path):
    return Walk(migrated_url, tmp_path)


def _begin(walk):
    """Yield whenever the site is to be published: these are what may happen to one."""
    walk.config("open", _task("Open"))
    walk("task", "add", walk.folder / "open")
    walk.config("phased", _task("Phased", PHASED))
    walk("task", "add", walk.folder / "phased")
    yield
    for name in NAMES:
        walk("team", "add", name)
    walk.submit("open", NAMES[0], 1)
    walk.submit("open", NAMES[1], 2, right=1)
    walk.submit("open", NAMES[2], 3, "--flag", "baseline")
    walk.submit("open", NAMES[3], 4, right=0)
    walk.submit("phased", NAMES[0], 1)
    walk.submit("phased", NAMES[1], 2, "--text", "said", "--link", "https://papers.example/1")
    yield


def _runs(walk):
    walk("run", "withdraw", "open", _slug(walk, NAMES[1]), "--why", "wrong <file>")
    yield
    walk("run", "restore", "open", _slug(walk, NAMES[1]), "--why", "it was right")
    yield
    walk("run", "flag", "open", _slug(walk, NAMES[0]), "primary", "--why", "asked")
    (walk.folder / "mended.csv").write_text(_payload(9, 0.8), encoding="utf-8")
    walk("run", "amend", "open", _slug(walk, NAMES[0]), walk.folder / "mended.csv", "--why", "ids")
    walk("run", "describe", "open", _slug(walk, NAMES[3]), "--text", "of '\"&")
    yield
    walk("dispute", "add", "open", "q1 is x", "--run", _slug(walk, NAMES[0]))
    walk("dispute", "add", "open", "q2 too", "--instance", "q2")
    walk("dispute", "answer", "open", "1", "no")
    yield


def _golds(walk):
    walk("gold", "drop", "open", "q3", "q4", "--why", "typo <3")
    yield
    walk("task", "freeze", "open", "--name", "v1", "--why", "official")
    yield
    walk("gold", "restore", "open", "q3", "q4", "--why", "no typo")
    yield
    (walk.folder / "open" / "gold.csv").write_text(GOLD.replace("q1,y", "q1,x"), encoding="utf-8")
    walk("gold", "replace", "open", walk.folder / "open" / "gold.csv", "--why", "q1 was x")
    yield
    walk.config("open", _task("Open again", top='primary = "auroc"\nmeasures = ["ks"]\n'))
    walk("task", "update", walk.folder / "open")
    yield
    ranking = "[ranking]\ndigits = 1\nmin_accuracy = 0.5\n"
    top = 'primary = "macro(ece@10,lot)"\nmeasures = ["hmr", "bias", "nllc"]\n'
    walk.config("open", _task("Open", top=top, ranking=ranking))
    walk("task", "update", walk.folder / "open")
    yield


def _teams(walk):
    walk("team", "rename", NAMES[0], "subset", "--why", "mail")
    yield
    walk("team", "add", "Short")
    walk.submit("open", "Short", 5)
    walk("team", "merge", "Short", NAMES[2], "--why", "one team")
    yield
    walk("team", "erase", NAMES[3], "--why", "they asked")
    yield


def _phases(walk):
    walk.submit("phased", "subset", 6)
    walk.at = START + 10 * DAY
    yield
    walk.submit("phased", "subset", 7)
    walk.submit("phased", NAMES[1], 8)
    yield
    walk("phase", "extend", "phased", "veiled", "--until", START + 21 * DAY, "--why", "down")
    yield
    walk("run", "withdraw", "phased", _slug(walk, "subset", 3), "--why", "no")
    yield
    walk.at = START + 23 * DAY
    walk.submit("phased", NAMES[1], 9)
    yield
    walk.submit("phased", "subset", 10)
    yield
    walk.at = START + 31 * DAY
    yield
    walk.config("phased", _task("Phased", PHASED, 'measures = ["ks"]\n'))
    walk("task", "update", walk.folder / "phased")
    yield
    walk.at = START + 40 * DAY
    yield
    walk.at = START + 42 * DAY
    yield
    walk.config("open", _task("Open", _phase("over", 0, 1)))
    walk("task", "update", walk.folder / "open")
    yield
    walk("gold", "release", "phased", "--yes", "--why", "over")
    yield
    walk("rescore")
    yield
    walk("gold", "release", "open", "--yes", "--why", "over")
    yield


def _slug(walk, team, number=1):
    engine = store.existing(walk.url)
    with store.reading(engine) as db:
        return f"{store.team(db, team).slug}-{number}"


STEPS = (_begin, _runs, _golds, _teams, _phases)


@pytest.mark.parametrize("kind", ["sqlite"])
def test_no_page_of_a_run_is_kept_that_ought_to_have_changed(walk, monkeypatch):
    """Others are made each time: here they are left out."""
    monkeypatch.setattr("grader.site.pages._Site.of_many", lambda _: ())
    for happen in STEPS:
        for _ in happen(walk):
            walk.check()
        walk.check("organisers")
    assert walk.kept > 0


def test_a_site_that_was_published_before_is_the_one_of_a_new_folder(walk):
    for happen in STEPS:
        for _ in happen(walk):
            pass
        walk.compare()
