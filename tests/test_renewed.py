"""Pages of runs stay as long as nothing changed of what they are made of."""

import os
import sys
from dataclasses import fields, is_dataclass, replace
from datetime import timedelta
from functools import partial

import pytest
from sites import NOON, exams, snapshot

from grader.board import visible
from grader.board.few import coarse
from grader.board.limits import ALWAYS, GUARDED
from grader.errors import Mistake
from grader.model import Bin, Entry, Score, Stored, Unread
from grader.processors import meanwhile
from grader.publishing import known, large, publish
from grader.site import crew, render, renewed
from grader.site import lone as module
from grader.site.lone import lone
from grader.site.pictures import of_run
from grader.site.sheets import contests

RUN = "run-4"


def seen(results=None, of="exams"):
    whole = snapshot()
    tasks = tuple(results if results and r.task.slug == of else r for r in whole.tasks)
    return visible(replace(whole, tasks=tasks), "organisers")


def keys(snapshot_=None, mark=""):
    """The key of each run's pages, by task and slug."""
    made = contests(snapshot_ or seen())
    return {
        (contest.slug, one.entry.slug): one.key for contest in made for one in lone(contest, mark)
    }


def with_entry(changed):
    results = exams()
    return seen(
        replace(
            results,
            entries=tuple(changed if e.slug == changed.slug else e for e in results.entries),
        )
    )


def entry():
    return next(e for e in exams().entries if e.slug == RUN)


def other(value):
    """Another value of the same kind; None of one that is no number or text."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + type(value)(1)
    if isinstance(value, str):
        return value + "x"
    return 0.5 if value is None else None


def changes(noun):
    """The noun with each of its fields changed, one at a time, and the field's name."""
    new = getattr(noun, "_replace", partial(replace, noun))
    for name in named(noun):
        if (changed := other(getattr(noun, name))) is not None:
            yield name, new(**{name: changed})


def named(noun):
    """The names of a noun's fields."""
    return getattr(noun, "_fields", None) or [field.name for field in fields(noun)]


def test_whatever_changes_of_a_score_changes_the_key_of_its_run_alone():
    mine = entry()
    first = next(i for i, s in enumerate(mine.graded.scores) if s.value)
    score = mine.graded.scores[first]._replace(low=0.1, high=0.9)
    scores = list(mine.graded.scores)
    scores[first] = score
    mine = replace(mine, graded=replace(mine.graded, scores=tuple(scores)))
    before = keys(with_entry(mine))
    altered = [*changes(score), ("details", score._replace(details={"more": 1.0}))]
    assert {name for name, _ in altered} == set(Score._fields)
    for name, changed in altered:
        scores = list(mine.graded.scores)
        scores[first] = changed
        graded = replace(mine.graded, scores=tuple(scores))
        after = keys(with_entry(replace(mine, graded=graded)))
        assert [k for k in before if before[k] != after[k]] == [("exams", RUN)], name


def test_stored_scores_are_known_by_their_grading_as_long_as_the_gate_leaves_them():
    graded = entry().graded
    first, *rest = graded.scores
    changed = (first._replace(value=0.123), *rest)

    def made(scores):
        of = with_entry(replace(entry(), graded=replace(graded, scores=scores)))
        (seen_,) = (e for e in of.tasks[0].entries if e.slug == RUN)
        return type(seen_.graded.scores), keys(of)["exams", RUN]

    kind, key = made(Stored(graded.scores, "7 today"))
    assert kind is Stored
    assert key == made(Stored(graded.scores, "7 today"))[1] != made(graded.scores)[1]
    assert key != made(Stored(changed, "8 today"))[1]
    for limits in (ALWAYS, GUARDED):
        stored = [
            coarse(replace(graded, scores=Stored(s, "7")), limits)
            for s in (graded.scores, changed)
        ]
        plain = [coarse(replace(graded, scores=s), limits) for s in (graded.scores, changed)]
        assert stored == plain
        assert all(type(one.scores) is (Stored if limits is ALWAYS else tuple) for one in stored)


