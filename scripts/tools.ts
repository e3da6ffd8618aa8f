/**
 * `npm run -s tools -- diff`: what the MCP servers of a mesh offer, beside what was accepted. Exit code 1 where they differ.
 * `npm run -s tools -- accept [<server>.<tool>…]`: accepts what they offer now, all of it or these tools, for `tools: pin: true`.
 */
import { writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { secretOf } from "@interlock/contracts/settings";
import { Egress } from "../services/gateway/src/egress/index.ts";
import { loadMesh, type Mesh } from "../services/gateway/src/mesh/index.ts";
import { ToolServers } from "../services/gateway/src/tools/index.ts";
import { fail, say } from "./cli/src/console.ts";

type Definitions = Readonly<Record<string, object>>;

/** What the servers offer, and what of them could not be asked. */
async function offered({ tools, egress }: Mesh) {
  const servers = new ToolServers({
    tools,
    egress: new Egress({ rules: egress }),
    taken: [],
    secret: (variable) => secretOf(process.env, variable),
    isInjection: () => false,
  });
  try {
    await servers.start();
    const away = servers.servers.flatMap(({ spec, status }) => (status === "ready" ? [] : spec.name));
    return { found: [...servers.all], away };
  } finally {
    await servers.close();
  }
}

/** The members of two definitions that differ, each as it was and as it is. */
function differences(before: object, now: object): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return names.flatMap((name) => {
    const [was, is] = [before, now].map((one) => shown(Reflect.get(one, name)));
    return was === is ? [] : [`    ${name}`, `      - ${was}`, `      + ${is}`];
  });
}

/** Nothing of it is a control of the terminal, or cannot be seen. */
function shown(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").replace(
    /[^\x20-\x7e\p{L}]/gu,
    (letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`,
  );
}

type Offered = Awaited<ReturnType<typeof offered>>;

/** What differs, a paragraph a tool. */
function diff({ found, away }: Offered, accepted: Definitions): string[] {
  const known = new Map(found.map((tool) => [tool.name, tool]));
  const isAway = (name: string): boolean => away.some((server) => name.startsWith(`${server}.`));
  const gone = Object.keys(accepted).filter((name) => !known.has(name) && !isAway(name));
  const changed = found.flatMap(({ name, definition, flags }) => {
    const before = Object.hasOwn(accepted, name) ? accepted[name] : undefined;
    const lines = differences(before ?? {}, definition);
    if (lines.length === 0) return [];
    const suspect = flags.length > 0 ? `  (${flags.join(", ")})` : "";
    return [[`${before ? "changed" : "new"}  ${name}${suspect}`, ...lines].join("\n")];
  });
  return [...changed, ...gone.map((name) => `gone  ${name}`)];
}

/** The definitions that are accepted from now on. @param names absent: all */
function accept({ found, away }: Offered, accepted: Definitions, names: readonly string[]): Definitions {
  const now = new Map<string, object>(found.map(({ name, definition }) => [name, definition]));
  const unknown = names.filter((name) => !now.has(name) && !Object.hasOwn(accepted, name));
  if (unknown.length > 0) throw new Error(`There is no tool ${unknown.join(", ")}.`);
  const all = new Set([...Object.keys(accepted), ...now.keys()]);
  const kept = [...all].sort().flatMap((name) => {
    const isChosen =
      names.length > 0 ? names.includes(name) : !away.some((server) => name.startsWith(`${server}.`));
    const definition = isChosen ? now.get(name) : accepted[name];
    return definition ? [[name, definition] as const] : [];
  });
  return Object.fromEntries(kept);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { file: { type: "string" } },
    allowPositionals: true,
  });
  const [command, ...names] = positionals;
  if (command !== "diff" && command !== "accept")
    throw new Error("npm run -s tools -- diff, or accept [<server>.<tool>…]");
  const manifest = values.file ?? (process.env.MESH_FILE || "mesh.yaml");
  const mesh = loadMesh(manifest, process.env);
  const file = resolve(dirname(manifest), mesh.tools.acceptedFile);
  const accepted = { ...mesh.tools.accepted };
  const all = await offered(mesh);
  for (const server of all.away) say(`unavailable  ${server}`);
  if (command === "accept") {
    const now = accept(all, accepted, names);
    writeFileSync(file, `${JSON.stringify(now, null, 2)}\n`);
    say(
      `${Object.keys(now).length} definitions are accepted in ${file}; gateways take them at their next reload.`,
    );
    return;
  }
  const found = diff(all, accepted);
  say(found.length > 0 ? found.join("\n\n") : "What the servers offer is what was accepted.");
  if (found.length > 0) process.exitCode = 1;
}

try {
  await main();
} catch (error) {
  fail(error);
}
