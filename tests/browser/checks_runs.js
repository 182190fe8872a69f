// SPDX-License-Identifier: Apache-2.0
//
// Several runs on one page, hostile texts, phones.
"use strict";
const { HOSTILE } = require("./runs.js");
const { equal, ok } = require("./tap.js");

async function several(page) {
  const legend = await page.locator("#scaling .legend").innerText();
  ok(legend.includes("Test CPU") && legend.includes("Other CPU"), "curves of both runs, by name",
    legend);
  const text = await page.locator("#comparison").innerText();
  ok(/SLOWER\s*\d+/.test(text), "verdicts are counted in words", text.slice(0, 600));
  ok(text.includes("1.30\u00d7"), "the ratio is that of the runs", text.slice(0, 600));
  equal(await page.locator("#summary .badge").allInnerTexts(), ["\u2713 VALID", "\u2717 INVALID"],
    "each run says whether it is valid");
  ok((await page.locator("#summary").innerText()).includes("too noisy"), "and why not");
}

async function hostile(page) {
  equal(await page.locator("main img, main b img").count(), 0, "no tag of a name became one");
  equal(await page.locator("script").count(), 2, "no script was added");
  const text = await page.locator("main").innerText();
  ok(text.includes(HOSTILE + "? ("), "the name is there, letter for letter, but what turns it");
  ok((await page.locator("#summary").innerText()).includes("did not end"),
    "a run without an end says so");
  ok((await page.locator(".tile").first().innerText()).includes("the run did not end"),
    "so does the best that it claims");
}

// Nothing may be wider than the window: only tables scroll, within themselves.
async function fits(page, name) {
  const [width, window] = await page.evaluate(() =>
    [document.documentElement.scrollWidth, innerWidth]);
  ok(width <= window, `${name}: the page does not scroll sideways`, { width, window });
  const cut = await page.$$eval("main *, footer *", (nodes) => nodes.filter((node) => {
    const scrolls = node.closest(".scroll, .hidden-text, .u-wrap, nav, template, option");
    return !scrolls && node.getBoundingClientRect().right > innerWidth + 1;
  }).map((node) => node.outerHTML.slice(0, 120)));
  equal(cut, [], `${name}: nothing is cut off`);
}

module.exports = { fits, hostile, several };
