"""Small inputs that broke other software of this kind, each with the right outcome."""

import io
import random
import zipfile

import pytest
from grading import GOLD, RUN, graded, places, refused, values, walk

from grader.board import shown
from grader.formats import read
from grader.model import Raw, Rejected


def gold_of(*answers):
    """Gold q1, q2, … in one subset."""
    return GOLD + "".join(f"q{i},{a},all\n" for i, a in enumerate(answers, 1))


def run_of(*rows):
    """A run q1, q2, … of (answer, confidence) as they are written."""
    return RUN + "".join(f"q{i},{a},{c}\n" for i, (a, c) in enumerate(rows, 1))


def outcome(*confidences, **how):
    """The values for confidences as they are written, ``-`` before those of wrong answers."""
    rows = [("no" if c[0] == "-" else "yes", c.removeprefix("-")) for c in confidences]
    return values(run_of(*rows), gold_of(*["yes"] * len(rows)), **how)


def near(expected, off=1e-9):
    return {k: v if v is None else pytest.approx(v, abs=off) for k, v in expected.items()}


def only(found, expected):
    return {key: found[key] for key in expected}


THREE = gold_of("yes", "no", "yes")
FOUR = gold_of("yes", "no", "yes", "no")
ALL_RIGHT = {"accuracy": 1, "brier": 7 / 150}


