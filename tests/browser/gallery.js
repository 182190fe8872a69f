// SPDX-License-Identifier: Apache-2.0
//
// node gallery.js CHROMIUM DIRECTORY: the sites DIRECTORY/site and DIRECTORY/drivers of
// tests/report/gallery_tree.sh in a real browser; speaks TAP. Screenshots for people to
// look at stay in the directory.
"use strict";
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const { launch, seeAll } = require("./page.js");
const { end, equal, group, ok } = require("./tap.js");

const [executable, directory] = process.argv.slice(2);
const above = pathToFileURL(directory).href + "/";
const HOSTILE = "</script><img src=x onerror=alert(1)>\"|`'";

// Opens a page of a site, runs the checks, and sees that nothing was asked for but pages of it.
async function withPage(browser, file, name, options, checks) {
  await group(name, async () => {
    const viewport = { width: 1280, height: 800 };
    const context = await browser.newContext({ viewport, ...options });
    const page = await context.newPage();
    const faults = [], requests = [], site = above + file.split("/")[0] + "/";
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) faults.push(message.text());
    });
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("dialog", (dialog) => { faults.push(dialog.message()); dialog.dismiss(); });
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith("data:") && !url.startsWith(site)) requests.push(url);
    });
    await page.goto(above + file);
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

// Each sample lies up to 1.1 % above the first; runs 0 and 1 differ in speed by 1.1.
// The latest two runs are 2, of April, and 1, of March.
async function compare(page) {
  const summary = page.locator("#verdicts"), table = page.locator("main table tbody");
  const selects = page.locator("main select"), main = page.locator("main");
  equal([await selects.nth(0).inputValue(), await selects.nth(1).inputValue(),
    await selects.nth(2).inputValue()], ["1", "2", "same"], "the latest two, the older one first");
  await selects.nth(0).selectOption("0");
  await selects.nth(1).selectOption("1");
  equal(await summary.innerText(), "Of 8 pairs: B is faster in 8, slower in 0; in 0 the " +
    "intervals overlap, and nothing is said.", "B is faster");
  ok((await table.innerText()).includes("0.909"), "by the ratio of the medians",
    await table.innerText());
  ok((await main.innerText()).includes("stored medians"), "it says what it is");
  await selects.nth(1).selectOption("0");
  ok((await summary.innerText()).includes("in 8 the intervals overlap"), "a run and itself");
  await selects.nth(2).selectOption("best");
  ok((await summary.innerText()).startsWith("Of 2 pairs"), "best against best");
  await selects.nth(1).selectOption("4");
  ok((await main.innerText()).includes(HOSTILE), "a hostile name is text");
}

async function driverLeaders(page) {
  const rows = page.locator("#leaders table").first().locator("tbody tr");
  const texts = await rows.allInnerTexts();
  equal(texts.length, 4, "the CPU, two drivers, and one that is not named");
  ok(["Mesa 22.3.6", "Mesa 25.0.7"].every((driver) =>
    texts.filter((text) => text.includes(driver)).length === 1), "each driver once", texts);
  const runs = await page.locator("#runs tbody tr").allInnerTexts();
  ok(runs[1].includes("CPU") && runs[1].includes("Mesa 25.0.7"), "runs say on what",
    runs);
}

// Within half an hour: the axis is of minutes, and the points lie apart.
async function driverHistory(page) {
  const devices = page.locator("#history select").nth(1);
  equal(await devices.locator("option").allInnerTexts(), ["CPU, 2 threads",
    "made up software (software), driver: Mesa 22.3.6",
    "made up software (software), driver: Mesa 25.0.7", "made up software (software)"],
  "devices of the history are told by their drivers");
  equal(await page.locator("main .devices li").allInnerTexts(), ["CPU",
    "made up software (software), driver: Mesa 22.3.6",
    "made up software (software), driver: Mesa 25.0.7", "made up software (software)"],
  "all that were measured are named, once each");
  await devices.selectOption({ index: 1 });
  await page.locator(".chart").scrollIntoViewIfNeeded();
  await page.locator(".chart canvas").waitFor();
  await page.locator(".chart").focus();
  const left = [];
  for (const time of ["12:03:00", "12:20:00"]) {
    await page.keyboard.press("ArrowRight");
    const tip = page.locator(".tip");
    ok((await tip.innerText()).includes(time), "a point of the driver, with its time",
      await tip.innerText());
    left.push(await tip.evaluate((node) => node.offsetLeft));
  }
  ok(left[1] - left[0] > 100, "points of one day lie apart", left);
  await page.keyboard.press("ArrowRight");
  ok((await page.locator(".tip").innerText()).includes("12:03:00"), "and no other one");
}

