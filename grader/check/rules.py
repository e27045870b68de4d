"""The rules a run must meet, and how to mend each mistake.

To add a rule: write the generator in the file it belongs to, list it in RULES, and put a file
that breaks it (and nothing else) in tests/specimens/. The site's rules page is made from here.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from grader.check import answers, bounds, confidences, ids
from grader.check.layout import Layout
from grader.model import Problem

Find = Callable[[Layout], Iterator[Problem]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A generator of problems, and for each code that it yields how to mend it."""

    find: Find
    mends: Mapping[str, str]


READING: Mapping[str, str] = {
    "too-large": "Send a smaller file; columns that the task does not read may be left out.",
    "not-text": "Send a CSV, TSV or JSONL file; in JSON write ids and answers as texts, "
    "confidences as numbers.",
    "bad-archive": "Pack one run, uncompressed or as .gz or .zip, without folders or passwords.",
    "wrong-format": "Write the file in a format that the task takes.",
    "not-utf8": "Save the file as UTF-8.",
    "bad-character": "Remove the character from the field.",
    "too-many-rows": "Send one line for each instance of the task.",
    "no-rows": "Write a header line and one line for each instance.",
    "separator": "Write ',' (or a tab) between fields and '.' in decimals.",
    "duplicate-column": "Give each column a name of its own.",
    "column-count": "Give each line as many fields as the header; quote fields that hold a comma.",
    "bad-quoting": 'Close the quote; write a quote inside a field twice ("").',
    "bad-json": "Write valid JSON: one object a line, or as the format says.",
    "bad-block": "Write <ID>, answer;confidence, the nuggets and </ID>, each on a line.",
    "bad-nugget": "Write number;run;rank;text, number and rank whole numbers from 1.",
    "unknown-source": "Cite the runs that the task lists, letter for letter.",
    "duplicate-key": "Write each key once in an object.",
}
SHAPE = Rule(
    ids.missing_column,
    {
        "missing-column": "Name the columns as the task does, letter for letter.",
        "too-many-classes": "Give the probabilities of the likeliest classes, or of the answer.",
    },
)
RULES = (
    Rule(ids.missing_key, {"missing-column": SHAPE.mends["missing-column"]}),
    Rule(ids.not_text, {"not-text": READING["not-text"]}),
    Rule(ids.empty_id, {"empty-id": "Give each line the id of its instance."}),
    Rule(ids.duplicate_id, {"duplicate-id": "Keep one line for each instance."}),
    Rule(
        ids.unknown_id,
        {"unknown-id": "Compare with the ids of the released test set, letter for letter."},
    ),
    Rule(
        ids.missing_id,
        {"missing-id": "Answer every instance; where unsure, with a low confidence."},
    ),
    Rule(
        answers.blank_answer,
        {"blank-answer": "Give an answer, with a low confidence if it is a guess."},
    ),
    Rule(answers.not_a_label, {"not-a-label": "Use the task's labels, letter for letter."}),
    Rule(
        answers.not_a_class,
        {"not-a-label": "Use the task's labels, letter for letter."},
    ),
    Rule(answers.not_numeric, {"not-numeric": "Write a plain number such as 12.5 or 1.25e1."}),
    Rule(
        confidences.bad_confidence,
        {
            "not-a-number": "Write a plain decimal such as 0.85, without % and with a point.",
            "out-of-range": "Write confidences on the scale that the task declares.",
        },
    ),
    Rule(
        confidences.bad_probability,
        {
            "not-a-number": "Write a plain decimal such as 0.85, without % and with a point.",
            "out-of-range": "Write confidences on the scale that the task declares.",
        },
    ),
    Rule(
        confidences.bad_sum,
        {"bad-sum": "Let the class probabilities of a line add up to 1, within 0.001."},
    ),
    Rule(
        confidences.no_probability,
        {
            "no-probability": "Give the probability of the answer that the line gives; "
            "of a refusal, a confidence.",
            "two-confidences": "Leave the confidence out, or write the answer's probability.",
        },
    ),
    Rule(
        bounds.bad_bound,
        {"not-a-bound": "Write a plain number; where an interval has no end, -inf or inf."},
    ),
    Rule(bounds.crossed, {"crossed-bounds": "Write the lower end of the interval as lower."}),
    Rule(bounds.bad_point, {"not-numeric": "Write a plain number such as 12.5 or 1.25e1."}),
)
MENDS: Mapping[str, str] = {
    **READING,
    **{code: mend for rule in (SHAPE, *RULES) for code, mend in rule.mends.items()},
}