class TestNumbers:
    def test_a_good_run_with_every_measure_by_hand(self):
        gold = (
            GOLD + "a1,yes,easy\na2,no,easy\na3,yes,easy\na4,no,easy\n"
            "b1,yes,hard\nb2,no,hard\nb3,yes,hard\nb4,no,hard\n"
        )
        run = (
            RUN + "a1,yes,0.92\na2,no,0.81\na3,no,0.64\na4,no,0.55\n"
            "b1,no,0.88\nb2,no,0.43\nb3,yes,0.37\nb4,yes,0.16\n"
        )
        expected = {
            "all": (5 / 8, 161 / 400, 16 / 25, 149 / 800, 5441 / 20000, 8 / 15, 77 / 150),
            "easy": (3 / 4, 17 / 50, 16 / 25, 9 / 80, 3273 / 20000, 2 / 3, 171 / 350),
            "hard": (1 / 2, 14 / 25, 22 / 25, 13 / 50, 7609 / 20000, 1 / 2, 24 / 55),
        }
        more = {
            "all": (0.7558037694406964, 11 / 25, 77 / 125),
            "easy": (0.4783977221355762, 9 / 25, 19 / 25),
            "hard": (1.0332098167458164, 12 / 25, 2 / 5),
        }
        keys = ("accuracy", "ece@10", "mce@10", "ks", "brier", "auroc", "hmr")
        found = values(run, gold)
        for part, first in expected.items():
            names = [k if part == "all" else (k, f"subset={part}") for k in keys]
            names += [k if part == "all" else (k, f"subset={part}") for k in ("nll", "r_o", "r_u")]
            by_hand = dict(zip(names, first + more[part], strict=True))
            assert only(found, by_hand) == near(by_hand)

    def test_confidence_zero_is_in_the_first_bin(self):
        expected = {"accuracy": 1, "ece@10": 0.5, "mce@10": 1, "brier": 0.5}
        assert only(outcome("0.0", "0", "1.0", "1"), expected) == near(expected)

    def test_decimal_edges_close_their_bin_on_the_right_as_documented(self):
        expected = {"ece@10": 17 / 30, "mce@10": 29 / 40}
        found = outcome("0.25", "0.3", "-0.35", "0.45", "0.5", "-0.55")
        assert only(found, expected) == near(expected)

    def test_a_bin_is_as_confident_as_its_mean_not_its_centre(self):
        expected = {"accuracy": 1, "ece@10": 1 / 125, "mce@10": 1 / 125}
        assert only(outcome("0.99", "0.99", "0.99", "0.99", "1.0"), expected) == near(expected)

    def test_equal_confidences_still_have_an_error(self):
        keys = ("accuracy", "ece@15", "mce@15", "ks", "auroc", "brier")
        expected = dict(zip(keys, (0.5, 0.3, 0.3, 0.3, 0.5, 0.34), strict=True))
        found = outcome("0.8", "0.8", "-0.8", "-0.8", measures=keys)
        assert only(found, expected) == near(expected)

    @pytest.mark.parametrize(
        ("confidences", "accuracy", "brier", "nll"),
        [
            (("-0.0", "-0.0"), 0, 0, 2**-52),
            (("-1.0", "-1.0"), 0, 1, 36.04365338911715),
            (("1.0", "0.8"), 1, 1 / 50, 0.11157177565710485),
        ],
    )
    def test_one_sided_outcomes_are_not_recoded(self, confidences, accuracy, brier, nll):
        found = outcome(*confidences)
        expected = {"accuracy": accuracy, "brier": brier, "nll": nll}
        assert only(found, expected) == near(expected)
        assert shown(found["nll"], 10) == f"{nll:.10f}"

    def test_confidences_keep_their_64_bits(self):
        expected = {"nll": 9.556913962256155, "brier": 0.62499999}
        assert only(outcome("-0.99999999", "0.5"), expected) == near(expected, 1e-6)

    def test_auroc_without_wrong_answers_is_undefined_and_spares_the_others(self):
        expected = {"accuracy": 1, "ece@5": 1 / 4, "brier": 89 / 1200, "auroc": None}
        run = run_of(("yes", 0.9), ("yes", 0.7), ("yes", 0.65))
        scores = {
            s.measure: s
            for s in graded(run, gold_of(*["yes"] * 3), measures=tuple(expected)).scores
            if s.subset == "all"
        }
        assert {k: scores[k].value for k in expected} == near(expected)
        assert scores["auroc"].note == "no wrong answers: nothing to tell apart"
        assert scores["auroc"].no_interval == f"undefined: {scores['auroc'].note}"

    def test_confidences_outside_the_scale_are_neither_squashed_nor_clipped(self):
        run = run_of(("yes", "1.2"), ("no", "0.9678"), ("yes", "-0.1"))
        assert places(refused(run, gold_of("yes", "yes", "yes"))) == [
            (2, "confidence", "out-of-range"),
            (4, "confidence", "out-of-range"),
        ]

    @pytest.mark.parametrize(
        ("confidences", "ks"),
        [(("0.2", "0.4", "-0.6", "-0.8"), 7 / 20), (("-0.2", "-0.4", "0.6", "0.8"), 3 / 20)],
    )
    def test_ks_sees_the_largest_gap_of_either_sign(self, confidences, ks):
        assert outcome(*confidences)["ks"] == pytest.approx(ks, abs=1e-9)

    def test_hmr_is_the_harmonic_mean_of_its_rewards(self):
        expected = {"accuracy": 0.5, "r_o": 7 / 10, "r_u": 4 / 5, "hmr": 56 / 75}
        assert only(outcome("0.9", "0.7", "-0.4", "-0.2"), expected) == near(expected)

    def test_shuffled_rows_score_to_the_bit_as_the_others(self):
        rows = [
            f"q{i},{'no' if i % 4 == 0 else 'yes'},0.{37 * i % 100:02d}\n" for i in range(1, 41)
        ]
        mixed = random.Random(1).sample(rows, len(rows))  # noqa: S311, no secret
        assert mixed != rows
        gold = gold_of(*["yes"] * 40)
        keys = ("accuracy", "brier", "auroc", "nll", "ks", "hmr", "ece@10", "eceorder@7")
        here = values(RUN + "".join(rows), gold, measures=keys)
        assert here == values(RUN + "".join(mixed), gold, measures=keys)
        assert here["accuracy"] == 0.75

    def test_the_whole_is_no_mean_of_its_parts_and_an_empty_part_is_no_zero(self):
        gold = GOLD + "q1,yes,A\nq2,yes,A\nq3,yes,A\nq4,yes,B\n"
        run = run_of(("yes", 0.75), ("yes", 0.75), ("yes", 0.75), ("no", 0.75))
        toml = '[gold]\nsubsets = [{name = "subset", values = ["A", "B", "C"]}]\n'
        keys = ("accuracy", "ece@10", "brier", "macro(accuracy,subset)")
        found = values(run, gold, toml, keys)
        expected = {
            "accuracy": 0.75,
            "ece@10": 0,
            "brier": 3 / 16,
            ("accuracy", "subset=A"): 1,
            ("ece@10", "subset=A"): 1 / 4,
            ("accuracy", "subset=B"): 0,
            ("ece@10", "subset=B"): 3 / 4,
            ("accuracy", "subset=C"): None,
            ("ece@10", "subset=C"): None,
            "macro(accuracy,subset)": None,
        }
        assert only(found, expected) == near(expected)
        scores = {(s.measure, s.subset): s for s in graded(run, gold, toml, keys).scores}
        empty = scores["accuracy", "subset=C"]
        assert (empty.n, empty.note) == (0, "no instances")
        assert scores["macro(accuracy,subset)", "all"].note == (
            "undefined in subset=C: no instances"
        )


