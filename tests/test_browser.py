"""A board in a browser: sorting, filters, columns, the address, and all of it without script."""

from itertools import chain
from urllib.parse import quote

import crowd
import pytest
from browsing import address, quiet, written
from reading import BOARD
from sites import IMAGE, SCRIPT, exams

from grader.board import rank, score, visible
from grader.model import Snapshot

NAMES = """bodies => bodies.map(body => [...body.querySelectorAll("tr[id]")].map(row => row.id))"""


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """A board of 300 runs, which are more than a page shows at first."""
    return written(crowd.files(crowd.crowd(300)), tmp_path_factory.mktemp("crowd"))


@pytest.fixture
def board(page, made_up):
    page.goto(address(made_up, BOARD))
    return page


def shown(page):
    """The runs of each body of the board, in the order in which they stand."""
    bodies = page.locator(".sortable tbody:visible").evaluate_all(NAMES)
    return [[name.removeprefix("run-") for name in body] for body in bodies]


def button(page, column):
    return page.locator(f'.sortable th[data-col="{column}"] button')


def marked(page):
    """Which column a table says it is sorted by, and how."""
    found = page.locator(".sortable th[aria-sort]")
    each = found.evaluate_all(
        "all => all.map(th => [th.dataset.col, th.getAttribute('aria-sort')])"
    )
    return [tuple(one) for one in each]


def ranked():
    (seen,) = visible(Snapshot((exams(),), exams().entries[0].received), "public").tasks
    return [row.entry for row in rank(seen).ranked]


def ordered(key, better):
    """The ranked runs by the printed value, the best first, undefined ones last."""
    sign = -1 if better == "higher" else 1

    def place(entry):
        value = score(entry, key).value
        return (value is None, 0 if value is None else sign * float(f"{value:.3f}"))

    return [entry.slug for entry in sorted(ranked(), key=place)]


@pytest.mark.parametrize(
    ("key", "better", "first", "other"),
    [
        ("brier", "lower", "ascending", "descending"),
        ("accuracy", "higher", "descending", "ascending"),
        ("auroc", "higher", "descending", "ascending"),
    ],
)
def test_a_click_sorts_best_first_and_another_worst_first(board, key, better, first, other):
    apart = shown(board)[1]
    if key == "auroc":
        board.get_by_text("Columns", exact=True).click()
        board.get_by_label("AUROC", exact=True).check()
    button(board, key).click()
    assert marked(board) == [(key, first)]
    assert shown(board) == [ordered(key, better), shown(board)[1]]
    assert sorted(shown(board)[1]) == sorted(apart)
    button(board, key).click()
    assert marked(board) == [(key, other)]
    worst = {"lower": "higher", "higher": "lower"}[better]
    assert shown(board)[0] == ordered(key, worst)
    assert f"#sort={key}:{other}" in board.url


def test_undefined_values_stand_last_both_ways(board):
    undefined = next(e.slug for e in ranked() if score(e, "auroc").value is None)
    board.goto(board.url + "#cols=auroc")
    for _ in range(2):
        button(board, "auroc").click()
        assert shown(board)[0][-1] == undefined


def test_the_keyboard_sorts_and_the_rank_brings_the_board_back(board):
    before = shown(board)
    button(board, "team").focus()
    board.keyboard.press("Enter")
    assert marked(board) == [("team", "ascending")]
    teams = {e.slug: e.team for e in ranked()}
    plain = [teams[slug] for slug in shown(board)[0] if teams[slug].isascii()]
    assert plain[-2:] == ["Laboratory" * 20, "Tom & Jerry <3"]
    board.keyboard.press("Space")
    assert marked(board) == [("team", "descending")]
    board.keyboard.press("Shift+Tab")
    board.keyboard.press("Enter")
    assert marked(board) == [("rank", "ascending")]
    assert shown(board) == before
    assert "#" not in board.url


