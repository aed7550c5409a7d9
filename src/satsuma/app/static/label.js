// The labelling page, in a browser over HTTP or in a notebook over its messages.
// Everything from the table arrives as HTML in which it is text; nothing is put together here.

const UNSENT = "satsuma-unsent";
const AGAIN = 3000; // milliseconds between one try to save and the next

const newId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

const overHttp = async (path, body) => {
  const sent =
    body === undefined
      ? {}
      : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const reply = await fetch(path, sent);
  return { status: reply.status, body: await reply.json() };
};

export function start(root, call, keep = window.sessionStorage) {
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const dialog = (name) => root.querySelector(`[data-dialog="${name}"]`);
  let state = JSON.parse(root.dataset.state || "{}");
  const shown = { ...state }; // the HTML of each part
  let busy = false;
  let shownAt = performance.now();
  let singleKeys = true;
  let waiting = 0; // the timer of the next try

  const put = (name, html) => {
    if (shown[name] === html) return; // what is in focus stays in focus
    const place = part(name);
    const focused = place.contains(document.activeElement);
    const made = new DOMParser().parseFromString(html, "text/html");
    place.replaceChildren(...made.body.childNodes);
    shown[name] = html;
    if (focused) part("question").focus({ preventScroll: true });
  };

  const tell = (text, retry) => {
    const place = part("alert");
    place.replaceChildren();
    place.hidden = !text;
    if (!text) return;
    const words = document.createElement("p");
    words.textContent = text;
    place.append(words);
    if (retry) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = "Try again now";
      button.addEventListener("click", retry);
      place.append(button);
    }
  };

  const show = (next) => {
    const other = next.row !== state.row;
    state = next;
    for (const name of ["top", "question", "answers", "panel"]) put(name, next[name]);
    root.querySelector('[data-do="undo"]').disabled = !next.undo;
    for (const name of ["skip", "unsure", "comment"]) root.querySelector(`[data-do="${name}"]`).disabled = !next.row;
    if (other) {
      shownAt = performance.now();
      root.scrollTo?.(0, 0);
      if (root.dataset.page !== undefined) window.scrollTo(0, 0);
      part("spoken").textContent = next.spoken;
      root.querySelector("[data-goals] input")?.focus();
    }
    root.dataset.row = next.row ?? "";
    root.querySelector('[data-do="hide"]')?.setAttribute("aria-pressed", next.hidden);
    refresh(next);
  };

  // The panel is worked out in the background: it is fetched when it has had some time.
  let refreshing = 0;
  const refresh = (now) => {
    clearTimeout(refreshing);
    if (now.fresh) return;
    refreshing = setTimeout(async () => {
      if (busy) return;
      try {
        const { status, body } = await call(`/panel?queue=${encodeURIComponent(now.queue)}`);
        if (status !== 200 || state !== now) return;
        for (const name of ["top", "panel"]) put(name, body[name]);
        if (!body.fresh) refresh(now);
      } catch {
        // the next answer brings it
      }
    }, 700);
  };

  const send = async (path, body) => {
    if (busy) return;
    busy = true;
    clearTimeout(waiting);
    part("question").setAttribute("aria-busy", "true");
    if (path === "/answer") keep?.setItem(UNSENT, JSON.stringify(body));
    let reply;
    try {
      reply = await call(path, body);
    } catch {
      reply = { status: 0, body: { message: "The server does not answer." } };
    }
    busy = false;
    part("question").removeAttribute("aria-busy");
    const again = () => send(path, body);
    if (reply.status === 200) {
      keep?.removeItem(UNSENT);
      tell("");
      show(reply.body);
    } else if (reply.status === 403) {
      tell("This page was opened by a server that is gone. Open the link that the command shows now; an answer that was not saved is sent then.");
    } else if (reply.status === 0 || reply.status >= 500) {
      const what = path === "/answer" ? "Your answer is not saved yet. " : "";
      tell(`${what}${reply.body.message} Trying again every few seconds.`, again);
      waiting = setTimeout(again, AGAIN);
    } else {
      keep?.removeItem(UNSENT);
      tell(reply.body.message);
      if (path === "/answer") await renew();
    }
  };

  const renew = async () => {
    const reply = await call("/ask", { queue: state.queue || "question" });
    if (reply.status === 200) show(reply.body);
  };

  const act = (what, more = {}) => {
    const row = what === "undo" ? state.undo?.row : state.row;
    if (busy || !row || unsentNow()) return;
    const took = Math.min(Math.round(performance.now() - shownAt), 86400000);
    send("/answer", { id: newId(), row, what, took, queue: state.queue, ...more });
  };

  // While an answer waits to be saved, no other can overtake it.
  const unsentNow = () => !part("alert").hidden && keep?.getItem(UNSENT);

  const actions = {
    skip: () => act("skip"),
    unsure: () => act("unsure"),
    undo: () => state.undo && act("undo", { of: state.undo.id }),
    comment: () => state.row && open("comment"),
    answers: async () => {
      open("answers");
      await list(0);
    },
    hide: () => send("/ask", { queue: state.queue, hide: !state.hidden }),
    name: () => open("name"),
    help: () => open("help"),
    invite: async () => {
      const { status, body } = await call("/invite", {});
      const place = part("link");
      place.hidden = false;
      place.value = status === 200 ? body.link : body.message;
      place.select();
    },
  };

  const open = (name) => {
    const found = dialog(name);
    found.showModal();
    found.querySelector("textarea, input:not([type=checkbox]), button")?.focus();
  };

  // The list of answers: each change is an answer like any other, and the list is fetched anew.
  const search = root.querySelector("[data-search]");
  let listed = 0;
  const choices = (name, values) => {
    const select = search.elements[name];
    const chosen = select.value;
    while (select.options.length > 1) select.remove(1);
    for (const value of values) select.add(new Option(value, value));
    select.value = chosen;
  };
  const list = async (page) => {
    const asked = (listed += 1);
    const query = new URLSearchParams([...new FormData(search), ["page", page]]);
    const { status, body } = await call(`/answers?${query}`);
    if (asked !== listed) return; // a later search overtook it
    if (status !== 200) return tell(body.message);
    const place = part("list");
    const within = document.activeElement !== document.body && place.contains(document.activeElement);
    put("list", body.list);
    if (within) search.elements.words.focus();
    choices("label", body.labels);
    choices("by", body.people);
    for (const time of place.querySelectorAll("time[data-at]"))
      time.textContent = new Date(Number(time.dataset.at)).toLocaleString();
    place.dataset.page = page;
  };
  const mend = async (row, what, more) => {
    if (busy || unsentNow()) return;
    await send("/answer", { id: newId(), row, what, queue: state.queue, ...more });
    await list(Number(part("list").dataset.page || 0));
  };

  const onQueue = () => {
    const names = [...root.querySelectorAll("[data-queue]:not(:disabled)")].map((each) => each.dataset.queue);
    const next = names[(names.indexOf(state.queue) + 1) % names.length];
    if (next && next !== state.queue) send("/ask", { queue: next });
  };

  root.addEventListener("click", (event) => {
    const menu = root.querySelector("[data-menu][open]");
    if (menu && !menu.contains(event.target)) menu.open = false;
    const button = event.target.closest("button");
    if (!button || button.disabled) return;
    if (button.dataset.class !== undefined) act("label", { value: button.dataset.class });
    else if (button.dataset.queue) send("/ask", { queue: button.dataset.queue });
    else if (button.dataset.do) actions[button.dataset.do]();
    else if (button.dataset.turn !== undefined) list(Number(button.dataset.turn));
    else if (button.dataset.retract) mend(button.dataset.of, "undo", { of: button.dataset.retract, kind: "retraction" });
    else if (button.dataset.close !== undefined) button.closest("dialog").close();
  });

  root.addEventListener("submit", (event) => {
    const form = event.target;
    const given = new FormData(form);
    if (form.dataset.other !== undefined) {
      event.preventDefault();
      const value = given.get("other").trim();
      if (!value) return;
      form.querySelector("input").blur();
      form.reset();
      act("label", { value });
    } else if (form.dataset.goals !== undefined) {
      event.preventDefault();
      const value = Object.fromEntries([...given].map(([name, each]) => [name, Number(each)]));
      form.reset();
      act("label", { value });
    } else if (form.dataset.mend !== undefined) {
      event.preventDefault();
      const value = Object.fromEntries([...given].map(([name, each]) => [name, Number(each)]));
      mend(form.dataset.mend, "label", { value, kind: "edit" });
    } else if (form.dataset.search !== undefined) {
      event.preventDefault();
      list(0);
    } else if (form.dataset.comment !== undefined) {
      const value = given.get("comment").trim();
      form.reset();
      if (value) act("comment", { value });
    } else if (form.dataset.name !== undefined) {
      const name = given.get("name").trim();
      part("who").textContent = name;
      delete root.dataset.unnamed;
      send("/name", { name });
    }
  });

  let typed = 0;
  root.addEventListener("input", (event) => {
    if (event.target.form !== search) return;
    clearTimeout(typed);
    typed = setTimeout(() => list(0), 250);
  });

  root.addEventListener("change", (event) => {
    const of = event.target.dataset.mend;
    if (of && event.target.value) mend(of, "label", { value: event.target.value, kind: "edit" });
    if (event.target.dataset.keys !== undefined) singleKeys = event.target.checked;
    if (event.target.dataset.raw !== undefined)
      for (const link of root.querySelectorAll("[data-menu] a"))
        link.search = event.target.checked ? "?raw=1" : "";
  });

  const letters = { s: "skip", u: "unsure", z: "undo", c: "comment", a: "answers", p: "hide", "?": "help" };
  const onKey = (event) => {
    // A dialog that was just closed has the focus for a moment longer.
    const field = event.target.closest?.("input:not([type=checkbox]), textarea, select");
    const typing = field?.closest("dialog:not([open])") ? null : field;
    if (event.ctrlKey && event.key === "Enter" && event.target.closest?.("[data-comment]")) {
      event.target.closest("form").requestSubmit(); // keys reach a dialog too
      return;
    }
    const menu = root.querySelector("[data-menu][open]");
    if (event.key === "Escape" && menu) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
    if (event.key === "Escape" && typing && !typing.closest("dialog")) typing.blur();
    const taken = event.ctrlKey || event.metaKey || event.altKey || typing || !singleKeys;
    if (taken || event.repeat || root.querySelector("dialog[open]")) return;
    const choice = root.querySelector(`[data-key="${CSS.escape(event.key)}"]:not(:disabled)`);
    if (choice) act("label", { value: choice.dataset.class });
    else if (root.querySelector(`[data-do="${letters[event.key]}"]`)) actions[letters[event.key]]();
    else if (event.key === "q") onQueue();
    else if (event.key === "n") root.querySelector("[data-other] input, [data-goals] input")?.focus();
    else return;
    event.preventDefault();
  };
  // On a page all keys are for labelling; in a notebook only those pressed inside.
  (root.dataset.page !== undefined ? document : root).addEventListener("keydown", onKey);

  root.querySelector('[data-dialog="name"]').addEventListener("cancel", (event) => {
    if (root.dataset.unnamed !== undefined) event.preventDefault();
  });

  for (const name of ["skip", "unsure", "comment"]) root.querySelector(`[data-do="${name}"]`).disabled = !state.row;
  root.querySelector('[data-do="undo"]').disabled = !state.undo;
  root.dataset.row = state.row ?? "";
  root.querySelector('[data-do="hide"]')?.setAttribute("aria-pressed", Boolean(state.hidden));
  const guidelines = root.querySelector("[data-guidelines]");
  if (guidelines && window.innerWidth < 960) guidelines.open = false; // there the row comes first
  if (root.dataset.unnamed !== undefined) open("name");
  else if (root.dataset.page !== undefined) root.querySelector("[data-goals] input")?.focus();
  const unsent = keep?.getItem(UNSENT);
  if (unsent) send("/answer", JSON.parse(unsent));
  else refresh(state);
  return () => document.removeEventListener("keydown", onKey);
}

const page = document.querySelector("[data-satsuma][data-page]");
if (page) start(page, overHttp);

// In a notebook: requests and replies are messages, each pair with a number.
function render({ model, el }) {
  const made = new DOMParser().parseFromString(model.get("_body"), "text/html");
  el.replaceChildren(...made.body.childNodes);
  const waiting = new Map();
  let count = 0;
  model.on("msg:custom", (message) => {
    waiting.get(message.number)?.(message);
    waiting.delete(message.number);
  });
  const call = (path, body) =>
    new Promise((resolve) => {
      count += 1;
      waiting.set(count, resolve);
      model.send({ number: count, path, body: body ?? null });
    });
  return start(el.querySelector("[data-satsuma]"), call, null);
}

export default { render };