class TestClassProbabilities:
    def test_brier_is_of_the_given_answer_not_over_all_classes(self):
        gold = gold_of("cat", "dog")
        run = "id,answer,confidence,p:cat,p:dog\nq1,cat,0.75,0.75,0.25\nq2,cat,0.75,0.75,0.25\n"
        assert values(run, gold)["brier"] == pytest.approx(5 / 16, abs=1e-12)

    def test_rows_rounded_to_a_few_digits_add_up_to_one(self):
        gold = gold_of("cat", "dog", "ape")
        head = "id,answer,confidence,p:ape,p:cat,p:dog\n"
        good = (
            head + "q1,cat,0.3333,0.3333,0.3333,0.3333\n"
            "q2,dog,0.3334,0.3334,0.3333,0.3334\nq3,ape,0.5,0.5,0.25,0.25\n"
        )
        found = values(good, gold)
        assert found["accuracy"] == 1
        assert found["confidence"] == pytest.approx((0.3333 + 0.3334 + 0.5) / 3)  # as they are

    def test_rows_that_do_not_add_up_are_refused(self):
        bad = (
            "id,answer,confidence,p:ape,p:cat,p:dog\nq1,cat,0.4,0.3,0.4,0.3\n"
            "q2,dog,0.3,0.3,0.1,0.3\nq3,ape,0.5,0.5,0.25,0.25\n"
        )
        problems = refused(bad, gold_of("cat", "dog", "ape"))
        assert places(problems) == [(3, "p:*", "bad-sum")]
        assert problems[0].message == "probabilities add up to 0.7"


