// SPDX-License-Identifier: Apache-2.0
"use strict";

(function () {
  const data = JSON.parse(document.getElementById("data").textContent);

  function add(parent, tag, text) {
    const element = parent.appendChild(document.createElement(tag));
    element.textContent = text;
    return element;
  }

  const main = document.getElementById("report");
  add(main, "h1", data.title);
  for (const run of data.runs) {
    add(main, "p", `${run.name}: ${run.result ?? "did not end"}`);
  }
  const table = add(main, "table", "");
  const head = add(table, "tr", "");
  for (const column of data.columns) add(head, "th", column);
  for (const row of data.rows) {
    const line = add(table, "tr", "");
    for (const cell of row) add(line, "td", cell ?? "-");
  }
})();