// The second of three runs is of another compiler: its points are in no line with the others'.
async function compilerHistory(page) {
  const names = await page.locator(".legend button").allInnerTexts();
  ok(names.length % 2 === 0 && names.filter((name) => name.endsWith("other 1.0")).length ===
    names.length / 2, "a line per kernel and compiler", names);
  ok((await page.locator(".chart").count()) === 1, "the history opens where there are points");
  const dashes = await page.$$eval(".legend line", (lines) =>
    lines.map((line) => line.getAttribute("stroke-dasharray")));
  equal(new Set(dashes).size, 2, "and a dash per compiler");
  const text = await page.locator("#facts").innerText();
  equal(text.split("AMD EPYC 7543").length, 2, "the CPU is described once");
}

// Speeds are 1, 1.5, 1.25 and 0.5.
async function driverCompare(page) {
  const selects = page.locator("main select"), summary = page.locator("#verdicts");
  equal(await selects.nth(0).locator("option").allInnerTexts(), [
    "AMD EPYC 7543 (2 CPUs), Mesa 22.3.6, 2026-11-30T12:03:00Z",
    "AMD EPYC 7543 (2 CPUs), Mesa 25.0.7, 2026-11-30",
    "AMD EPYC 7543 (2 CPUs), Mesa 22.3.6, 2026-11-30T12:20:00Z",
    "AMD EPYC 7543 (2 CPUs), 2026-11-30"], "runs are named by what they differ in");
  equal([await selects.nth(0).inputValue(), await selects.nth(1).inputValue()], ["2", "3"],
    "the latest two");
  ok((await summary.innerText()).startsWith("Of 6 pairs"), "of the same device: only the CPU");
  await selects.nth(0).selectOption("0");
  await selects.nth(1).selectOption("1");
  await selects.nth(2).selectOption("any");
  equal(await summary.innerText(), "Of 8 pairs: B is faster in 8, slower in 0; in 0 the " +
    "intervals overlap, and nothing is said.", "two drivers of one device");
  const texts = await page.locator("main table tbody tr", { hasText: "vk_tile" }).allInnerTexts();
  ok(texts.length === 2 && texts.every((text) => text.includes("0.667") &&
    text.includes("Mesa 22.3.6") && text.includes("Mesa 25.0.7")), "with their ratio", texts);
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
  await withPage(browser, "site/index.html", "index", {}, index);
  await withPage(browser, "site/" + amd, "machine", {}, machine);
  await withPage(browser, "site/compare.html", "compare", { locale: "de-DE" }, compare);
  await withPage(browser, "drivers/index.html", "leaders of drivers", {}, driverLeaders);
  await withPage(browser, "drivers/" + amd, "history of drivers", {}, driverHistory);
  await withPage(browser, "drivers/compare.html", "two drivers", {}, driverCompare);
  await withPage(browser, "compilers/" + amd, "two compilers", {},
    compilerHistory);
  await screenshots(browser, { index: "site/index.html", machine: "site/" + amd,
    compare: "site/compare.html", hostile: "site/machines/unknown--hostile.html",
    drivers: "drivers/" + amd, "two-drivers": "drivers/compare.html" });
  await browser.close();
}

main().catch((error) => ok(false, "the tests run to their end", error.stack))
  .finally(() => { process.exitCode = end() ? 0 : 1; });