class TestPairing:
    def test_an_id_given_twice_names_both_lines_also_of_an_identical_repeat(self):
        run = RUN + "q1,yes,0.9\nq2,no,0.8\nq3,yes,0.7\nq4,no,0.6\nq1,no,0.4\nq2,no,0.8\n"
        problems = refused(run, FOUR)
        assert [(p.line, p.field, p.code, p.message) for p in problems] == [
            (6, "id", "duplicate-id", "'q1' is already on line 2"),
            (7, "id", "duplicate-id", "'q2' is already on line 3"),
        ]

    def test_leaving_instances_out_is_refused(self):
        problems = refused(RUN + "q1,yes,0.9\nq3,yes,0.9\n", FOUR)
        assert places(problems) == [(None, "id", "missing-id")]
        assert problems[0].message == "2 of 4 instances are missing: 'q2', 'q4'"

    def test_leaving_instances_out_counts_as_wrong_at_confidence_1_where_allowed(self):
        found = graded(RUN + "q1,yes,0.9\nq3,yes,0.9\n", FOUR, 'missing = "worst"\n')
        by_key = {s.measure: s for s in found.scores if s.subset == "all"}
        assert (by_key["accuracy"].value, by_key["accuracy"].n) == (0.5, 4)
        assert (by_key["hmr"].value, by_key["r_o"].value) == (0, 0)
        assert (found.n, found.of, found.right) == (2, 4, 2)
        assert [n.message for n in found.notices] == [
            "2 of 4 instances are missing: 'q2', 'q4'; count as wrong at confidence 1"
        ]

    @pytest.mark.parametrize("run", ["", RUN, "\n\n\n", "\r\n", "\ufeff"])
    def test_a_run_without_rows_has_one_plain_message(self, run):
        problems = refused(run, FOUR)
        assert [(p.line, p.field, p.code, p.message) for p in problems] == [
            (None, None, "no-rows", "the file has no rows")
        ]

    @pytest.mark.parametrize(
        ("rule", "accuracy"), [("exact", 1 / 3), ("normalised", 1)], ids=["exact", "normalised"]
    )
    def test_matching_treats_gold_and_run_alike(self, rule, accuracy):
        gold = gold_of("yes ", "The cat", "Nein")
        toml = f'answers = "{rule}"\n'
        run = run_of(("yes", 0.9), ("The cat", 0.8), ("nein", 0.7))
        itself = run_of(("yes ", 0.9), ("The cat", 0.8), ("Nein", 0.7))
        assert values(run, gold, toml)["accuracy"] == pytest.approx(accuracy)
        assert values(itself, gold, toml)["accuracy"] == 1

    def test_gold_scored_against_itself_has_the_best_scores(self):
        found = values(run_of(("yes", 1), ("no", 1), ("yes", 1), ("no", 1)), FOUR)
        expected = {"accuracy": 1, "hmr": 1, "r_o": 1, "r_u": 1, "auroc": None}
        expected |= dict.fromkeys(("ece@10", "mce@10", "brier", "nll", "ks"), 0)
        assert only(found, expected) == near(expected)

    def test_one_reply_lists_everything_that_is_wrong(self):
        run = RUN + "q1,yes,0.9\nq2,no,1.5\nq5,yes,high\nzz,yes,0.5\nq1,no,0.5\n"
        problems = refused(run, gold_of("yes", "no", "yes", "no", "yes"))
        assert [(p.line, p.field, p.code, p.message) for p in problems] == [
            (None, "id", "missing-id", "2 of 5 instances are missing: 'q3', 'q4'"),
            (
                *(3, "confidence", "out-of-range"),
                "1.5 is not in the range 0 to 1; if it is a percentage, divide by 100",
            ),
            (
                *(4, "confidence", "not-a-number"),
                "'high' is not a plain decimal number from 0 to 1",
            ),
            (5, "id", "unknown-id", "'zz' is no id of this task"),
            (6, "id", "duplicate-id", "'q1' is already on line 2"),
        ]


