"use strict";
// All on the page is there without this script: it sorts, filters and picks what is there.
(() => {
  const made = (name, attributes = {}, ...inside) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...inside);
    return element;
  };

  const number = text => {
    const found = /^[<>]?([−-]?[\d.]+)/.exec(text.replaceAll(",", ""));
    return found ? parseFloat(found[1].replace("−", "-")) : NaN;
  };

  const sortRows = (table, at, down) => {
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row, order) => {
      const text = row.cells[at].textContent.trim();
      return { row, order, text, value: text === "none" ? 0 : number(text) };
    });
    const numeric = rows.every(each => !each.text || !Number.isNaN(each.value));
    rows.sort((a, b) => {
      if (!a.text !== !b.text) return a.text ? -1 : 1;
      const by = numeric ? a.value - b.value : a.text.localeCompare(b.text);
      return (down ? -by : by) || a.order - b.order;
    });
    body.append(...rows.map(each => each.row));
  };

  for (const table of document.querySelectorAll(".sorts table")) {
    if (table.tBodies[0].rows.length < 3) continue;
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, at) => {
      if (head.tagName !== "TH" || head.hasAttribute("data-fixed")) return;
      const button = made("button", { type: "button", class: "sort" }, ...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") !== "descending";
        for (const each of heads) each.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        sortRows(table, at, down);
      });
    });
  }

  const addFilter = (box, items, label) => {
    if (items.length < 12) return;
    const input = made("input", { type: "search", autocomplete: "off", spellcheck: "false" });
    const count = made("output", {});
    box.before(made("p", { class: "filter" }, made("label", {}, `${label} `, input), " ", count));
    input.addEventListener("input", () => {
      const wanted = input.value.trim().toLowerCase();
      let shown = 0;
      for (const item of items) {
        const text = (item.querySelector("summary") || item).textContent.toLowerCase();
        item.hidden = !text.includes(wanted);
        shown += !item.hidden;
      }
      count.textContent = wanted ? `${shown} of ${items.length}` : "";
    });
  };

  for (const box of document.querySelectorAll(".sorts")) {
    addFilter(box, [...box.querySelectorAll("tbody tr")], "Show only rows with");
  }
  for (const box of document.querySelectorAll(".cards")) {
    const cards = [...box.children];
    addFilter(box, cards, "Show only");
    const every = made("button", { type: "button", class: "every" }, "Open all");
    every.addEventListener("click", () => {
      const open = every.textContent === "Open all";
      for (const card of cards) card.open = open;
      every.textContent = open ? "Close all" : "Open all";
    });
    box.before(every);
  }

  const reveal = () => {
    const card = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (card && card.tagName === "DETAILS") {
      card.open = true;
      card.scrollIntoView();
    }
  };
  addEventListener("hashchange", reveal);
  reveal();

  // Findings that are folded away are printed, too, and folded again after.
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll(".findings details:not([open])")];
    for (const each of folded) each.open = true;
  });
  addEventListener("afterprint", () => {
    for (const each of folded) each.open = false;
  });
})();