def test_search_and_filters_leave_rows_with_the_ranks_that_they_have(board):
    rank_of = board.locator("#run-run-2 td.rank").inner_text()
    tally = board.get_by_role("status")
    assert tally.inner_text() == "10 of 10 rows"
    board.get_by_role("searchbox").fill("  TOM jerry ")
    assert shown(board) == [["run-2"]]
    assert board.locator("tbody td.rank:visible").all_inner_texts() == [rank_of]
    assert tally.inner_text() == "1 of 10 rows"
    board.get_by_role("searchbox").fill("")
    board.get_by_label("Team", exact=True).select_option(label="Aster")
    assert sorted(shown(board)[0]) == ["run-6", "run-7"]
    board.get_by_label("One run per team").check()
    assert shown(board) == [[next(e.slug for e in ranked() if e.team == "Aster")]]
    board.get_by_role("button", name="Reset").click()
    board.get_by_label("Flag", exact=True).select_option("baseline")
    assert shown(board) == [["run-9"]]
    board.get_by_label("Flag", exact=True).select_option("leave-out")
    assert shown(board) == [["run-6"]]
    board.get_by_label("Flag", exact=True).select_option("convention")
    assert shown(board)[0] == ["run-7"]
    board.get_by_role("searchbox").fill("nobody is called so")
    assert tally.inner_text() == "0 of 10 rows"
    assert shown(board) == []
    assert not board.locator(".ranking").is_visible()
    instead = board.get_by_text("No run matches.")
    instead.get_by_role("button", name="Reset").click()
    assert tally.inner_text() == "10 of 10 rows"
    assert len(shown(board)[0]) == 7
    assert not instead.is_visible()
    assert board.evaluate("document.activeElement.name") == "q"


def test_of_each_team_the_best_ranked_run_stays(board):
    board.get_by_label("One run per team").check()
    best = {}
    for entry in ranked():
        best.setdefault(entry.team, entry.slug)
    assert shown(board)[0] == list(best.values())
    assert board.get_by_role("status").inner_text() == f"{len(best) + 2} of 10 rows"


def test_names_in_the_controls_are_text(board):
    teams = board.get_by_label("Team", exact=True).locator("option").all_inner_texts()
    assert {SCRIPT, IMAGE, "東京", "Aster"} <= set(teams)
    assert board.locator("img").count() == 0


def test_columns_are_chosen_here_and_in_the_rows_for_comparison(board):
    def heads(table):
        found = board.locator(f"{table} th[data-col]:visible")
        return found.evaluate_all("all => all.map(th => th.dataset.col)")

    usual = ["rank", "team", "hmr", "reliability"]
    usual += ["accuracy", "brier", "r_o", "r_u", "ece@10", "n"]
    assert heads(".sortable") == usual
    board.locator("details.compared summary").click()
    assert heads(".references") == ["hmr", *usual[4:-1]]
    board.get_by_text("Columns", exact=True).click()
    board.get_by_label("Brier", exact=True).uncheck()
    board.get_by_label("Bias", exact=True).check()
    assert heads(".references")[1:3] == ["accuracy", "r_o"]
    assert "bias" in heads(".sortable")
    assert "brier" not in heads(".sortable")
    head, *rest = board.locator(".sortable tr[id]").all()
    for row in (head, *rest):
        assert row.locator("td:visible").count() == len(heads(".sortable")) - 1
    chosen = [c for c in [*usual[2:-1], "bias", "n"] if c != "brier"]
    assert board.url.endswith("#cols=" + ",".join(quote(c, safe="") for c in chosen))
    board.keyboard.press("Escape")
    assert not board.get_by_label("Bias", exact=True).is_visible()


def test_the_address_brings_everything_back(board, browser, made_up):
    team = next(e.team_slug for e in ranked() if e.team == "Aster")
    state = f"#sort=brier:descending&q=a%20a&team={team}&one=1&cols=brier,n"
    board.goto(address(made_up, BOARD) + state)
    assert marked(board) == [("brier", "descending")]
    assert board.get_by_role("searchbox").input_value() == "a a"
    assert len(shown(board)[0]) == 1
    board.get_by_label("One run per team").uncheck()
    assert board.url.endswith(state.replace("&one=1", ""))
    assert len(shown(board)[0]) == 2
    board.evaluate("location.hash = '#flag=baseline'")
    board.wait_for_function("document.querySelectorAll('.sortable tr[id]').length === 1")
    assert shown(board) == [["run-9"]]
    assert marked(board) == [("rank", "ascending")]
    board.get_by_role("button", name="Reset").click()
    assert len(shown(board)[0]) == 7
    assert "#" not in board.url
    with quiet(browser) as other:
        other.goto(address(made_up, BOARD) + "#team=nobody&sort=nothing:up&cols=%")
        assert len(shown(other)[0]) == 7