class TestDelimited:
    def test_words_for_missing_values_are_answers_like_others(self):
        words = ["NA", "null", "None", "nan", "N/A", "NULL", "#N/A", "n/a", "NaN", "<NA>"]
        found = graded(run_of(*((w, 0.9) for w in words)), gold_of(*words))
        assert (found.n, found.right) == (10, 10)

    def test_a_byte_order_mark_sticks_to_no_header(self):
        gold = b"\xef\xbb\xbfid,answer,subset\nq1,yes,all\nq2,no,all\n"
        run = b"\xef\xbb\xbfid,answer,confidence\r\nq1,yes,0.9\r\nq2,no,0.8\r\n"
        found = graded(run, gold)
        assert (found.n, found.right) == (2, 2)

    def test_an_unclosed_quote_is_named_where_it_opens(self):
        problems = refused(RUN + 'q1,yes,0.9\nq2,"no,0.8\nq3,yes,0.7\n', THREE)
        assert places(problems) == [(3, "answer", "bad-quoting")]
        assert "never closed" in problems[0].message

    @pytest.mark.parametrize(
        ("body", "said"),
        [
            ("q1,yes,0.9,\nq2,no,0.8,\nq3,yes,0.7,\n", {2: 4, 3: 4, 4: 4}),
            ("q1,yes,0.9,\nq2,no,0.8\nq3,yes,0.7\n", {2: 4}),
            ("q1,yes,0.9\nq2,0.8\nq3,yes,0.7\n", {3: 2}),
        ],
        ids=["a comma ends every line", "a comma ends the first line", "a field is missing"],
    )
    def test_values_never_move_to_another_column(self, body, said):
        told = [p for p in refused(RUN + body, THREE) if p.code != "missing-id"]
        assert [(p.line, p.code, p.message) for p in told] == [
            (line, "column-count", f"{n} fields, the header has 3") for line, n in said.items()
        ]

    def test_semicolons_between_fields_are_said_once(self):
        problems = refused("id;answer;confidence\nq1;yes;0,9\nq2;no;0,8\nq3;yes;0,7\n", THREE)
        assert places(problems) == [(1, None, "separator")]
        assert "';'" in problems[0].message
        assert "'.' in decimals" in problems[0].message

    def test_a_decimal_comma_is_never_a_thousand(self):
        problems = refused(RUN + 'q1,yes,"0,9"\nq2,no,"0,8"\nq3,yes,"0,7"\n', THREE)
        assert places(problems) == [(n, "confidence", "not-a-number") for n in (2, 3, 4)]
        assert problems[0].message == "'0,9' has a decimal comma: write 0.9"

    def test_a_nul_is_refused_not_dropped(self):
        problems = refused(RUN + "q1,yes,0.9\nq2,n\0o,0.8\nq3,yes,0.7\n", THREE)
        told = [p for p in problems if p.code != "missing-id"]
        assert places(told) == [(3, "answer", "bad-character")]
        assert told[0].message == "the field holds a NUL character"

    def test_percentages_are_refused_where_the_task_does_not_declare_them(self):
        run = run_of(("yes", "85"), ("no", "100"), ("yes", "1"))
        problems = refused(run, THREE)
        assert places(problems) == [(n, "confidence", "out-of-range") for n in (2, 3)]
        assert all("0 to 1; if it is a percentage" in p.message for p in problems)
        assert values(run, THREE, 'confidence = "percent"\n')["confidence"] == pytest.approx(0.62)

    def test_percent_signs_are_refused_on_either_scale(self):
        run = run_of(("yes", "85%"), ("no", "100%"), ("yes", "1%"))
        for toml in ("", 'confidence = "percent"\n'):
            problems = refused(run, THREE, toml)
            assert places(problems) == [(n, "confidence", "not-a-number") for n in (2, 3, 4)]
            assert all("percent sign" in p.message for p in problems)

    @pytest.mark.parametrize("body", ["\n", "\r\n", "\r", "mixed", "no final line end"])
    def test_line_ends_change_nothing(self, body):
        lines = ["id,answer,confidence", "q1,yes,0.9", "q2,no,0.8", "q3,yes,0.7"]
        text = {
            "mixed": f"{lines[0]}\r\n{lines[1]}\n{lines[2]}\r\n{lines[3]}\n\r\n",
            "no final line end": "\n".join(lines),
        }.get(body) or "".join(line + body for line in lines)
        found = values(text, THREE)
        assert only(found, ALL_RIGHT) == near(ALL_RIGHT)
        assert [r.line for r in read(text.encode()) if isinstance(r, Raw)] == [2, 3, 4]

    def test_booleans_and_numbers_are_text(self):
        gold = gold_of("True", "False", "1", "1.0", "TRUE")
        answers = ("True", "true", "1.0", "1.0", "TRUE")
        run = run_of(*((a, 0.5) for a in answers))
        assert values(run, gold)["accuracy"] == 3 / 5
        assert values(run, gold, 'answers = "normalised"\n')["accuracy"] == 3 / 5


