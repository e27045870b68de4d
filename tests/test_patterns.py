"""Patterns print what their macros print, whatever stands where."""

import shutil
from itertools import product

from jinja2 import Environment
from markupsafe import escape

from grader.data import folder
from grader.site import environment as module
from grader.site.environment import environment
from grader.site.patterns import Pattern
from grader.site.rows import ROOM

_ODD = ('100% <b>"', "%s %(x)d {{ a }}", "\ue000\ue001", "日本 & ' \\1")


def _macro(text: str, arguments: str) -> Pattern:
    made = Environment(autoescape=True).from_string(
        f"{{% macro m({arguments}) %}}{text}{{% endmacro %}}"
    )
    return Pattern(made.module.m)


def test_values_stand_where_the_macro_prints_them_and_as_often():
    line = _macro("{{ b }}|{{ a }}|{{ b }}{% if c %}|50% {{ c }}{% endif %}", "kind, a, b, c")
    assert line(("x",), ("1", "2", "")) == "2|1|2"
    assert line(("x",), ("1", "2", "3")) == "2|1|2|50% 3"
    assert line(("x",), ("", "2", "3")) == "2||2|50% 3"


def test_many_are_printed_by_columns_each_of_its_own_kind():
    line = _macro("{% if kind %}{{ a }}{% endif %}{% if b %}+{{ b }}{% endif %}", "kind, a, b")
    kinds, values = [(True, False, True, True)], [("1", "2", "3", ""), ("4", "", "6", "7")]
    assert line.each((), kinds, values) == ["1+4", "", "3+6", "+7"]
    assert line.each((True,), (), values) == ["1+4", "2", "3+6", "+7"]
    assert line.each((), [()], [(), ()]) == []


def test_a_kind_is_printed_and_not_mixed_up_with_another():
    line = _macro('{% if kind == "a%" %}{{ kind }}{% endif %}:{{ a }}', "kind, a")
    assert [line((k,), ("%d",)) for k in ("a%", "b", "a%")] == ["a%:%d", ":%d", "a%:%d"]
    assert line(("a%",), ("",)) == "a%:"


def test_every_row_macro_prints_hostile_values_as_it_does_by_itself():
    room = environment(folder("templates")).get_template(ROOM).module
    kinds = {
        "flag": [()],
        "cell": list(
            product(("", " x"), (True, False), (True, False), ("†", "–", ""), (True, False))
        ),
        "score": list(
            product(("", " x"), (True, False), (True, False), ("†", "–", ""), (True, False))
        ),
        "who": list(product(("../",), ("",), (True, False), (True, False))),
        "row": list(product((True, False), (True, False))),
        "spark": [()],
        "scored": [()],
        "versus": [()],
    }
    many = {"flag": 2, "cell": 12, "score": 8, "who": 6, "row": 6, "spark": 6, "scored": 3}
    many |= {"versus": 8}
    for name, each in kinds.items():
        macro = getattr(room, name)
        pattern = Pattern(macro)
        for kind, turn, there in product(each, range(4), (0b111111111111, 0b10101010101, 0b1110)):
            values = tuple(
                escape(_ODD[(i + turn) % 4]) if there >> i & 1 else "" for i in range(many[name])
            )
            printed = str(macro(*kind, *values))
            assert pattern(kind, values) == printed
            columns = [[(part,) * 3 for part in each] for each in (kind, values)]
            assert pattern.each((), *columns) == [printed] * 3
            assert pattern.each(kind, (), columns[1]) == [printed] * 3


def test_compiled_templates_are_read_again_and_never_those_of_another_source_or_program(
    tmp_path, monkeypatch
):
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    shutil.copytree(folder("templates"), tmp_path / "t", ignore=lambda *_: ["__pycache__"])
    first = environment.__wrapped__(tmp_path / "t").get_template("macros/rows.html")
    kept = list((tmp_path / "t" / "__pycache__").iterdir())
    assert kept
    compiled, by = [], Environment.compile
    monkeypatch.setattr(Environment, "compile", lambda *a, **k: compiled.append(a) or by(*a, **k))
    again = environment.__wrapped__(tmp_path / "t").get_template("macros/rows.html")
    assert not compiled
    assert again.module.flag("late", "") == first.module.flag("late", "")
    monkeypatch.setattr(module, "makers", lambda: "another program")
    environment.__wrapped__(tmp_path / "t").get_template("macros/rows.html")
    assert compiled
    monkeypatch.undo()
    assert list((tmp_path / "t" / "__pycache__").iterdir()) == kept
    room = tmp_path / "t" / "macros" / "rows.html"
    room.write_text(room.read_text("utf-8").replace('flag"', 'other"'), "utf-8")
    other = environment.__wrapped__(tmp_path / "t").get_template("macros/rows.html")
    assert 'class="other"' in other.module.flag("late", "")


def test_templates_that_nothing_can_be_written_beside_are_compiled_each_time(
    tmp_path, monkeypatch
):
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    shutil.copytree(folder("templates"), tmp_path / "t", ignore=lambda *_: ["__pycache__"])
    (tmp_path / "t" / "__pycache__").write_text("in the way")
    made = environment.__wrapped__(tmp_path / "t").get_template("macros/rows.html")
    assert "late" in made.module.flag("late", "")


def test_a_compiled_template_whose_end_is_missing_is_compiled_again(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    shutil.copytree(folder("templates"), tmp_path / "t", ignore=lambda *_: ["__pycache__"])
    environment.__wrapped__(tmp_path / "t")
    (kept,) = (tmp_path / "t" / "__pycache__").iterdir()
    whole = kept.read_bytes()
    for size in (0, 5, *range(10, len(whole), 1000), len(whole) - 1):
        kept.write_bytes(whole[:size])
        made = environment.__wrapped__(tmp_path / "t").get_template("macros/rows.html")
        assert "late" in made.module.flag("late", "")
        assert kept.read_bytes() == whole
