"""Benchmarks: how ours compares with a reference, in one run on one machine.

    python bench/run.py [--json FILE] [NAME …]

A file here with a ``ROWS`` tuple of functions is a set of benchmarks; each function returns one
Row. Most are ratios of two works that take turns, the best of several repetitions each, since
noise only adds. The row of a board runs its reference once, before ours, on part of the pairs. The
rows of memory are a process of its own each, against a size; that of grading is seconds alone.
"""

import argparse
import importlib
import json
import pkgutil
import platform
import sys
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))


def main() -> None:
    """Run the benchmarks named, or all, print the table and write the JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, help="write the rows to this file")
    parser.add_argument("names", nargs="*", help="files of benchmarks to run")
    given = parser.parse_args()
    found = [m.name for m in pkgutil.iter_modules([str(Path(__file__).parent)])]
    modules = [
        importlib.import_module(n) for n in given.names or found if n not in ("run", "side")
    ]
    peers = ", ".join(f"{p} {version(p)}" for p in ("numpy", "scipy", "scikit-learn", "probcal"))
    print(f"Python {platform.python_version()}, {peers}, {platform.machine()}")
    rows = []
    for row in (function() for m in modules for function in getattr(m, "ROWS", ())):
        rows.append(asdict(row))
        verdict = "" if row.holds is None else "holds" if row.holds else "MISSED"
        print(
            f"{row.work}: {row.ours_s:.4g} s, {row.reference}: {row.reference_s:.4g} s", end="; "
        )
        print(f"ratio {row.ratio:.3g} (reach {row.reach}) {verdict}", flush=True)
    if given.json:
        given.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