def test_the_state_goes_along_to_the_board_of_a_subset_and_back(board):
    button(board, "brier").click()
    board.locator(".switcher a", has_text="Law").click()
    board.wait_for_url("**/subset/exam.law.html#sort=brier:ascending")
    assert marked(board) == [("brier", "ascending")]
    (seen,) = visible(Snapshot((exams(),), exams().entries[0].received), "public").tasks
    values = [
        float(
            f"{score(next(e for e in seen.entries if e.slug == s), 'brier', 'exam=Law').value:.3f}"
        )
        for s in shown(board)[0]
    ]
    assert values == sorted(values)
    assert "A family of its own" in board.locator("main").inner_text()
    board.get_by_label("One run per team").check()
    board.locator(".switcher a", has_text="Whole task").click()
    board.wait_for_url("**/index.html#sort=brier:ascending&one=1")


def test_a_long_board_shows_its_first_rows_and_all_on_demand(page, browser, many):
    page.goto(address(many, "crowd/index.html"))
    tally = page.get_by_role("status")
    assert tally.inner_text() == "first 50 of 300 rows"
    assert len([*chain(*shown(page))]) == 50
    page.get_by_label("One run per team").check()  # there are half as many teams as runs
    assert tally.inner_text() == "first 50 of 150 that match, of 300 rows"
    page.get_by_label("One run per team").uncheck()
    page.get_by_role("button", name="Show all 300 rows").click()
    assert len([*chain(*shown(page))]) == 300
    assert tally.inner_text() == "300 of 300 rows"
    assert not page.locator(".more").is_visible()
    with quiet(browser, java_script_enabled=False) as bare:
        bare.goto(address(many, "crowd/index.html"))
        assert len([*chain(*shown(bare))]) == 300
        assert bare.locator(".controls, .more").locator("visible=true").count() == 0
        assert bare.locator("th button:enabled").count() == 0
        assert bare.locator(".sortable th[data-col=nll]").is_hidden()
        bare.get_by_label("All 8 measures").check()
        assert bare.locator(".sortable th[data-col=nll]").is_visible()


def test_a_link_to_a_run_shows_its_row_wherever_it_stands(page, many):
    page.goto(address(many, "crowd/index.html"))
    page.get_by_role("button", name="Show all").click()
    last, first = shown(page)[0][-1], shown(page)[0][0]
    page.goto("about:blank")
    page.goto(address(many, f"crowd/index.html#run-{last}"))
    for slug in (last, first):
        page.evaluate("slug => { location.hash = '#run-' + slug }", slug)
        row = page.locator(f"tr.sought#run-{slug}")
        row.wait_for()
        box = row.bounding_box()
        assert 0 < box["y"] < page.viewport_size["height"]
    assert page.locator("tr.sought").count() == 1
    page.get_by_role("searchbox").fill("nothing")
    page.evaluate("slug => { location.hash = '#run-' + slug }", last)
    page.locator(f"tr.sought#run-{last}").wait_for()
    assert page.get_by_role("searchbox").input_value() == ""


def test_titles_stand_in_the_head_of_every_printed_page(page, many):
    # A repeated head lacks what stands in buttons, if they are boxes.
    page.goto(address(many, "crowd/index.html"))
    page.emulate_media(media="print")
    boxes = "all => all.map(e => getComputedStyle(e).display)"
    buttons = page.locator("thead button").evaluate_all(boxes)
    assert (len(buttons), set(buttons)) == (12, {"contents"})
    assert page.locator("thead .title:visible").all_inner_texts()[1:3] == ["HMR", "Reliability"]


