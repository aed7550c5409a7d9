"""The page in a real Chromium, by keyboard alone."""

import re
import subprocess

import numpy as np
import pytest

import satsuma
from satsuma import Table
from satsuma.app.labelling.task import task_of, with_target
from satsuma.app.store.log import Log
from satsuma.app.store.log_file import log_path
from tests.app.serving import fruit_task, fruits, served, truth
from tests.app.store.test_disk import fill, mounted
from tests.browser import watched

_INJECTED = """
() => {
  const script = document.createElement("script");
  script.textContent = "window.hit = 2";
  document.body.append(script);
  document.body.insertAdjacentHTML("beforeend", '<img src=x onerror="window.hit = 3">');
}
"""
SEVEN = ("apple", "pear", "plum", "fig", "lime", "date", "kiwi")


def opened(browser, server, **how):
    """A page with the first question on it."""
    found = watched(browser, **how)
    found.page.goto(server.link())
    found.page.wait_for_selector(".row")
    return found


def row_of(page):
    """The row that is asked about, once the script of the page has told which it is."""
    return page.get_attribute("[data-satsuma][data-row]", "data-row")


def press(page, key):
    """One key, and what comes of it: another row, or the same one again."""
    with page.expect_response(re.compile("/answer|/ask")) as reply:
        page.keyboard.press(key)
    assert reply.value.status == 200, reply.value.text()
    page.wait_for_selector("main:not([aria-busy])")


def answer(server, page, classes=("sweet", "sour")):
    value = truth(server.session.task.table, server.session.keys.find(row_of(page)), classes)
    press(page, str(classes.index(value) + 1))
    return value


@pytest.mark.parametrize("classes", [("sweet", "sour"), SEVEN], ids=["two", "seven"])
def test_fifty_labels_by_keyboard_alone(browser, tmp_path, classes):
    task = fruit_task(150, classes)
    with served(task, tmp_path / "x.sqlite") as server:
        seen = opened(browser, server)
        page, said = seen.page, {}
        for at in range(50):
            row = row_of(page)
            said[row] = answer(server, page, classes)
            assert row_of(page) != row
            if at == 9:  # undo, and answer again
                last = row
                press(page, "z")
                assert row_of(page) == last
                said[last] = answer(server, page, classes)
            if at == 15:
                skipped = row_of(page)
                press(page, "s")
                assert row_of(page) != skipped
            if at == 20:
                unsure = row_of(page)
                press(page, "u")
                assert row_of(page) != unsure
            if at == 25:
                held = row_of(page)
                page.keyboard.press("c")
                page.keyboard.type("a word, 1 2 s u z")
                with page.expect_response("**/answer"):
                    page.keyboard.press("Control+Enter")
                page.wait_for_selector(".comments")
                assert "a word, 1 2 s u z" in page.inner_text(".comments")
                assert row_of(page) == held
            if at == 30:  # nothing is lost by a reload
                held, text = row_of(page), page.inner_text(".progress")
                page.reload()
                page.wait_for_selector(".row")
                assert row_of(page) == held
                assert page.inner_text(".progress") == text
        settled = server.session.state.labels
        assert {server.session.keys[row]: value for row, value in settled.items()} == said
        what = [event.what for event in server.session.log.after(0)]
        assert [what.count(w) for w in ("label", "undo", "skip", "unsure", "comment")] == [
            51, 1, 1, 1, 1,
        ]  # fmt: skip
        # A doubtful answer may have come back for a second look meanwhile.
        assert f"{len(said)} labels" in page.inner_text(".progress")
        assert len(said) > 45
        assert all(event.took > 0 for event in server.session.log.after(0))
        assert seen.complaints == []
        assert all(url.startswith(server.origin) for url in seen.requests)
        assert seen.violations() == []
        page.context.close()


def test_an_answer_that_is_not_in_the_list(browser, tmp_path):
    with served(task_of(fruits(30)), tmp_path / "x.sqlite") as server:
        page = opened(browser, server).page
        for name in ("ripe", "raw"):
            page.keyboard.press("n")
            page.keyboard.type(name)
            press(page, "Enter")
        assert page.locator(".choices .choice").all_inner_texts() == ["1\nripe", "2\nraw"]
        press(page, "2")
        assert sorted(server.session.state.labels.values()) == ["raw", "raw", "ripe"]
        page.context.close()


