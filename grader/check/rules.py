"""The rules a run must meet, and how to mend each mistake.

To add a rule: write the generator in the file it belongs to, list it in RULES, say in JUDGING how
to mend each code that it yields, in WAIVABLE what it means if it is overlooked (unless that makes
no sense), and put a file that breaks it (and nothing else) in tests/specimens/. The site's rules
page is made from here.
"""

from collections.abc import Callable, Iterator, Mapping

from grader.check import answers, bounds, confidences, ids
from grader.check.layout import Layout
from grader.model import Problem

Rule = Callable[[Layout], Iterator[Problem]]

READING: Mapping[str, str] = {
    "too-large": "Send a smaller file: fewer decimals, and no column that the task does not read.",
    "not-text": "Send the table itself, as a CSV, TSV or JSONL file.",
    "bad-archive": "Pack it again as a plain .gz or .zip: no password, link or archive in it.",
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
JUDGING: Mapping[str, str] = {
    "missing-column": "Name the columns as the task does, letter for letter.",
    "too-many-classes": "Give the probabilities of the likeliest classes, or of the answer.",
    "wrong-type": "In JSON write ids and answers as texts, confidences as numbers.",
    "empty-id": "Give each line the id of its instance.",
    "duplicate-id": "Keep one line for each instance.",
    "unknown-id": "Compare with the ids of the released test set, letter for letter.",
    "missing-id": "Answer every instance; where unsure, with a low confidence.",
    "blank-answer": "Give an answer, with a low confidence if it is a guess.",
    "not-a-label": "Use the task's labels, letter for letter.",
    "not-numeric": "Write a plain number such as 12.5 or 1.25e1.",
    "not-a-number": "Write a plain decimal such as 0.85, without % and with a point.",
    "out-of-range": "Write confidences on the scale that the task declares.",
    "bad-sum": "Let the class probabilities of a line add up to 1, within 0.001.",
    "no-probability": "Give the probability of the answer that the line gives; of a refusal, a "
    "confidence.",
    "two-confidences": "Leave the confidence out, or write the answer's probability.",
    "not-a-bound": "Write a plain number; where an interval has no end, -inf or inf.",
    "crossed-bounds": "Write the lower end of the interval as lower.",
}
MENDS: Mapping[str, str] = {**READING, **JUDGING}
# What it means when organisers overlook a problem in a run; all others have no sound meaning.
WAIVABLE: Mapping[str, str] = {
    "missing-id": "an instance left out counts as wrong at confidence 1",
    "unknown-id": "a line of an unknown id is passed over",
    "blank-answer": "a blank answer is wrong",
    "not-a-label": "an answer that is no label is wrong",
    "not-numeric": "an answer that is no number is wrong",
    "two-confidences": "the probability of the answer is its confidence",
    "unknown-source": "what a nugget cites is not looked at",
}
SHAPE: Rule = ids.missing_column
RULES: tuple[Rule, ...] = (
    ids.missing_key,
    ids.wrong_type,
    ids.empty_id,
    ids.duplicate_id,
    ids.unknown_id,
    ids.missing_id,
    answers.blank_answer,
    answers.not_a_label,
    answers.not_a_class,
    answers.not_numeric,
    confidences.bad_confidence,
    confidences.bad_probability,
    confidences.bad_sum,
    confidences.no_probability,
    bounds.bad_bound,
    bounds.crossed,
    bounds.bad_point,
)
