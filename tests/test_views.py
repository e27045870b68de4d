"""Runs as measures see them, kept with their scores: the same as read from their bytes."""

from dataclasses import replace

import numpy as np
import pytest
from phased import NOON, SECOND, registered, send
from sqlalchemy import delete, func, select, update
from test_version_pages import TOP
from test_versions import answering, dropping, restoring

from grader import paired, store
from grader.grade import viewed
from grader.model import Bounds, Classes, Judged
from grader.rescore import entries, rescore
from grader.store.schema import views
from grader.store.views import packed, unpacked


def alike(one, two):
    """Whether two views hold the same, bit by bit and of the same kinds."""
    pairs = [(one[1], two[1])]
    plain = ("correct", "confidence", "cluster", "waiting")
    pairs += [(getattr(one[0], name), getattr(two[0], name)) for name in plain]
    for outer, names in (("classes", ["probabilities", "gold"]), ("bounds", ["low", "high"])):
        a, b = getattr(one[0], outer), getattr(two[0], outer)
        assert (a is None) == (b is None)
        pairs += [(getattr(a, n), getattr(b, n)) for n in (*names, "gold")] if a else []
    for a, b in pairs:
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        assert a.tobytes() == b.tobytes()


def many(engine):
    with store.reading(engine) as db:
        return db.scalar(select(func.count()).select_from(views))


def from_bytes(engine):
    """The views of all runs, read from their bytes."""
    with store.reading(engine) as db:
        now = store.registered(db, "t")
        return {
            slug: viewed(now.task, now.gold, upload.payload, upload.phase, dropped=True)
            for slug, upload in store.uploads(db, "t")
        }


def kept(engine):
    with store.reading(engine) as db:
        return store.stored_views(db, "t", ["ants-1", "bees-1", "nobody-1"])


def same_as_bytes(engine):
    expected, found = from_bytes(engine), kept(engine)
    assert set(found) == set(expected)
    for slug, (phase, view) in found.items():
        assert phase == ""
        alike(view, expected[slug])
    return found


@pytest.fixture
def filled(engine):
    registered(engine, top=TOP)
    send(engine, answering({1, 2, 3, 4, 5, 6}, "0.8"))
    send(engine, answering({0, 1, 2}, "0.6"), team="Bees")
    return engine


def test_what_is_kept_is_what_is_read(filled):
    same_as_bytes(filled)
    dropping(filled, "q1", "q2")
    found = same_as_bytes(filled)
    assert all(counted.all() for _, (_, counted) in found.values())  # dropped ones too
    restoring(filled, "q1", at=NOON + SECOND)
    same_as_bytes(filled)


def test_a_site_is_the_same_with_and_without(filled, monkeypatch):
    dropping(filled, "q1")

    def site():
        with store.reading(filled) as db:
            return paired.public(db, NOON + SECOND)

    with_views = site()
    read = []
    real = viewed
    monkeypatch.setattr(paired, "viewed", lambda *a, **k: (read.append(a), real(*a, **k))[1])
    assert site() == with_views
    assert read == []
    with store.unit(filled) as db:
        db.execute(delete(views))
    assert site() == with_views
    assert len(read) == 2


def test_scoring_again_makes_them_anew_and_none_is_left_behind(filled):
    with store.unit(filled) as db:
        db.execute(delete(views))
    assert kept(filled) == {}
    for _ in range(2):
        with store.unit(filled) as db:
            rescore(db, "t", NOON, entries(db, "t", NOON))
        assert many(filled) == 2
        same_as_bytes(filled)
    dropping(filled, "q1")
    assert many(filled) == 4  # under both versions of the gold
    same_as_bytes(filled)


def test_what_another_grader_kept_is_not_read(filled):
    with store.unit(filled) as db:
        db.execute(update(views).values(form="1 0.0.1", body=b"what is this"))
    assert kept(filled) == {}


def test_every_kind_of_run_comes_back_as_it_was():
    rng = np.random.default_rng(1)
    right, sure = rng.random(7) < 0.5, rng.random(7)
    plain = Judged(right, sure)
    table = rng.random((7, 3))
    table[2, 1] = np.nan
    classes = Classes(table, np.arange(7) % 4 - 1, ("a", "東京", 'x"\n'))
    bounds = Bounds(sure - 1, np.full(7, np.inf), sure, 0.8)
    runs = [
        plain,
        replace(plain, cluster=np.arange(7) // 2, waiting=right),
        replace(plain, classes=classes),
        replace(plain, classes=replace(classes, labels=())),
        replace(plain, bounds=bounds),
        Judged(right[:0], sure[:0]),
    ]
    for judged in runs:
        counted = np.ones(len(judged.correct), dtype=np.bool_)
        found = unpacked(packed((judged, counted)))
        alike(found, (judged, counted))
        if judged.classes:
            assert found[0].classes.labels == judged.classes.labels
        if judged.bounds:
            assert found[0].bounds.level == 0.8


ODD = np.array([np.nan, -np.nan, np.inf, -np.inf, -0.0, 5e-324, 1.7976931348623157e308])


@pytest.mark.parametrize("digits", range(12))
def test_numbers_of_few_decimals_come_back_to_the_last_bit(digits):
    rng = np.random.default_rng(digits)
    sure = np.round(rng.random(300), digits)
    large = rng.integers(-(2**31), 2**31, 300) / 10**digits
    steps = rng.integers(-(2**40), 2**40, 300)
    every = [sure, large, steps / 10**digits, large[:0], -0.0 * sure]
    for odd in ODD:
        every.append(sure.copy())
        every[-1][7] = odd
    for numbers in every:
        n = len(numbers[::3])
        judged = Judged(numbers[::3] > 0.5, numbers[::3], steps[:n], waiting=numbers[::-3] > 0.5)
        table = Classes(
            np.asfortranarray(np.stack([numbers[::3]] * 2, axis=1)), steps[:n], ("a", "b")
        )
        view = replace(judged, classes=table), numbers[::3] < 0.9
        alike(unpacked(packed(view)), view)
