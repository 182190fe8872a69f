// SPDX-License-Identifier: Apache-2.0
//
// A page of the gallery: which one the island says.
"use strict";

const PAGES = { index: indexPage, machine: machinePage, compare: comparePage };

function galleryFooter(data) {
  return [
    el("p", null, `Written by attnmark ${data.tool_version} at ${data.generated}; numeric ` +
      `contract version ${data.contract_version}. This page is complete: it requests nothing.`),
    el("p", null, "attnmark: Apache License 2.0. Charts by uPlot: MIT License, \u00a9 Leon " +
      "Sorokin; the licence is in the source of this page."),
  ];
}

function buildGallery() {
  const data = readGallery();
  themeButton(document.getElementById("theme"));
  add(document.getElementById("contents"),
    el("a", { href: data.root + "index.html" }, "Results"), " ",
    el("a", { href: data.root + "compare.html" }, "Compare"));
  add(document.getElementById("main"), PAGES[data.page](data));
  add(document.getElementById("footer"), galleryFooter(data));
}

buildGallery();
