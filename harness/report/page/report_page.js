// SPDX-License-Identifier: Apache-2.0
//
// The page: its sections in order, those without data left out, and the list of them above.
"use strict";

const SECTIONS = [
  ["scaling", "Scaling", curvesSection],
  ["roofline", "Roofline", rooflineSection],
  ["shares", "Share of roof", sharesSection],
  ["ladder", "Ladder", ladderSection],
  ["devices", "Devices", devicesSection],
  ["split", "Time split", splitSection],
  ["decode", "Decode", decodeSection],
  ["comparison", "Comparison", compareSection],
  ["rows", "Rows", rowsSection],
  ["facts", "Machine", factsSection],
  ["reading", "How to read it", readingSection],
];

function readingSection() {
  return section("reading", "How to read it", null,
    document.getElementById("reading-text").content.cloneNode(true));
}

function footer(data) {
  return [
    el("p", null, `Written by attnmark ${data.tool_version} at ${data.generated}; numeric ` +
      `contract version ${data.contract_version}. This page is complete: it requests nothing.`),
    el("p", null, "attnmark: Apache License 2.0. Charts by uPlot: MIT License, \u00a9 Leon " +
      "Sorokin; the licence is in the source of this page."),
  ];
}

function buildPage() {
  const data = readData();
  themeButton(document.getElementById("theme"));
  const main = document.getElementById("main"), contents = document.getElementById("contents");
  add(main, headSection(data));
  for (const [id, name, make] of SECTIONS) {
    const node = make(data);
    if (!node) continue;
    add(main, node);
    add(contents, el("a", { href: "#" + id }, name), " ");
  }
  add(document.getElementById("footer"), footer(data));
}

buildPage();