def test_whatever_changes_of_a_run_changes_its_key_alone():
    before, mine = keys(), entry()
    graded = [(n, replace(mine, graded=c)) for n, c in changes(mine.graded) if n != "view"]
    rest = [(n, c) for n, c in changes(mine) if n not in {"slug", "graded", "phase"}]
    flagged = [("flags", replace(mine, flags={"primary": ""}))]
    later = [("received", replace(mine, received=NOON + timedelta(seconds=1)))]
    for name, changed in (*graded, *rest, *flagged, *later):
        after = keys(with_entry(changed))
        assert [k for k in before if before[k] != after[k]] == [("exams", RUN)], name


def test_nobody_makes_a_key_without_the_seal_of_its_task():
    before = keys()
    after = keys(seen(replace(exams(), seal=b"another")))
    assert {k for k in before if before[k] != after[k]} == {k for k in before if k[0] == "exams"}


def test_a_key_tells_nothing_of_an_analysis_that_the_gate_takes_away():
    made = entry().graded.analysis

    def key(text, source):
        analysed = Unread(text, lambda _: made, source)
        graded = replace(entry().graded, analysed=analysed)
        return keys(with_entry(replace(entry(), graded=graded)))["exams", RUN]

    # The manifest is served: who guesses labels must not be able to try them on it.
    assert key("30 right of 80", "7 today") == key("31 right of 80", "7 today")
    assert key("30 right of 80", "7 today") != key("30 right of 80", "8 today")


def test_whatever_changes_of_a_task_changes_the_keys_of_all_its_runs(monkeypatch):
    before, results = keys(), exams()
    mine = {key for key in before if key[0] == "exams"}
    gold = results.gold
    for changed in (
        replace(results, task=replace(results.task, title="Another")),
        replace(results, task=replace(results.task, missing="worst")),
        replace(results, gold=replace(gold, version=gold.version + 1)),
        replace(results, gold=replace(gold, drops=gold.drops[1:])),
        replace(results, guarded=True),
    ):
        after = keys(seen(changed))
        assert {k for k in before if before[k] != after[k]} == mine
    assert not set(keys(mark="For organisers").values()) & set(before.values())
    monkeypatch.setattr(module, "makers", lambda: "another template")
    assert not set(keys().values()) & set(before.values())


def test_what_makes_pages_is_in_every_key(tmp_path, monkeypatch):
    for text in ("one", "two"):
        (tmp_path / "page.html").write_text(text)
        monkeypatch.setattr(module, "folder", lambda _: tmp_path)
        module.makers.cache_clear()
        if text == "one":
            first = module.makers()
    assert module.makers() != first
    module.makers.cache_clear()


def test_a_run_by_itself_is_drawn_as_it_is_with_all_that_is_known_of_its_phase():
    # Of 80 answers 30 to 35 are right: at one decimal nobody can say how many.
    graded = replace(entry().graded, reliability=(Bin(80, 0.55, 0.4),))
    for hidden in (False, True):
        of = with_entry(replace(entry(), graded=graded)).tasks[0]
        task = replace(of.task, ranking=replace(of.task.ranking, digits=1))
        (contest, *_) = contests(seen(replace(of, task=task, guarded=hidden)))
        (one,) = (one for one in lone(contest, "") if one.entry.slug == RUN)
        made = of_run(one.on, one.entry)
        assert made == of_run(contest.now, one.entry)
        (sides,) = (picture for picture in made if picture.kind == "histogram")
        (row,) = sides.data.rows
        assert row[1:] == (("80", "", "") if hidden else ("80", "32", "48"))


def test_no_other_run_is_in_a_key_nor_in_what_pages_of_a_run_see():
    before, results = keys(), exams()
    more = replace(results.entries[0], slug="new-1", team="New", received=NOON + timedelta(days=9))
    after = keys(seen(replace(results, entries=(more, *results.entries[2:]))))
    kept = {k: v for k, v in after.items() if k in before}
    assert kept == {k: before[k] for k in kept}
    assert len(kept) > 5
    for contest in contests(seen()):
        for one in lone(contest, ""):
            assert [e for on in one.contest.sheets for e in on.results.entries] == [one.entry]
            assert list(inside(one, Entry)) == [one.entry]


