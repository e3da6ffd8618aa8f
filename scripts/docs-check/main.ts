/**
 * `npm run -s docs:check [-- FILES]`: runs every command and every program of the documents in a copy of this tree, against the mesh that
 * `npm start` starts there, and compares what they print with what the documents show. CONTRIBUTING says how documents are written for it.
 * The last line is the total.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fail, say } from "../cli/src/console.ts";
import { stopSignal } from "../cli/src/stop-signal.ts";
import { root } from "../lib/paths.ts";
import { conclude } from "../lib/run-checks.ts";
import { blocksOf } from "./blocks.ts";
import { Clone } from "./clone.ts";
import { startRequests } from "./control.ts";
import type { Result } from "./document.ts";
import { runDocument, runsCommands } from "./document.ts";
import { documentsOf } from "./documents.ts";
import { CloneMesh } from "./mesh.ts";
import { DocumentPorts } from "./ports.ts";
import { Shell } from "./shell.ts";
import { isStrangersEnvironment, strangersEnvironment } from "./stranger.ts";
import { table } from "./table.ts";

/** Of one block. */
const LIMIT_MS = 300_000;

async function main(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const documents = positionals.length > 0 ? positionals : documentsOf(root);
  const signal = stopSignal();
  const clone = new Clone();
  const ports = await DocumentPorts.choose();
  const mesh = new CloneMesh(clone.path, ports);
  /** Whether the mesh is the one of an unchanged tree. Another one would surprise the next document. */
  let asInRepository = false;
  const control = await startRequests(async (env) => {
    asInRepository = false;
    const isUsual = isStrangersEnvironment(env) && clone.isAsInRepository();
    const said = await mesh.start(env);
    asInRepository = isUsual;
    return said;
  });
  const env = { ...strangersEnvironment(), DOCS_CHECK_START: control.url };
  const openShell = () => {
    const shell = new Shell(clone.path, env);
    signal.addEventListener("abort", () => void shell.close(), { once: true });
    return shell;
  };
  const all = new Map<string, Result[]>();
  try {
    for (const file of documents) {
      if (signal.aborted) throw new Error(`stopped before ${file}`);
      const started = performance.now();
      const markdown = readFileSync(join(root, file), "utf8");
      const around = { tree: clone.path, ports, openShell, limitMs: LIMIT_MS };
      const blocks = blocksOf(file, markdown);
      if (!asInRepository && runsCommands(blocks)) {
        await mesh.start();
        asInRepository = true;
      }
      const results = await runDocument(blocks, around);
      all.set(file, results);
      report(file, results, performance.now() - started);
      // The next document begins with the tree as it is in the repository. A mesh has the manifest that it has read, whatever became of the file.
      clone.reset();
      if (await mesh.reloaded()) asInRepository = false;
    }
  } finally {
    await control.close();
    await mesh.stop();
    clone.remove();
  }
  say(`\n${table(all)}`);
  const failed = [...all.values()].flat().filter(({ outcome }) => outcome === "failed").length;
  conclude({ passed: [...all.values()].flat().length - failed, failed });
}

function report(file: string, results: readonly Result[], tookMs: number): void {
  const failed = results.filter(({ outcome }) => outcome === "failed");
  say(
    `${failed.length === 0 ? "ok    " : "FAILED"} ${file} (${results.length} blocks, ${(tookMs / 1000).toFixed(1)} s)`,
  );
  for (const { block, note = "" } of failed)
    say(`  ${block.file}:${block.line}\n${note.replace(/^/gm, "    ")}`);
}

await main().catch(fail);
