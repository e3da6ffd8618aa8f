import type { Caller } from "../caller.ts";
import { GatewayError } from "../errors.ts";
import { JsonText } from "../json-text.ts";
import type { Runs } from "../runs/index.ts";
import type { Inputs } from "../store/index.ts";

/** Inputs that can be looked into. */
export type PlainInputs = Readonly<Record<string, unknown>>;

export type InputsInUse = { inputs: Inputs; plain: PlainInputs };

/** Inputs that are kept in memory, since the next turn of their session needs them again. */
const KEPT = 64;

/** The inputs that a conversation is about. */
export class SessionInputs {
  readonly #runs: Runs;
  readonly #parse: (text: string) => Promise<unknown>;
  readonly #kept = new Map<string, InputsInUse>();

  /** @param parse reads a large JSON text without holding the event loop */
  constructor(runs: Runs, parse: (text: string) => Promise<unknown>) {
    this.#runs = runs;
    this.#parse = parse;
  }

  /** Inputs that come with a request. @param run that is to answer it */
  async given(caller: Caller, run: string, inputs: Inputs): Promise<InputsInUse> {
    return this.#keep(`${caller.tenant}:${run}`, { inputs, plain: await this.#plain(inputs) });
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
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return used;
  }

  async #plain(inputs: Inputs): Promise<PlainInputs> {
    if (!(inputs instanceof JsonText)) return inputs;
    const value = inputs.take() ?? (await this.#parse(inputs.text));
    return typeof value === "object" && value !== null ? { ...value } : {};
  }
}