def inside(thing, kind, met=None):
    """Yield every noun of a kind that can be reached."""
    met = set() if met is None else met
    if id(thing) in met:
        return
    met.add(id(thing))
    if isinstance(thing, kind):
        yield thing
    if is_dataclass(thing):
        for field in fields(thing):
            yield from inside(getattr(thing, field.name), kind, met)
    elif isinstance(thing, dict):
        for each in thing.values():
            yield from inside(each, kind, met)
    elif isinstance(thing, tuple | list):
        for each in thing:
            yield from inside(each, kind, met)


def test_what_is_known_is_not_made_again_and_the_site_is_the_same(tmp_path):
    out = tmp_path / "site"
    publish(renewed(seen(), "", known(out)), out)
    assert {p: (out / p).read_bytes() for p, _ in render(seen())} == dict(render(seen()))
    changed = entry()
    changed = replace(changed, filename="other.csv")
    (out / "exams/run-5.html").write_text("by hand")
    (out / "exams/run-6.html").unlink()
    pages = list(renewed(with_entry(changed), "", known(out)))
    made = {page.path for page in pages if page.content is not None}
    kept = {page.path for page in pages if page.content is None}
    mine = {page.path for page in pages if page.key}
    again = {p for p in mine if p.split("/")[1].split(".")[0] in {RUN, "run-5", "run-6"}}
    again |= {p for p in mine if p.split("/")[-1] in {f"{RUN}.js", "run-5.js", "run-6.js"}}
    again = {p for p in again if p.startswith("exams/")}
    assert made & mine == again
    assert kept == mine - again
    publish(iter(pages), out)
    fresh = dict(render(with_entry(changed)))
    assert {p: (out / p).read_bytes() for p in fresh} == fresh
    assert all(page.content is not None for page in renewed(seen(), "mark", known(out)))


@pytest.mark.parametrize("workers", ["1", "2"])
def test_any_number_of_processes_makes_the_same_site(monkeypatch, workers):
    expected = list(render(seen()))
    monkeypatch.setenv("GRADER_WORKERS", workers)
    monkeypatch.setattr(crew, "ENOUGH", 1)
    assert list(render(seen())) == expected


def test_a_bug_in_another_process_is_not_hidden(monkeypatch):
    monkeypatch.setenv("GRADER_WORKERS", "2")
    monkeypatch.setattr(crew, "ENOUGH", 1)

    def broken():
        raise RuntimeError("a bug")

    with pytest.raises(RuntimeError, match="a bug"):
        list(crew.shared_out([lambda: (), broken]))
    assert list(crew.shared_out([lambda: (), lambda: (1,)])) == [(), (1,)]


def test_no_page_of_a_run_hangs_on_when_it_is_made(tmp_path):
    out = tmp_path / "site"
    publish(renewed(snapshot(), "", known(out)), out)
    later = replace(snapshot(), as_of=NOON + timedelta(days=9))
    pages = list(renewed(later, "", known(out)))
    mine = [page for page in pages if page.key]
    assert mine
    assert [page.path for page in mine if page.content is not None] == []
    fresh = dict(render(later))
    assert {page.path: (out / page.path).read_bytes() for page in mine} == {
        page.path: fresh[page.path] for page in mine
    }


def test_what_another_process_finds_of_a_large_site_is_what_is_there(tmp_path, monkeypatch):
    out = tmp_path / "site"
    publish(renewed(seen(), "", known(out)), out)
    monkeypatch.setenv("GRADER_WORKERS", "2")
    for least in (0, 1 << 30):  # by another process, and by this one
        monkeypatch.setattr("grader.publishing.manifest._LARGE", least)
        assert not large(tmp_path / "none")
        worth = large(out)
        assert worth == (not least)
        with meanwhile(partial(known, out), worth=worth) as found:
            assert found() == known(out) != {}
        with meanwhile(os.getpid, worth=worth) as found:
            assert (found() != os.getpid()) == (sys.platform == "linux" and worth)
        with pytest.raises(Mistake) as raised, meanwhile(_refused, worth=worth) as found:
            found()
        assert str(raised.value) == "refused\n  mend it"


def _refused():
    raise Mistake("refused", mend="mend it")
