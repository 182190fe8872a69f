// SPDX-License-Identifier: Apache-2.0
//
// Tables: sorted by a click on a heading, filtered by whoever made them. Thousands of rows open at
// once, because rows become elements only when they are scrolled to, a chunk at a time.
"use strict";

const TABLE_CHUNK = 60;

// Unknown values come last in either order.
function compareValues(a, b, sign) {
  const missing = (x) => x === null || x === undefined || x === "";
  if (missing(a) || missing(b)) return missing(a) - missing(b);
  if (typeof a === "number" && typeof b === "number") return sign * (a - b);
  const left = String(a), right = String(b);
  return sign * (left < right ? -1 : left > right ? 1 : 0);
}

function cell(column, row) {
  const classes = [column.number ? "number" : "", column.class || ""].filter(Boolean);
  return el(["td", ...classes].join("."), null, column.show ? column.show(row) : column.value(row));
}

// Columns: {name, number, class, value(row): what is sorted by, show(row): text or element, title}.
// A column with sort: false has a plain heading. A table is named by its caption, or where the
// heading above says the same by a label that nobody sees. Returns {node, show(rows), count()}.
function dataTable({ caption, label = caption, columns, rows, tall = false, sortable = true,
  chunk = TABLE_CHUNK }) {
  let all = rows, ordered = rows, filled = 0, sorted = null, sign = 1;
  const body = el("tbody");
  const more = el("div.more", { hidden: true },
    el("button", { type: "button", click: () => fill(ordered.length) }, "Show all rows"),
    el("span.muted"));
  const heads = columns.map((column) => {
    const classes = (column.number ? ".number" : "") + (column.class ? "." + column.class : "");
    const plain = !sortable || column.sort === false;
    return el("th" + classes, { scope: "col", title: column.title },
      plain ? column.name
        : el("button", { type: "button", click: () => sortBy(column) }, column.name));
  });
  const table = el("table", null, caption ? el("caption", null, caption) : null,
    el("thead", null, el("tr", null, heads)), body);
  const scroll = el("div.scroll" + (tall ? ".tall" : ""),
    { tabindex: "0", role: "region", "aria-label": label || "Table" }, table);
  const sentinel = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting)) fill(filled + chunk);
  }, { root: tall ? scroll : null, rootMargin: "400px" });

  function fill(upTo) {
    const end = Math.min(upTo, ordered.length);
    const fragment = document.createDocumentFragment();
    for (; filled < end; filled++) {
      fragment.append(el("tr", null, columns.map((column) => cell(column, ordered[filled]))));
    }
    body.append(fragment);
    more.hidden = filled >= ordered.length;
    more.lastChild.textContent = filled + " of " + ordered.length + " are loaded";
    sentinel.disconnect();
    if (filled < ordered.length && body.lastChild) sentinel.observe(body.lastChild);
  }

  function order() {
    ordered = sorted === null ? all
      : [...all].sort((a, b) => compareValues(sorted.value(a), sorted.value(b), sign));
    clear(body);
    filled = 0;
    table.setAttribute("aria-rowcount", ordered.length + 1);
    fill(chunk);
  }

  function sortBy(column) {
    sign = sorted === column ? -sign : 1;
    sorted = column;
    heads.forEach((head, i) => {
      if (columns[i] !== column) head.removeAttribute("aria-sort");
      else head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
    });
    order();
  }

  order();
  onPrint(() => {
    if (scroll.isConnected) fill(ordered.length);
  });
  return {
    node: el("div.table", null, scroll, more),
    show(chosen) {
      all = chosen;
      order();
      scroll.scrollTop = 0;
    },
    count: () => all.length,
  };
}

// Two columns of [label, text].
function factsTable(pairs) {
  return el("div.scroll", null, el("table.facts", null, el("tbody", null,
    pairs.map(([label, text]) => el("tr", null, el("th", { scope: "row" }, label),
      el("td", null, text))))));
}

// A closed table behind a summary, made when it is opened.
function behind(summary, make) {
  const details = el("details", {
    toggle: () => {
      if (details.open && details.children.length === 1) details.append(make());
    },
  }, el("summary", null, summary));
  return details;
}
