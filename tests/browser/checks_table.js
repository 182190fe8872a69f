// SPDX-License-Identifier: Apache-2.0
//
// The table of every row: filters, sorts, copies; and what the page says of the runs.
"use strict";
const { equal, ok } = require("./tap.js");

const ROWS = "#rows tbody tr";

// The texts of a column, by its heading.
function column(page, name) {
  return page.$$eval("#rows table", ([table], wanted) => {
    const heads = [...table.tHead.rows[0].cells].map((cell) => cell.textContent.trim());
    const at = heads.findIndex((head) => head === wanted);
    return [...table.tBodies[0].rows].map((row) => row.cells[at].innerText);
  }, name);
}

async function filters(page, count) {
  const status = page.locator("#rows [role=status]");
  equal(await status.innerText(), count + " rows", "all rows are there");
  await page.fill("#rows input", "AVX2_f n=1024");
  ok((await column(page, "kernel")).every((name) => name === "avx2_f_24x4"),
    "the text filter finds words, whatever their case");
  equal(await page.locator(ROWS).count(), 2, "and all of them must be there");
  await page.fill("#rows input", "");
  await page.selectOption("#rows select >> nth=0", "unavailable");
  equal(await page.locator(ROWS).count(), 1, "the filter of the status");
  ok((await page.locator(ROWS).innerText()).includes("no avx512f"), "a reason is shown");
  await page.selectOption("#rows select >> nth=0", "");
  await page.selectOption("#rows select >> nth=1", "vk0");
  await page.selectOption("#rows select >> nth=2", "bounded");
  equal(await page.locator(ROWS).count(), 0, "filters work together");
  await page.selectOption("#rows select >> nth=1", "");
  await page.selectOption("#rows select >> nth=2", "");
  equal(await page.locator(ROWS).count(), count, "and go away");
}

async function sorts(page) {
  const head = page.locator("#rows th button", { hasText: "GFLOP/s" });
  await head.click();
  let rates = (await column(page, "GFLOP/s")).filter((text) => text !== "-").map(Number);
  ok(rates.length > 10 && rates.every((rate, i) => !i || rate >= rates[i - 1]),
    "a heading sorts as numbers", rates);
  equal((await column(page, "GFLOP/s")).at(-1), "-", "what is unknown comes last");
  await head.focus();
  await page.keyboard.press("Enter");
  rates = (await column(page, "GFLOP/s")).filter((text) => text !== "-").map(Number);
  ok(rates.every((rate, i) => !i || rate <= rates[i - 1]), "and the other way by the keyboard");
  equal(await page.locator("#rows th[aria-sort]").getAttribute("aria-sort"), "descending",
    "and says so");
}

async function copies(page) {
  await page.fill("#rows input", "avx2_m_24x4 n=512 golden");
  await page.locator("#rows td button").first().click();
  await page.waitForSelector("#rows code");
  const text = await page.evaluate(() => navigator.clipboard.readText());
  const wanted = "attnmark bench --device cpu --kernel avx2_m_24x4 --workload " +
    "b=1,h=1,hk=1,n=512,m=512,d=64,dv=64,dtype=f32,mask=full,scale=0.125,split=0 --threads ";
  ok(text.startsWith(wanted) && / --threads [12] --seed 7$/.test(text), "the command is copied",
    text);
  await page.fill("#rows input", "");
}

// The words of a POSIX shell command that quotes as the page does.
async function quotes(page) {
  const words = ["plain-1,2=x", "a b", "it's", "$HOME `x` \"q\"", "", "*"];
  const line = await page.evaluate((all) => all.map(quoted).join(" "), words);
  equal(line, "plain-1,2=x 'a b' 'it'\\''s' '$HOME `x` \"q\"' '' '*'",
    "words are quoted for a shell");
}

// What the run was told by its environment, the row is told again.
async function variables(page) {
  const command = await page.evaluate(() => reproduceCommand({ device: "vk0",
    kernel: { name: "k" }, workload: { text: "n=1" }, threads: null,
    run: { seed: 1, environment: [["VK_DRIVER_FILES", "/a b/c.json"], ["X", "1"]] } }));
  equal(command, "VK_DRIVER_FILES='/a b/c.json' X=1 attnmark bench --device vk0 --kernel k " +
    "--workload n=1 --seed 1", "commands have the variables of the run");
}

async function oneHash(page) {
  const tiles = await page.evaluate(() => {
    const row = (contract, seed, digest) => ({ exact: true, digest, kernel: { contract },
      workload_index: 0, run: { seed } });
    const figure = (...rows) => hashTile({ ok: rows }).querySelector(".figure").textContent;
    return [figure(row("F", 1, "a"), row("F", 1, "a"), row("M", 1, "b")),
      figure(row("F", 1, "a"), row("F", 2, "b")), figure(row("F", 1, "a"), row("F", 1, "b"))];
  });
  equal(tiles, ["2 of 2 agree", "2 of 2 agree", "0 of 1 agree"],
    "digests are compared where contract, workload and seed are equal");
}

// A choice of one is no choice, but says what is shown.
async function onlyChoice(page) {
  const texts = await page.evaluate(() =>
    [["a", "Workload", [["0", "n=64"]]], ["b", null, [["0", "hidden"]]], ["c", "Where", []]]
      .map((one) => el("div", null, chosen([one], () => "shown")).textContent));
  equal(texts, ["Workloadn=64shown", "shown", "shown"], "a choice of one is said");
}

async function workloads(page) {
  const labels = await page.evaluate(() => {
    const made = (h, n, m = n) => ({ decode: n === 1, b: 1, h, hk: h, n, m, d: 64, dv: 64,
      dtype: "f32", mask: "full", label: [h, n, m].join(), text: "" });
    const list = [made(8, 512), made(8, 1, 64), made(1, 1024), made(1, 256)];
    return workloadChoices(list, new Set([0, 1, 2, 3])).map((one) => one.join(" "));
  });
  equal(labels, ["3 1,256,256", "2 1,1024,1024", "0 8,512,512", "1 8,1,64"],
    "workloads are in order, whatever the order of rows");
}

async function numbers(page) {
  const found = await page.evaluate(() => [significant(1234567.8), significant(0.00123456),
    significant(null), significant(Infinity), time(1234.5), time(18.04e6), percent(0.6789),
    timeInterval(18.04e6, 15.84e6, 18.33e6), ratio(1.0567), change(-0.05), tick(1048576), time(0)]);
  equal(found, ["1234568", "0.00123", "-", "-", "1.234 us", "18.04 ms", "67.9 %",
    "[15.84, 18.33] ms", "1.06\u00d7", "-5.0 %", "1.049M", "0 ns"], "numbers for people");
}

async function facts(page) {
  const head = await page.locator("#summary").innerText();
  ok(head.includes("VALID"), "the result is at the top", head);
  ok(/One hash\s+\d+ of \d+ agree/.test(head), "and whether the digests agree", head);
  ok((await page.locator("#facts").innerText()).includes("end what else runs"),
    "what the doctor found");
}

module.exports = { copies, facts, filters, numbers, oneHash, onlyChoice, quotes, sorts, variables,
  workloads };