class TestJson:
    def test_line_separators_inside_strings_end_no_record(self):
        pairs = [("q1", "a\u2028b"), ("q2", "c\u0085d"), ("q3", "e\u2029f")]
        gold = "".join(f'{{"id":"{i}","answer":"{a}","subset":"all"}}\n' for i, a in pairs)
        lines = [f'{{"id":"{i}","answer":"{a}","confidence":0.9}}\n' for i, a in pairs]
        found = graded("".join(lines), gold)
        assert (found.n, found.right) == (3, 3)
        late = "".join([*lines[:2], lines[2].replace("0.9", "9")])
        assert places(refused(late, gold)) == [(3, "confidence", "out-of-range")]

    @pytest.mark.parametrize("key", ["answer", " answer", "\\u0061nswer"])
    def test_a_key_given_twice_is_refused(self, key):
        run = (
            f'{{"id":"q1","answer":"no","confidence":0.9,"{key}":"yes"}}\n'
            '{"id":"q2","answer":"no","confidence":0.8}\n'
            '{"id":"q3","answer":"yes","confidence":0.7}\n'
        )
        told = [p for p in refused(run, THREE) if p.code != "missing-id"]
        assert places(told) == [(1, "answer", "duplicate-key")]
        assert told[0].message == "the key 'answer' is given twice"

    def test_null_is_no_answer_and_no_word(self):
        gold = gold_of("true", "1", "None")
        run = (
            '{"id":"q1","answer":true,"confidence":0.9}\n{"id":"q2","answer":1,"confidence":0.8}\n'
            '{"id":"q3","answer":%s,"confidence":0.7}\n'
        )
        problems = refused(run % "null", gold)
        assert places(problems) == [(3, "answer", "wrong-type")]
        assert problems[0].message == "'answer' is null: write every answer as a text"
        assert values(run % '"None"', gold)["accuracy"] == 1  # true and 1 as they are spelled

    def test_an_array_is_read_with_the_lines_of_its_items(self):
        run = (
            '[\n {"id":"q1","answer":"yes","confidence":0.9},\n {"id":"q2",\n  "answer":"no",\n'
            '  "confidence":0.8},\n {"id":"q3","answer":"yes","confidence":%s}\n]\n'
        )
        assert only(values(run % "0.7", THREE), ALL_RIGHT) == near(ALL_RIGHT)
        assert places(refused(run % "7", THREE)) == [(6, "confidence", "out-of-range")]

    def test_objects_over_several_lines_have_one_message(self):
        run = '{\n  "id": "q1",\n  "answer": "yes",\n  "confidence": 0.9\n}\n' * 2
        problems = refused(run, THREE)
        said = "an object goes on over several lines; write one object a line"
        assert [(p.line, p.field, p.code, p.message) for p in problems] == [
            (1, None, "bad-json", said)
        ]


def spreadsheet():
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
    return held.getvalue()


class TestOtherFiles:
    @pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
    def test_latin_1_is_named_with_its_line_and_byte(self, mark):
        run = mark + "id,answer,confidence\nq1,yes,0.9\nq2,não,0.8\n".encode("latin-1")
        problems = refused(run, THREE)
        assert places(problems) == [(3, None, "not-utf8")]
        assert problems[0].message == "byte 0xE3 is not UTF-8: save the file as UTF-8"

    @pytest.mark.parametrize(
        ("payload", "said"),
        [
            (spreadsheet(), "the file looks like a spreadsheet (.xlsx)"),
            (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "the file looks like a PDF document"),
            (bytes((197 * i + 31) % 256 for i in range(1024)), "the file holds binary data"),
            ("id,answer\n".encode("utf-16"), "the file looks like UTF-16 text"),
        ],
        ids=["spreadsheet", "PDF", "noise", "UTF-16"],
    )
    def test_a_file_that_is_no_text_says_what_it_looks_like(self, payload, said):
        problems = refused(payload, THREE)
        assert places(problems) == [(None, None, "not-text")]
        assert problems[0].message.startswith(said)

    def test_text_of_two_bytes_a_character_is_one_problem(self):
        problems = refused((RUN + "q1,yes,0.9\n").encode("utf-16-le"), THREE)
        assert places(problems) == [(1, None, "bad-character")]

    def test_noise_never_ends_in_anything_but_problems(self):
        noise = random.Random(2)  # noqa: S311, no secret
        for _ in range(50):
            assert isinstance(walk(noise.randbytes(300), THREE), Rejected)
