import { GatewayError } from "../errors.ts";
import { JsonText } from "../json-text.ts";
import type { Slots } from "../language/index.ts";
import type { Flow } from "./model.ts";

/** An object, or the text of a large one. */
type Inputs = Readonly<Record<string, unknown>> | JsonText;

/** What can become of the slots of a turn. */
export type SplitSlots = {
  /** The inputs show them. */
  applied: readonly string[];
  /** They select from the results: the answer shows them. */
  fromResults: readonly string[];
  /** None of the goals can apply them: to be named in the answer. */
  notApplied: readonly string[];
};

/**
 * Tells which slots the inputs can show.
 * @param goals the goals, or the one service, that the inputs are for
 */
export function splitSlots(
  { slots, bind }: Pick<Flow, "slots" | "bind">,
  said: Slots,
  goals: readonly string[],
): SplitSlots {
  const declared = new Map(slots?.slots.map((slot) => [slot.name, slot]));
  const split = { applied: [] as string[], fromResults: [] as string[], notApplied: [] as string[] };
  for (const name of Object.keys(said)) {
    const slot = declared.get(name);
    const isApplicable =
      slot !== undefined &&
      (slot.appliesTo.length === 0 || goals.some((goal) => slot.appliesTo.includes(goal)));
    if (slot?.fromResults && isApplicable) split.fromResults.push(name);
    else if (isApplicable && (bind || slot.input !== undefined)) split.applied.push(name);
    else split.notApplied.push(name);
  }
  return split;
}

/**
 * Applies slots to inputs. A slot that none of the goals can apply leaves the inputs as they are.
 * @param goals the goals, or the one service, that the inputs are for
 * @throws GatewayError flow_failed, where the expression does not give an object; invalid_inputs, where nothing is left of the inputs
 */
export async function bindSlots(
  flow: Pick<Flow, "slots" | "bind" | "take">,
  said: Slots,
  inputs: Inputs,
  { goals, signal }: { goals: readonly string[]; signal?: AbortSignal },
): Promise<Inputs> {
  const { applied } = splitSlots(flow, said, goals);
  const taken: Record<string, unknown> = {};
  const slots: Record<string, unknown> = {};
  for (const name of applied) {
    const input = flow.slots?.slots.find((slot) => slot.name === name)?.input;
    if (input === undefined) slots[name] = said[name];
    else taken[input] = said[name];
  }
  const begun = isEmpty(taken) ? inputs : await take(flow, taken, inputs, signal);
  if (isEmpty(slots) || !flow.bind) return begun;
  const bound = await flow.bind({ slots, inputs: begun }, signal);
  if (isInputs(bound) && isEmptied(flow, bound))
    throw new GatewayError("invalid_inputs", "Nothing in the inputs fits all of these constraints.");
  if (isInputs(bound)) return bound;
  throw new GatewayError("flow_failed", "The bind expression of the flow does not give an object.");
}

/** The inputs with these members. Most limits are of this kind, and small inputs take them without an expression. */
async function take(
  flow: Pick<Flow, "take">,
  taken: Readonly<Record<string, unknown>>,
  inputs: Inputs,
  signal: AbortSignal | undefined,
): Promise<Inputs> {
  if (!(inputs instanceof JsonText)) return { ...inputs, ...taken };
  const merged = await flow.take?.({ taken, inputs }, signal);
  if (isInputs(merged)) return merged;
  throw new GatewayError("internal");
}

/** Puts members into large inputs. */
export const TAKE = "$merge([inputs, taken])";

function isEmpty(object: object): boolean {
  return Object.keys(object).length === 0;
}

/** Whether none of the entities that a slot can name is left. */
function isEmptied({ slots }: Pick<Flow, "slots">, bound: Inputs): boolean {
  if (bound instanceof JsonText) return false;
  return (slots?.slots ?? []).some(
    ({ kind, from }) =>
      kind === "entity" && from.some((name) => Array.isArray(bound[name]) && bound[name].length === 0),
  );
}

function isInputs(value: unknown): value is Inputs {
  if (value instanceof JsonText) return value.text.startsWith("{");
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
