import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "../../lib/paths.ts";
import { charts } from "./charts.ts";
import { figure, percent, table } from "./format.ts";
import type { Results } from "./results.ts";
import { detailsTables, goalsTable, machineText, noiseTable } from "./tables.ts";

const FILE = join(root, "docs/performance.md");
const DIRECTORY = join(root, "docs/performance");
const CHARTS = ["goals.svg", "cpu.svg", "latency.svg", "peers.svg", "soak.svg"];

/** Puts tables and charts into docs/performance.md; what people wrote there stays. @returns the file */
export function writeDocument(results: Results): string {
  mkdirSync(DIRECTORY, { recursive: true });
  for (const name of CHARTS) rmSync(join(DIRECTORY, name), { force: true });
  for (const [name, drawing] of Object.entries(charts(results)))
    writeFileSync(join(DIRECTORY, name), drawing);
  const before = readFileSync(FILE, "utf8");
  const after = Object.entries(sectionsOf(results)).reduce(
    (document, [name, content]) => replaceSection(document, name, content),
    before,
  );
  writeFileSync(FILE, after);
  return relative(root, FILE);
}

/** Replaces what stands between `<!-- bench:name -->` and `<!-- /bench:name -->`. */
export function replaceSection(document: string, name: string, content: string): string {
  const [begin, end] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`];
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from < 0 || to < from)
    throw new Error(`docs/performance.md has lost its place for "${name}": ${begin} … ${end}`);
  return `${document.slice(0, from + begin.length)}\n${content}\n${document.slice(to)}`;
}

const chart = (name: string, words: string) => `![${words}](performance/${name}.svg)`;

const ABSENT = "_Not measured yet._";

function sectionsOf(results: Results): Record<string, string> {
  const measured = Object.keys(results.measures).length > 0;
  return {
    machine: machineText(results.runs) || ABSENT,
    results: measured
      ? [
          goalsTable(results),
          chart("goals", "How each figure stands to what it must be"),
          chart("cpu", "CPU per ask and per event"),
          chart("latency", "Latencies"),
        ].join("\n\n")
      : ABSENT,
    noise: measured ? noiseTable(results) : ABSENT,
    profiles: profilesText(results),
    peers: peersText(results),
    soak: soakText(results),
    details: measured ? detailsTables(results) : ABSENT,
  };
}

function profilesText({ profiles }: Results): string {
  if (!profiles) return ABSENT;
  return profiles.paths
    .map(({ title, busy, functions, modules }) => {
      const rows = functions.map((cost, index) => {
        const module = modules[index];
        return [
          percent(cost.share),
          `\`${cost.where}\``,
          module ? percent(module.share) : "",
          module ? `\`${module.where}\`` : "",
        ];
      });
      const head = ["", "function", "", "package or file"];
      return `**${title}** (the gateway's core was busy ${percent(busy)} of the time)\n\n${table([head, ...rows])}`;
    })
    .join("\n\n");
}

/** Title, and where its figure stands in the harness's rows. */
const PEER_COLUMNS = [
  ["asks/s, 32 at once", "sync", "rps"],
  ["p99 ms", "sync", "p99"],
  ["CPU µs/ask", "sync", "cpu_us_per_req"],
  ["burst events/s", "burst", "evps"],
  ["paced: CPU µs/event", "paced", "cpu_us_per_event"],
  ["transit p50 ms", "paced", "hop_p50"],
  ["transit p99 ms", "paced", "hop_p99"],
  ["KiB/idle stream", "idle", "kib_at_5000"],
  ["pauses/s", "approvals", "pauses_ps"],
  ["resumes/s", "approvals", "resumes_ps"],
  ["resumed p95 ms", "approvals", "e2e_p95"],
] as const;

function peersText({ peers }: Results): string {
  if (!peers) return ABSENT;
  const rows = peers.targets.map(({ target, measures }) => [
    target === "interlock" ? `**${target}**` : target,
    ...PEER_COLUMNS.map(([, measure, value]) => {
      const found = measures[measure]?.[value];
      return found === undefined ? "–" : figure(found);
    }),
  ]);
  return [
    table([["", ...PEER_COLUMNS.map(([title]) => title)], ...rows]),
    chart("peers", "Share of direct, beside others"),
  ].join("\n\n");
}

function soakText({ soak }: Results): string {
  if (!soak) return ABSENT;
  const { minutes, asks, events, gatewaySlope, storeSlope } = soak;
  return [
    `${figure(minutes)} minutes, ${asks.toLocaleString("en")} asks and ${events.toLocaleString("en")} streamed events: over the second ` +
      `half the gateway's memory moved by ${gatewaySlope} MiB a minute, that of Redis by ${storeSlope}.`,
    chart("soak", "Memory over time"),
  ].join("\n\n");
}