def test_head_and_first_column_stay_in_view(page, many):
    page.goto(address(many, "crowd/index.html"))
    page.mouse.wheel(0, 3000)
    head = page.locator(".ranking thead")
    page.wait_for_function("window.scrollY > 2500")
    assert head.bounding_box()["y"] == 0  # the table fits, so its head stays at the window's top
    page.set_viewport_size({"width": 360, "height": 700})
    box = page.locator(".ranking")
    box.evaluate("box => { box.scrollIntoView(); box.scrollBy(150, 900) }")
    page.wait_for_function("document.querySelector('.ranking').scrollTop > 800")
    assert head.bounding_box()["y"] == pytest.approx(box.bounding_box()["y"], abs=2)
    team = page.locator(".ranking tr[id] th").nth(15)
    assert team.bounding_box()["x"] < 80
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_signs_between_rows_stand_only_where_rows_stand_as_ranked(page, tmp_path):
    site = written(crowd.files(crowd.crowd(6, compared=True)), tmp_path)
    page.goto(address(site, "crowd/index.html"))
    assert page.locator(".against:visible").count() == 5
    button(page, "brier").click()
    assert page.locator(".against:visible").count() == 0
    button(page, "rank").click()
    page.get_by_role("searchbox").fill("forest")
    assert page.locator(".against:visible").count() == 0


def picking(page):
    return page.locator(".picking [aria-live]").inner_text().strip()


def test_ticked_runs_are_compared_and_stand_in_the_address(board):
    first, second, third, fourth, fifth = shown(board)[0][:5]
    assert picking(board) == "Tick 2 to 4 runs to compare them"
    box = board.locator(f"#run-{second}").get_by_role("checkbox")
    names = board.locator(f"#run-{second} th bdi").all_text_contents()
    assert box.get_attribute("aria-label") == "Compare " + " · ".join(names)
    box.focus()
    board.keyboard.press("Space")
    assert board.evaluate("document.activeElement.value") == second
    assert not board.get_by_role("link", name="Compare 1").is_visible()
    board.locator(f"#run-{first}").get_by_role("checkbox").check()
    board.wait_for_url(f"**#pick={second},{first}")
    board.get_by_role("searchbox").fill("nobody is called so")
    assert picking(board) == "Compare 2 runs"
    board.get_by_role("searchbox").fill("")
    for slug in (third, fourth):
        board.locator(f"#run-{slug}").get_by_role("checkbox").check()
    assert picking(board) == "Compare 4 runs the most at once"
    assert board.locator(f"#run-{fifth}").get_by_role("checkbox").is_disabled()
    board.locator(f"#run-{second}").get_by_role("checkbox").uncheck()
    board.locator(f"#run-{fifth}").get_by_role("checkbox").check()
    ground = "e => getComputedStyle(e).backgroundColor"
    n_of = [board.locator(f"#run-{slug} td.n").evaluate(ground) for slug in (first, second)]
    assert len(set(n_of)) == 2  # a row that is ticked stands out
    board.get_by_role("link", name="Compare 4 runs").click()
    board.wait_for_url(f"**/compare.html#runs={first},{third},{fourth},{fifth}")
    assert board.locator(".picked li").count() == 4
    board.go_back()
    board.wait_for_url("**/index.html#pick=*")
    assert picking(board) == "Compare 4 runs the most at once"
    board.get_by_role("button", name="Reset").click()
    assert board.locator(".pick :checked").count() == 0


def test_the_way_to_the_comparison_stays_in_sight_on_a_long_board(page, tmp_path):
    site = written(crowd.files(crowd.crowd(60)), tmp_path)
    page.set_viewport_size({"width": 360, "height": 500})
    page.goto(address(site, "crowd/index.html"))
    slugs = shown(page)[0]
    assert page.locator(".picking button").is_hidden()
    last = page.locator(f"#run-{slugs[-1]}")
    last.scroll_into_view_if_needed()
    before = last.bounding_box()
    for slug in slugs[-2:]:
        page.locator(f"#run-{slug}").get_by_role("checkbox").check()
    assert last.bounding_box() == before  # rows stay where they are
    link = page.get_by_role("link", name="Compare 2 runs")
    box = link.bounding_box()
    assert 0 <= box["y"] <= 500 - box["height"]
    assert 0 <= box["x"] <= 360 - box["width"]
    page.get_by_role("button", name="Untick all").click()
    assert page.locator(".pick :checked").count() == 0
    assert picking(page) == "Tick 2 to 4 runs to compare them"
    assert last.bounding_box() == before
    assert page.evaluate("document.activeElement.type") == "checkbox"
    assert page.url.endswith("index.html")


