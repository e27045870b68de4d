"""grader gold verify: is a released gold the one that was committed to?"""

from pathlib import Path

import click

from grader.cli._options import FILE, output


@click.command("verify")
@click.argument("file", type=FILE)
@click.option("--key", required=True, metavar="HEX", help="The commitment's key, as published.")
@click.option("--commitment", required=True, metavar="HEX", help="As it stood on the board.")
@output
def command(file: Path, key: str, commitment: str, form: str) -> None:
    """Compute the commitment of a released gold's CSV again, and compare; no database is needed.

    \b
        grader gold verify v1.csv --key 5f… --commitment 9a…
    """
    from grader.cli._say import say_json
    from grader.errors import Mistake
    from grader.releasing.verifying import recomputed

    try:
        salt, table = bytes.fromhex(key), file.read_bytes().decode()
    except ValueError as e:
        raise Mistake(f"the key is hexadecimal, and {file} is UTF-8: {e}") from e
    found = recomputed(table, salt)
    same = found == commitment.strip().lower()
    if form == "json":
        say_json({"commitment": found, "same": same})
    else:
        click.echo(f"{found}: {'as' if same else 'not as'} committed")
    raise SystemExit(0 if same else 1)
