import { type CallReport, understandingWithModels } from "../../services/gateway/src/understanding.ts";
import { manifestWithModels, SHIPPED_MANIFEST } from "../lib/model-manifest.ts";
import { readScript } from "../model-server/script.ts";
import { startModelServer } from "../model-server/server.ts";
import { quantile } from "../train/intents/evaluate.ts";

/** The options of every evaluation that can ask a model. */
export const MODEL_OPTIONS = {
  model: { type: "string" },
  "model-id": { type: "string" },
  "model-script": { type: "string" },
  "model-timeout": { type: "string" },
} as const;

type ModelValues = { [Option in keyof typeof MODEL_OPTIONS]?: string | undefined };

/** A manifest in which the model under test gives the second opinion. */
export type ModelUnderTest = { manifest: string; stop: () => Promise<void> };

/** Of one opinion, in milliseconds, unless the caller says otherwise: the gateway's own limit. */
const TIMEOUT_MS = 200;
const NAME = "under-test";

/**
 * The model that the options name: at an OpenAI-compatible address, one of the manifest's by name, or the model server, which answers from a
 * script.
 * @returns undefined where they name none
 */
export async function modelOf(values: ModelValues): Promise<ModelUnderTest | undefined> {
  const { model, "model-id": id = "default", "model-script": script, "model-timeout": timeout } = values;
  if (model === undefined && script === undefined) return undefined;
  if (model !== undefined && script !== undefined)
    throw new Error("--model and --model-script name two models");
  const server = script === undefined ? undefined : await startModelServer({ script: readScript(script) });
  const address = server?.url ?? (/^https?:/.test(model ?? "") ? model : undefined);
  const intent = {
    model: address === undefined ? (model ?? "") : NAME,
    temperature: 0,
    max_tokens: 300,
    retries: 0,
    timeout_ms: timeout === undefined ? TIMEOUT_MS : Number(timeout),
  };
  const { file, remove } = manifestWithModels(process.env.MESH_FILE ?? SHIPPED_MANIFEST, (before) =>
    address === undefined
      ? { default: "rules", allow: ["rules"], ...before, tasks: { intent } }
      : {
          default: "rules",
          allow: ["rules", NAME],
          tasks: { intent },
          providers: { here: { kind: "openai_compatible", base_url: address } },
          models: { [NAME]: { provider: "here", model: id } },
        },
  );
  return {
    manifest: file,
    async stop() {
      remove();
      await server?.stop();
    },
  };
}

/** The gateway's understanding with the model under test, and what was asked of it. */
export async function understandingOf({ manifest }: ModelUnderTest, flow: string) {
  const calls: CallReport[] = [];
  const env = { ...process.env, MESH_FILE: manifest };
  const understanding = await understandingWithModels(flow, env, (report) => calls.push(report));
  return { ...understanding, calls };
}

/** What a model changed. */
export class Changes {
  #all = 0;
  #toRight = 0;
  #toWrong = 0;
  #other = 0;

  /** @param right before and after; undefined where nothing is expected */
  note(isSame: boolean, right?: { before: boolean; after: boolean } | undefined): void {
    this.#all += 1;
    if (right && right.before !== right.after) {
      if (right.after) this.#toRight += 1;
      else this.#toWrong += 1;
    } else if (!isSame) this.#other += 1;
  }

  /** @param times of each call, in milliseconds */
  lines(times: readonly number[], { answered, of }: { answered: number; of: string }): string[] {
    const p95 = times.length === 0 ? "" : `, p95 ${quantile(times, 0.95).toFixed(0)} ms`;
    return [
      `model: asked for ${times.length} of ${this.#all} ${of}, answered ${answered}${p95}`,
      `model: wrong→right ${this.#toRight}, right→wrong ${this.#toWrong}, otherwise changed ${this.#other}`,
    ];
  }
}

export function linesOf(changes: Changes, calls: readonly CallReport[], of: string): string[] {
  const times = calls.map(({ durationMs }) => durationMs);
  return changes.lines(times, { answered: calls.filter(({ outcome }) => outcome === "ok").length, of });
}