def test_two_browsers_side_by_side(browser, tmp_path):
    with served(fruit_task(80), tmp_path / "x.sqlite") as server:
        ada = opened(browser, server).page
        ada.keyboard.press("Tab")
        ada.click("[data-do=name]")
        with ada.expect_response("**/invite"):
            ada.click("[data-do=invite]")
        ada.wait_for_selector("[data-part=link]:not([hidden])")
        link = ada.input_value("[data-part=link]")
        ada.keyboard.press("Escape")
        other = watched(browser)
        bob = other.page
        bob.goto(link)
        bob.wait_for_selector("dialog[open]")
        bob.keyboard.type("Bob")
        bob.keyboard.press("Enter")
        bob.wait_for_selector(".row")
        for _ in range(12):
            assert row_of(ada) != row_of(bob)
            answer(server, ada)
            press(bob, "2")
        people = server.session.state.people
        assert {who: len(p.labelled) for who, p in people.items()} == {"Ada": 12, "Bob": 12}
        ada.reload()
        assert "kappa" in ada.inner_text(".panel")
        while not server.session.queues.disagreements("Ada"):
            answer(server, ada)
            press(bob, "2")
        press(ada, "q")  # to the disagreements
        assert "disagreement" in ada.inner_text(".asked")
        held = row_of(ada)
        ada.reload()
        assert row_of(ada) == held
        assert ada.inner_text("[aria-current]").startswith("Disagreements")
        ada.click("[data-queue=question]")
        ada.wait_for_selector(f"[data-satsuma]:not([data-row='{held}'])")
        press(ada, "q")
        row = server.session.keys.find(row_of(ada))
        assert re.search("Bob answered sour", ada.inner_text(".answered"))
        while ada.locator(".tag").count() and "disagreement" in ada.inner_text(".tag"):
            press(ada, "2")
        assert server.session.state.labels[row] == "sour"
        assert server.session.queues.disagreements("Ada") == []
        assert other.complaints == []
        ada.context.close()
        bob.context.close()


def test_export_and_reopen(browser, tmp_path):
    path = tmp_path / "fruits.csv"
    satsuma.write(fruits(60), path)

    def task():
        return task_of(with_target(satsuma.read(path), "taste"), classes=["sweet", "sour"])

    with served(task(), log_path(path)) as server:
        page = opened(browser, server).page
        for _ in range(24):
            answer(server, page)
        page.click(".menu summary")
        got = {}
        links = page.locator(".sheet a")
        for at in range(links.count()):
            with page.expect_download() as found:
                links.nth(at).click()
            name = found.value.suggested_filename
            found.value.save_as(tmp_path / name)
            got[name] = tmp_path / name
        assert set(got) == {f"fruits-{name}" for name in (
            "labels.csv", "labels.parquet", "model.satsuma", "predictions.csv",
            "predictions.parquet", "statement.txt")}  # fmt: skip
        settled, held = dict(server.session.state.labels), row_of(page)
        page.context.close()
    labels = satsuma.read(got["fruits-labels.csv"])
    assert len(labels) == 24
    model = satsuma.open_model(got["fruits-model.satsuma"])
    assert set(model(fruits(60))) <= {"sweet", "sour"}
    with served(task(), log_path(path)) as server:  # the file, opened again
        page = opened(browser, server).page
        assert server.session.state.labels == settled
        assert row_of(page) == held
        assert "24 labels" in page.inner_text(".progress")
        page.context.close()


def test_an_answer_that_does_not_get_through_is_sent_again(browser, tmp_path):
    with served(fruit_task(40), tmp_path / "x.sqlite") as server:
        page = opened(browser, server).page
        answer(server, page)
        row = row_of(page)
        page.route("**/answer", lambda route: route.abort())
        page.keyboard.press("1")
        page.wait_for_selector("[role=alert]:not([hidden])")
        assert "not saved yet" in page.inner_text("[role=alert]")
        page.keyboard.press("2")  # nothing overtakes it
        assert len(server.session.log.after(0)) == 1
        page.unroute("**/answer")
        page.reload()  # not even a reload loses it
        page.wait_for_selector(f"[data-satsuma]:not([data-row='{row}'])")
        assert page.is_hidden("[role=alert]")
        assert [e.value for e in server.session.log.after(0)][1:] == ["sweet"]
        page.context.close()


