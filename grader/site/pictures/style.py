"""The style of a picture that stands alone: the site's own, with its colours written out."""

import re

_RULES = re.compile(r"([^{}]+)\{([^{}]*)\}")
_PROPERTY = re.compile(r"(--[\w-]+):\s*([^;}]+)")
_USE = re.compile(r"var\((--[\w-]+)\)")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
SCHEMES = {"light": "", "dark": "(prefers-color-scheme: dark)", "print": "print"}


def palettes(site: str) -> dict[str, dict[str, str]]:
    """The custom properties of a style sheet: by light, dark and print, each of them whole.

    >>> sheet = ":root{--a: red;--b: #000}@media print{:root{--a: blue}}"
    >>> palettes(sheet)["light"], palettes(sheet)["print"]
    ({'--a': 'red', '--b': '#000'}, {'--a': 'blue', '--b': '#000'})
    """
    plain = _COMMENT.sub("", site)
    found: dict[str, dict[str, str]] = {}
    for scheme, query in SCHEMES.items():
        inside = plain if not query else _block(plain, f"@media {query}")
        own: dict[str, str] = {}
        for selector, body in _RULES.findall(inside):
            if selector.strip().rpartition("{")[2].strip() == ":root" and not own:
                own = {name: value.strip() for name, value in _PROPERTY.findall(body)}
        found[scheme] = found.get("light", {}) | own
    return found


def _block(sheet: str, start: str) -> str:
    """What stands in the blocks of a media query, one after the other."""
    parts, at = [], sheet.find(start)
    while at >= 0:
        begin = sheet.index("{", at) + 1
        end, depth = begin, 1
        while depth:
            depth += {"{": 1, "}": -1}.get(sheet[end], 0)
            end += 1
        parts.append(sheet[begin : end - 1])
        at = sheet.find(start, end)
    return "".join(parts)


def alone(site: str, pictures: str) -> str:
    """The rules of pictures with the site's colours in them, light, dark and in print.

    Programs that set papers know no custom properties.

    >>> alone(":root{--a: red}@media print{:root{--a: blue}}", "p{fill: var(--a);x: y}")
    'p{fill: red;x: y}@media print{p{fill: blue}}'
    """
    rules = _RULES.findall(_COMMENT.sub("", pictures))
    colours = palettes(site)
    said = "".join(_written(rules, colours["light"]))
    for scheme, query in SCHEMES.items():
        changed = {k: v for k, v in colours[scheme].items() if v != colours["light"].get(k)}
        own = "".join(_written(rules, changed, only=True)) if query else ""
        said += f"@media {query}{{{own}}}" if own else ""
    return said


def _written(
    rules: list[tuple[str, str]], colours: dict[str, str], *, only: bool = False
) -> list[str]:
    """The rules with colours for their names; ``only`` the declarations that use one of them."""
    made = []
    for selector, body in rules:
        lines = [line.strip() for line in body.split(";") if line.strip()]
        kept = [
            _USE.sub(lambda m: colours[m[1]], line)
            for line in lines
            if not only or any(name in colours for name in _USE.findall(line))
        ]
        if kept:
            made.append(f"{selector.strip()}{{{';'.join(kept)}}}")
    return made
