"""The widget: the same view, in a real Chromium, with messages instead of HTTP."""

import sys

import pytest

import satsuma
from satsuma.app.http.views import static_file
from satsuma.app.store.log import Log
from satsuma.errors import SatsumaError
from tests.app.serving import fruits
from tests.browser import watched

#: What a notebook does with a widget, in a few lines: traits, and messages both ways.
_NOTEBOOK = """
async ({esm, css, body}) => {
  const style = document.createElement("style");
  style.textContent = css;
  document.head.append(style);
  const url = URL.createObjectURL(new Blob([esm], {type: "text/javascript"}));
  const module = await import(url);
  const heard = [];
  const model = {
    get: (name) => (name === "_body" ? body : undefined),
    on: (name, callback) => heard.push(callback),
    send: async (message) => {
      const reply = await window.kernel(message);
      for (const callback of heard) callback(reply);
    },
  };
  const el = document.createElement("div");
  document.body.append(el);
  module.default.render({model, el});
}
"""


@pytest.fixture
def widget(tmp_path):
    made = satsuma.label(fruits(60), classes=["sweet", "sour"], log=tmp_path / "x.sqlite")
    yield made
    made.close()


def test_labels_by_keyboard_in_a_notebook(widget, browser, tmp_path):
    found = watched(browser)
    page = found.page
    page.goto("about:blank")

    def kernel(message):
        status, body = widget.reply(message["path"], message["body"])
        return {"number": message["number"], "status": status, "body": body}

    page.expose_function("kernel", kernel)
    page.evaluate(_NOTEBOOK, {"esm": static_file("label.js").decode(), "body": widget._body,
                              "css": static_file("label.css").decode()})  # fmt: skip
    page.wait_for_selector(".row")
    page.click(".row")
    page.locator(".choice").first.focus()
    for at in range(10):
        row = page.get_attribute("[data-satsuma]", "data-row")
        page.keyboard.press("12"[at % 2])
        page.wait_for_selector(f"[data-satsuma]:not([data-row='{row}'])")
    page.keyboard.press("z")
    page.wait_for_selector(".progress:has-text('9 labels')")
    found.picture("label-notebook")
    page.evaluate("document.title = document.documentElement.lang = 'en'")  # the notebook's
    assert found.violations() == []
    assert found.complaints == []
    assert len(Log(tmp_path / "x.sqlite").after(0)) == 11
    assert len(widget.labels) == 9
    assert set(widget.model(fruits(60))) == {"sweet", "sour"}
    assert len(widget.predictions) == 51


def test_it_goes_on_where_it_stopped(widget, tmp_path):
    row = widget.reply("/ask", {})[1]["row"]
    said = {"id": "abcdefgh", "row": row, "what": "label", "value": "sweet"}
    assert widget.reply("/answer", said)[0] == 200
    again = satsuma.label(fruits(60), classes=["sweet", "sour"], log=tmp_path / "x.sqlite")
    assert [*again.labels["label"]] == ["sweet"]
    again.close()


def test_what_it_does_not_know_is_refused(widget):
    assert widget.reply("/export/labels.csv", None)[0] == 404
    assert widget.reply("/answer", {"id": 3})[0] == 422
    assert widget.reply("/ask", None)[0] == 400


def test_messages_get_replies(widget, monkeypatch):
    sent = []
    monkeypatch.setattr(widget, "send", sent.append)
    widget._heard(widget, {"number": 7, "path": "/ask", "body": {}}, [])
    assert (sent[0]["number"], sent[0]["status"]) == (7, 200)


def test_without_anywidget_it_says_what_to_install(monkeypatch):
    monkeypatch.delitem(sys.modules, "satsuma.app.widget", raising=False)
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(SatsumaError, match=r"satsuma\[jupyter\]"):
        satsuma.label(fruits(5))