def test_a_full_disk_is_told_and_gone_on_with(browser, tmp_path):
    disk = tmp_path / "disk"
    mounted(disk, "size=1m")
    try:
        with served(fruit_task(80), disk / "x.sqlite") as server:
            page = opened(browser, server).page
            answer(server, page)
            fill(disk)
            while page.is_hidden("[role=alert]"):
                with page.expect_response("**/answer"):
                    page.keyboard.press("1")
                page.wait_for_selector("main:not([aria-busy])")
            assert "disk is full" in page.inner_text("[role=alert]")
            stored, row = len(server.session.log.after(0)), row_of(page)
            (disk / "filler").unlink()
            page.click("[role=alert] button")
            page.wait_for_selector("[role=alert]", state="hidden")
            assert row_of(page) != row
            assert len(server.session.log.after(0)) == stored + 1
            page.context.close()
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


def test_nothing_written_into_the_page_runs(browser, tmp_path):
    evil = "<img src=x onerror='window.hit=1'><script>window.hit=1</script>"
    table = Table.of([(evil, f"{evil} {at}") for at in range(20)], [evil, "b"], target=None,
                     kinds={"b": "text", evil: "sym"}, name=evil)  # fmt: skip
    with served(task_of(table, classes=[evil, "no"]), tmp_path / "x.sqlite") as server:
        found = opened(browser, server)
        page = found.page
        for key in "1212":
            press(page, key)
        assert page.evaluate("window.hit") is None
        assert page.locator("main img, aside img, footer img").count() == 0
        assert evil in page.inner_text(".row")
        assert found.complaints == []
        # And if something did get in, the policy would keep it from running.
        page.evaluate(_INJECTED)
        page.wait_for_timeout(200)
        assert page.evaluate("window.hit") is None
        page.context.close()


