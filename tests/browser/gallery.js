// SPDX-License-Identifier: Apache-2.0
//
// node gallery.js CHROMIUM DIRECTORY: the site in DIRECTORY/site (tests/gallery_tree.sh) in a real
// browser; speaks TAP. Screenshots for people to look at stay in the directory.
"use strict";
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const { launch, seeAll } = require("./page.js");
const { end, equal, group, ok } = require("./tap.js");

const [executable, directory] = process.argv.slice(2);
const site = pathToFileURL(path.join(directory, "site")).href + "/";
const HOSTILE = "</script><img src=x onerror=alert(1)>\"|`'";

// Opens a page of the site, runs the checks, and sees that nothing was asked for but pages of it.
async function withPage(browser, file, name, options, checks) {
  await group(name, async () => {
    const viewport = { width: 1280, height: 800 };
    const context = await browser.newContext({ viewport, ...options });
    const page = await context.newPage();
    const faults = [], requests = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) faults.push(message.text());
    });
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("dialog", (dialog) => { faults.push(dialog.message()); dialog.dismiss(); });
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith("data:") && !url.startsWith(site)) requests.push(url);
    });
    await page.goto(site + file);
    await page.waitForSelector("h1");
    await checks(page);
    equal(faults, [], name + ": nothing on the console");
    equal(requests, [], name + ": no request leaves the site");
    await context.close();
  });
}

async function index(page) {
  const rows = page.locator("#leaders table").first().locator("tbody tr");
  equal(await rows.count(), 4, "a row per machine and device");
  ok((await rows.first().innerText()).includes("NVIDIA L4"), "the fastest leads");
  ok((await page.locator("#leaders").innerText()).includes("made up to be <b>INVALID</b>"),
    "what stands apart says why, as text");
  equal(await page.locator("#hashes .verdict.good").count(), 4, "one hash");
  ok((await page.locator("#machines").innerText()).includes(HOSTILE), "a hostile name is text");
  equal(await page.locator("#faults tbody tr").count(), 2, "what was left out is there");
  await page.locator("#leaders select").selectOption({ index: 1 });
  equal(await rows.count(), 4, "another workload has its board");
  await page.locator("#runs a", { hasText: "report" }).first().click();
  await page.waitForSelector("#rows tbody tr");
  ok(true, "a run leads to its report");
}

async function machine(page) {
  await page.locator(".chart").scrollIntoViewIfNeeded();
  await page.locator(".chart canvas").waitFor();
  await page.locator(".chart").focus();
  await page.keyboard.press("ArrowRight");
  const tip = await page.locator(".tip").innerText();
  ok(tip.includes("2026-01-31") && tip.includes("GFLOP/s"), "the chart tells its points", tip);
  equal(await page.locator("#runs tbody tr").count(), 3, "all runs of the machine");
  await page.locator("nav a", { hasText: "Results" }).click();
  await page.waitForSelector("#leaders");
  ok(true, "the way back");
}

// Runs 0 and 1 differ in speed by 1.1, and each sample by up to 1.1 %.
async function compare(page) {
  const summary = page.locator("#verdicts"), table = page.locator("main table tbody");
  equal(await summary.innerText(), "Of 8 pairs: B is faster in 8, slower in 0; in 0 the " +
    "intervals overlap, and nothing is said.", "B is faster");
  ok((await table.innerText()).includes("0.909"), "by the ratio of the medians",
    await table.innerText());
  ok((await page.locator("main").innerText()).includes("stored medians"), "it says what it is");
  const selects = page.locator("main select");
  await selects.nth(1).selectOption("0");
  ok((await summary.innerText()).includes("in 8 the intervals overlap"), "a run and itself");
  await selects.nth(2).selectOption("best");
  ok((await summary.innerText()).startsWith("Of 2 pairs"), "best against best");
  await selects.nth(1).selectOption("4");
  ok((await page.locator("main").innerText()).includes(HOSTILE), "a hostile name is text");
}

async function fits(page, name) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  ok(over <= 0, name + ": no sideways scrolling", over);
}

async function screenshots(browser, pages) {
  for (const [kind, file] of Object.entries(pages)) {
    for (const [size, width, height, colorScheme] of [["desktop", 1280, 800, "light"],
      ["phone", 390, 844, "dark"]]) {
      const name = `gallery-${kind}-${size}`;
      await withPage(browser, file, name, { viewport: { width, height }, colorScheme },
        async (page) => {
          await fits(page, name);
          await seeAll(page);
          await page.screenshot({ path: path.join(directory, name + ".png"), fullPage: true });
        });
    }
  }
}

async function main() {
  const amd = "machines/amd--epyc-7543-2cpu-software.html";
  const browser = await launch(executable);
  await withPage(browser, "index.html", "index", {}, index);
  await withPage(browser, amd, "machine", {}, machine);
  await withPage(browser, "compare.html", "compare", { locale: "de-DE" }, compare);
  await screenshots(browser, { index: "index.html", machine: amd, compare: "compare.html",
    hostile: "machines/unknown--hostile.html" });
  await browser.close();
}

main().catch((error) => ok(false, "the tests run to their end", error.stack))
  .finally(() => { process.exitCode = end() ? 0 : 1; });
