import type { Caller } from "../caller.ts";
import { GatewayError } from "../errors.ts";
import { JsonText } from "../json-text.ts";
import type { Inputs } from "../store/index.ts";

/** Inputs that can be looked into. */
export type PlainInputs = Readonly<Record<string, unknown>>;

export type InputsInUse = { inputs: Inputs; plain: PlainInputs };

/** Where the inputs of runs are kept; undefined for a run that had none, or is not kept any more. */
export type KeptInputs = { inputsOf(caller: Caller, runId: string): Promise<Inputs | undefined> };

/** Inputs that are kept in memory, since the next turn of their session needs them again; and the characters of the large ones. */
const KEPT = 64;
const KEPT_SIZE = 8 * 1024 * 1024;

/** The inputs that a conversation is about. */
export class SessionInputs {
  readonly #runs: KeptInputs;
  readonly #parse: (text: string) => Promise<unknown>;
  readonly #kept = new Map<string, InputsInUse>();

  /** @param parse reads a large JSON text without holding the event loop */
  constructor(runs: KeptInputs, parse: (text: string) => Promise<unknown>) {
    this.#runs = runs;
    this.#parse = parse;
  }

  /** Inputs that come with a request. @param run that is to answer it */
  async given(caller: Caller, run: string, inputs: Inputs): Promise<InputsInUse> {
    const key = `${caller.tenant}:${run}`;
    return this.#keep(key, this.#kept.get(key) ?? { inputs, plain: await this.#plain(inputs) });
  }

  /** Those of an earlier turn. @throws GatewayError result_gone, where the run that brought them is not kept any more */
  async find(caller: Caller, run: string): Promise<InputsInUse> {
    const key = `${caller.tenant}:${run}`;
    const kept = this.#kept.get(key);
    if (kept) return this.#keep(key, kept);
    const inputs = await this.#runs.inputsOf(caller, run);
    if (!inputs) throw new GatewayError("result_gone");
    return this.#keep(key, { inputs, plain: await this.#plain(inputs) });
  }

  #keep(key: string, used: InputsInUse): InputsInUse {
    this.#kept.delete(key);
    this.#kept.set(key, used);
    let size = 0;
    for (const { inputs } of this.#kept.values()) size += sizeOf(inputs);
    for (const [oldest, { inputs }] of this.#kept) {
      if (oldest === key || (this.#kept.size <= KEPT && size <= KEPT_SIZE)) break;
      this.#kept.delete(oldest);
      size -= sizeOf(inputs);
    }
    return used;
  }

  async #plain(inputs: Inputs): Promise<PlainInputs> {
    if (!(inputs instanceof JsonText)) return inputs;
    const value = inputs.take() ?? (await this.#parse(inputs.text));
    return isObject(value) ? value : {};
  }
}

const isObject = (value: unknown): value is PlainInputs => typeof value === "object" && value !== null;

/** Those that came with a small body do not count. */
function sizeOf(inputs: Inputs): number {
  return inputs instanceof JsonText ? inputs.text.length : 0;
}