def test_a_search_ends_with_what_to_do(browser, tmp_path):
    rows = [(x, "ab"[x % 2], None, None) for x in range(60)]
    goals = {"Far-": "-", "Gain+": "+"}
    table = Table.of(rows, ["x", "kind", *goals], target=None, roles=goals,
                     kinds=dict.fromkeys(goals, "num"))  # fmt: skip
    with served(task_of(table), tmp_path / "x.sqlite") as server:
        found = opened(browser, server)
        page = found.page
        for _ in range(30):
            x = server.session.keys.find(row_of(page))
            page.keyboard.type(str(abs(x - 45)))
            page.keyboard.press("Tab")
            page.keyboard.type(str(x % 2))
            press(page, "Enter")
        page.wait_for_selector(".outcome.done")
        assert re.search(r"do \w+ .*, not ", page.inner_text(".advice"))
        best = server.session.strategy.search().best_row
        assert f"Row {best + 1}" in page.inner_text(".outcome")
        assert abs(best - 45) < 8
        assert found.violations() == []
        for width in (390, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            found.picture(f"label-search-{width}")
        page.context.close()


def issues_task():
    """Texts to be told apart, beside numbers and holes; and a key for each, as a person answers."""
    rng = np.random.default_rng(0)
    words = {
        "bug": ["crash", "error", "fails", "broken", "wrong"],
        "wish": ["add", "support", "option", "allow", "new"],
    }
    rows = [
        (" ".join(rng.choice(words[kind], 5)) + " " + "when the window is open, " * 6, at + 1000,
         str(rng.choice(["ana", "ben"])), None if at % 9 else 3.5)
        for at, kind in enumerate(["bug", "wish"] * 60)
    ]  # fmt: skip
    table = Table.of(rows, ["text", "number", "author", "age"], target=None, name="issues",
                     kinds={"text": "text", "age": "num"})  # fmt: skip
    keys = ["1" if text.split()[0] in words["bug"] else "2" for text in table["text"]]
    told = "# What is a bug?\n\n- **bug**: it does not do what it should\n\nLook *twice*."
    return task_of(table, classes=["bug", "wish"], guidelines=told), keys


def test_it_can_be_read_by_all(browser, tmp_path):
    """Narrow and wide, light and dark: each after the other on one page."""
    task, keys = issues_task()
    with served(task, tmp_path / "x.sqlite") as server:
        found = opened(browser, server, width=390)
        page = found.page
        found.picture("label-390-light-first", whole=False)
        for _ in range(30):
            press(page, keys[server.session.keys.find(row_of(page))])
        page.wait_for_selector(".curve")
        for width in (390, 1280):
            for scheme in ("light", "dark"):
                page.set_viewport_size({"width": width, "height": 900})
                page.emulate_media(color_scheme=scheme)
                look_at_all_of(found, f"label-{width}-{scheme}")
            reach_all_by_tab(page)
            # At 200 % nothing is cut off sideways.
            page.set_viewport_size({"width": width // 2 if width > 400 else 320, "height": 450})
            wide = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
            assert wide[0] <= wide[1]
            found.picture(f"label-{width}-200", whole=False)
        page.context.close()


def look_at_all_of(found, name):
    """The page, its dialogs and its menu: nothing that axe-core minds, and a picture of each."""
    page = found.page
    found.picture(name, whole=False)
    found.picture(f"{name}-whole")
    assert found.violations() == []
    for key, dialog in (("?", "help"), ("c", "comment"), ("a", "answers")):
        page.keyboard.press(key)
        page.wait_for_selector(f"[data-dialog={dialog}][open]")
        if dialog == "answers":
            page.wait_for_selector(".answer-list")
        assert found.violations() == []
        found.picture(f"{name}-{dialog}", whole=False)
        page.keyboard.press("Escape")
    page.click(".menu summary")
    assert found.violations() == []
    found.picture(f"{name}-menu", whole=False)
    page.keyboard.press("Escape")
    assert page.locator(".menu[open]").count() == 0


def reach_all_by_tab(page):
    """Every control has a name and can be reached by Tab."""
    controls = page.locator("button:visible:enabled, summary:visible, input:visible")
    reached = set()
    for _ in range(controls.count() + 5):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.outerHTML"))
    for at in range(controls.count()):
        assert controls.nth(at).evaluate("each => each.outerHTML") in reached
    page.evaluate("document.activeElement.blur()")  # keys are for labelling again


def test_answers_are_searched_and_mended_by_keyboard(browser, tmp_path):
    with served(fruit_task(60), tmp_path / "x.sqlite") as server:
        found = opened(browser, server)
        page = found.page
        for _ in range(10):
            answer(server, page)
        held = row_of(page)
        page.keyboard.press("a")
        page.wait_for_selector(".answer-list")
        assert page.locator(".answer-list > li").count() == 10
        with page.expect_response("**/answers?words=red*"):
            page.keyboard.type("red")
        page.wait_for_selector(".answer-list > li:nth-child(10)", state="detached")
        state, first = server.session.state, page.locator(".answer-list > li").first
        row = int(first.locator("strong").inner_text().removeprefix("Row ")) - 1
        other = {"sweet": "sour", "sour": "sweet"}[state.labels[row]]
        with page.expect_response("**/answers?*"):
            first.locator("select").select_option(other)
        page.wait_for_selector(f".answer-list > li:first-child .tag:text-is('{other}')")
        assert state.labels[row] == other
        first = page.locator(".answer-list > li").first
        first.locator("summary").press("Enter")
        assert f"answered {other}" in first.locator(".history").inner_text()
        assert re.search(r"\d", first.locator("time").first.inner_text())
        with page.expect_response("**/answers?*"):
            first.get_by_role("button", name="Take back").press("Enter")
        page.wait_for_selector(".answer-list > li:first-child .tag:text-is('no label')")
        assert row not in state.labels
        assert found.violations() == []
        page.keyboard.press("Escape")
        assert row_of(page) == held
        assert "9 labels" in page.inner_text(".progress")
        answer(server, page)
        assert found.complaints == []
        page.context.close()


def test_the_prediction_is_hidden_on_request(browser, tmp_path):
    with served(fruit_task(60), tmp_path / "x.sqlite") as server:
        page = opened(browser, server).page
        for _ in range(12):
            answer(server, page)
        assert page.locator(".explanation").count() == 1
        held = row_of(page)
        press(page, "p")
        assert row_of(page) == held
        assert "hidden" in page.inner_text(".why")
        assert page.locator(".explanation, mark").count() == 0
        assert page.get_attribute("[data-do=hide]", "aria-pressed") == "true"
        answer(server, page)
        assert "Prediction" not in page.inner_text("[data-part=spoken]")
        assert server.session.log.after(12)[0].why["guess"]  # the log knows it all the same
        press(page, "p")
        assert page.locator(".explanation").count() == 1
        page.context.close()


def test_buttons_stay_where_they_are(browser, tmp_path):
    with served(fruit_task(60), tmp_path / "x.sqlite") as server:
        page = opened(browser, server).page
        places = set()
        for _ in range(10):
            box = page.locator(".choice").first.bounding_box()
            places.add((box["x"], box["y"]))
            answer(server, page)
        assert len(places) == 1
        assert len(Log(tmp_path / "x.sqlite").after(0)) == 10
        page.context.close()
