// SPDX-License-Identifier: Apache-2.0
//
// A page of the gallery: which one the island says.
"use strict";

const PAGES = { index: indexPage, machine: machinePage, compare: comparePage };

function buildGallery() {
  const data = readGallery();
  themeButton(document.getElementById("theme"));
  add(document.getElementById("contents"),
    el("a", { href: data.root + "index.html" }, "Results"), " ",
    el("a", { href: data.root + "compare.html" }, "Compare"));
  add(document.getElementById("main"), PAGES[data.page](data));
  add(document.getElementById("footer"), pageFooter(data));
}

buildGallery();
