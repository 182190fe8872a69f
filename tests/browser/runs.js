// SPDX-License-Identifier: Apache-2.0
//
// Runs with known numbers, as run.jsonl: times grow with n^2 exactly but for a ripple of 1 % over
// the samples, so that every figure that the page shows is known.
"use strict";
const crypto = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");

const HOSTILE = "A \"quoted\" 'card' | <img src=x onerror=alert(1)></script><b>" + "x".repeat(300);
const LENGTHS = [256, 512, 1024, 2048];
const SAMPLES = 12;

// Nanoseconds per n^2 on one thread.
const KERNELS = [
  { kernel: "scalar_naive", tier: "bounded", contract: null, cost: 128 },
  { kernel: "scalar_f", tier: "exact", contract: "F", cost: 560 },
  { kernel: "avx2_f_24x4", tier: "exact", contract: "F", cost: 4 },
  { kernel: "avx2_m_24x4", tier: "exact", contract: "M", cost: 5 },
  { kernel: "onednn", tier: "bounded", contract: null, cost: 4.4 },
];

function workloadText({ h = 1, hk = h, n, m = n, d = 64 }) {
  return `b=1,h=${h},hk=${hk},n=${n},m=${m},d=${d},dv=${d},dtype=f32,mask=full,scale=0.125,split=0`;
}

function header(change) {
  return {
    format_version: 1, tool: "attnmark", tool_version: "0.1.0", contract_version: 1,
    time: "2026-11-30T10:00:00Z", command: ["attnmark bench", "--seed", "7"], seed: 7, budget_s: 90,
    machine: { cpu_model: "Test CPU", isa: "avx2 fma f16c", processors: 2, cores: 2,
      processors_allowed: 2, default_threads: 2 },
    doctor: [{ id: "load", severity: "warning", found: "0.9 in the last minute",
      advice: "end what else runs" }],
    build: { compiler: "gcc 12.2.0", flags: "-O3", type: "release", commit: "0123456789" },
    devices: [{ selector: "vk0", name: "Test GPU", driver: "test 1.0", software: false }],
    vulkan_unavailable: null, spirv_digest: null, shaders: [], environment: {}, ...change,
  };
}

function row(change) {
  return { kernel: "", threads: null, device: "cpu", device_name: "Test CPU", software: false,
    roof: false, status: "ok", reason: null, tier: "exact", contract: "F", samples_ns: [],
    sample_at_s: [], outliers: [], ...change };
}

// A row that was measured: its median is the given time.
function measured(median, workload, change) {
  const { h = 1, n, m = n, d = 64 } = workload;
  const flops = 4 * h * n * m * d, samples = [], at = [];
  for (let i = 0; i < SAMPLES; i++) {
    samples.push(median * (1 + 0.01 * (i % 2 ? 1 : -1) * (i + 1) / SAMPLES));
    at.push(i);
  }
  const digest = (text) => crypto.createHash("md5").update(text).digest("hex");
  const made = row({ workload: workloadText(workload), ...change });
  return { ...made, samples_ns: samples, sample_at_s: at, median_ns: median,
    ci_low_ns: median * 0.99, ci_high_ns: median * 1.02, stopped_by: "precision", clock: "wall",
    warmup: 3, iterations: 1, verified: made.tier === "exact" ? "golden" : "oracle (4 of 9 rows)",
    digest: digest((made.contract || made.kernel) + made.workload), flops, flops_dense: flops,
    gflops: flops / median, roof_gflops: 100 * (made.threads || 1),
    roof_share: flops / median / (100 * (made.threads || 1)), bound: "MAC",
    bytes: 4 * d * (2 * h * n + 2 * h * m), intensity: flops / (4 * d * (2 * h * n + 2 * h * m)),
    gb_per_s: 4 * d * (2 * h * n + 2 * h * m) / median, ...change };
}

function roofs() {
  const one = (kernel, threads, change) => measured(1e6, { n: 256 },
    { kernel, threads, roof: true, tier: null, verified: null, digest: null, ...change });
  return [1, 2].flatMap((threads) => [
    one("roof_f_avx2", threads, { gflops: 100 * threads, gb_per_s: null }),
    one("roof_read_avx2", threads, { contract: null, gflops: null, gb_per_s: 20 * threads,
      bound: "read", level: "memory" }),
  ]);
}

function cpuRows(speed) {
  return LENGTHS.flatMap((n) => KERNELS.flatMap(({ cost, ...kernel }) => [1, 2].map((threads) => {
    const ratio = 4.4 / cost;
    return measured(cost * speed * n * n / threads, { n }, { ...kernel, threads,
      library: "onednn", library_ratio: ratio, library_ratio_low: ratio * 0.97,
      library_ratio_high: ratio * 1.03 });
  })));
}

function gpuRows(name) {
  return LENGTHS.map((n) => {
    const time = 2 * n * n;
    return measured(time, { n }, { kernel: "vk_lanes_m", contract: "M", device: "vk0",
      device_name: name, clock: "gpu_timestamp", device_ns: time, wall_ns: time + 2e5,
      empty_ns: 1.5e5, wall_net_ns: time + 5e4, compile_ns: 3e8, dispatches: 4,
      config: "8x1, 4 rows" });
  });
}

function decodeRows() {
  return [4096, 8192, 16384].map((m) => measured(30 * m, { h: 8, n: 1, m },
    { kernel: "avx2_f_24x4", threads: 2, bound: "read" }));
}

function refusedRows() {
  return [
    row({ kernel: "avx512_f_48x4", threads: 1, workload: workloadText({ n: 256 }),
      status: "unavailable", reason: "this CPU or its system has no avx512f" }),
    row({ kernel: "scalar_m", threads: 1, contract: "M", workload: workloadText({ n: 2048 }),
      status: "failed", reason: "row 3 differs" }),
  ];
}

// Kernels that no registry knows, in head sizes enough to make so many rows: no curves to fit.
function manyRows(count) {
  const rows = [];
  for (let d = 8; rows.length < count; d += 8) {
    for (let i = 0; i < 50; i++) {
      const kernel = "kernel_" + String(i).padStart(2, "0");
      for (const threads of [1, 2]) {
        rows.push(measured((5 + i) * d * 1e4 / threads, { n: 256, d }, { kernel, threads }));
      }
    }
  }
  return rows.slice(0, count);
}

// Writes DIR/run.jsonl and returns its path. options: speed: factor on all CPU times, gpu: name of
// the device, cpu: name of the CPU, result, reasons, rows: this many instead, time.
function writeRun(directory, options = {}) {
  const { speed = 1, gpu = "Test GPU", cpu = "Test CPU", result = "VALID", reasons = [] } = options;
  const head = header({ time: options.time || "2026-11-30T10:00:00Z" });
  head.machine.cpu_model = cpu;
  head.devices[0].name = gpu;
  const rows = options.rows ? [...roofs(), ...manyRows(options.rows)]
    : [...roofs(), ...cpuRows(speed), ...gpuRows(gpu), ...decodeRows(), ...refusedRows()];
  const lines = [head, ...rows];
  if (result) {
    lines.push({ result, reasons, rows: rows.length, drift: [],
      end_time: "2026-11-30T10:02:00Z", elapsed_s: 120 });
  }
  fs.mkdirSync(directory, { recursive: true });
  const file = path.join(directory, "run.jsonl");
  fs.writeFileSync(file, lines.map((line) => JSON.stringify(line) + "\n").join(""));
  return file;
}

module.exports = { HOSTILE, KERNELS, LENGTHS, writeRun };
