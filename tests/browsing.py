"""Pages in the system's Chromium, as their readers see them."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Request, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser without a window; where there is none its tests are skipped."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip("no Chromium on the PATH: what pages do in a browser is not tested here")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def quiet(browser: Browser, **settings: object) -> Iterator[Page]:
    """A new page that says nothing on its console and asks for nothing outside its folder.

    settings  of Playwright's new_context, as color_scheme="dark" or java_script_enabled=False
    """
    said: list[str] = []
    context = browser.new_context(**settings)
    page = context.new_page()
    page.on("console", lambda message: said.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: said.append(f"error: {error}"))
    page.on("request", lambda r: None if _near(r.url) else said.append(f"asks for {r.url}"))
    page.on("requestfailed", lambda r: said.append(f"cannot load {r.url}") if _lost(r) else None)
    yield page
    context.close()
    assert not said, said


def _lost(request: Request) -> bool:
    """Whether it failed by itself; what is on its way when a page is left is cut off."""
    return request.failure != "net::ERR_ABORTED"


def _near(url: str) -> bool:
    return url.startswith(("file:", "data:", "blob:"))


def address(site: Path, path: str) -> str:
    """The address of a page that may have a query and a fragment."""
    name, *rest = path.partition("#")
    return (site / name).as_uri() + "".join(rest)


# It would fetch the style sheet, which pages forbid; one rule, on turned screens, needs that.
_ASKED = {"resultTypes": ["violations"], "preload": False}


def violations(page: Page) -> list[tuple[str, str]]:
    """What axe-core finds: the rule, and the element that breaks it."""
    found = Axe().run(page, options=_ASKED).response["violations"]
    return [(one["id"], node["html"][:200]) for one in found for node in one["nodes"]]


def written(files: dict[str, bytes], folder: Path) -> Path:
    """The files of a site on disk."""
    for path, content in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return folder