def test_a_ticked_box_leads_to_the_comparison_by_keyboard_and_so_does_the_tab(board):
    third, fourth = shown(board)[0][2:4]
    tab = board.locator(".tasknav").get_by_role("link", name="Compare")
    there = tab.get_attribute("href")
    assert "#" not in there
    box = board.locator(f"#run-{third}").get_by_role("checkbox")
    box.focus()
    board.keyboard.press("Space")
    assert tab.get_attribute("href").endswith(f"#runs={third}")
    board.keyboard.press("Enter")  # one run is not compared
    told = board.locator("#" + box.get_attribute("aria-describedby"))
    assert told.inner_text() == "Enter on a ticked box compares, once two are ticked"
    board.mouse.click(1, 1)
    assert told.is_hidden()
    board.locator(f"#run-{fourth}").get_by_role("checkbox").focus()
    board.keyboard.press("Enter")  # nor does a box that is not ticked lead anywhere
    board.keyboard.press("Space")
    board.wait_for_url(f"**#pick={third},{fourth}")
    assert told.is_visible()
    assert tab.get_attribute("href").endswith(f"#runs={third},{fourth}")
    board.keyboard.press("Enter")
    board.wait_for_url(f"**/compare.html#runs={third},{fourth}")
    board.go_back()
    board.wait_for_url("**/index.html#pick=*")
    board.get_by_role("button", name="Untick all").click()
    assert "#" not in tab.get_attribute("href")
    board.locator(f"#run-{third}").get_by_role("checkbox").check()
    tab.click()
    board.wait_for_url(f"**/compare.html#runs={third}")


def test_only_runs_with_scores_are_ticked(board):
    board.goto(board.url + "#pick=nobody,run-10,run-2")
    assert board.locator("#run-run-10 input").count() == 0
    assert board.locator(".pick :checked").evaluate_all("all => all.map(e => e.value)") == [
        "run-2"
    ]
    assert picking(board) == "1 run is ticked: tick another to compare them"


def test_a_team_on_a_board_leads_to_its_page(board):
    team = board.locator("#run-run-2 th a").first
    name = team.inner_text()
    team.click()
    board.wait_for_url("**/team/*.html")
    assert name in board.get_by_role("heading", level=1).inner_text()


SAID = """() => [...document.querySelectorAll(".sortable tbody td.num[title]:not(.primary)")]
  .filter(cell => cell.checkVisibility())
  .map(cell => [cell.title, getComputedStyle(cell, "::after").content])"""


def test_intervals_of_all_columns_are_told_to_who_has_no_mouse(browser, board, made_up):
    assert {after for _, after in board.evaluate(SAID)} == {"none"}
    board.locator("#spans").press("Space")
    assert board.url.endswith("#spans=1")
    told = board.evaluate(SAID)
    assert all(after == f'"{title}"' for title, after in told if '"' not in title)
    assert sum("95% interval 0.061–0.988" in after for _, after in told) > 1
    board.goto("about:blank")
    board.goto(address(made_up, BOARD) + "#spans=1")
    assert board.evaluate(SAID) == told
    board.get_by_role("button", name="Reset", exact=True).first.click()
    assert not board.locator("#spans").is_checked()
    with quiet(browser, java_script_enabled=False) as bare:
        bare.goto(address(made_up, BOARD))
        row = bare.locator(".sortable tbody tr[id]").first
        before = row.bounding_box()["height"]
        bare.locator("#spans").check()
        assert row.bounding_box()["height"] > before
