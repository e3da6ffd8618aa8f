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
    else if (isApplicable && bind) split.applied.push(name);
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
  flow: Pick<Flow, "slots" | "bind">,
  said: Slots,
  inputs: Inputs,
  { goals, signal }: { goals: readonly string[]; signal?: AbortSignal },
): Promise<Inputs> {
  const { applied } = splitSlots(flow, said, goals);
  if (applied.length === 0 || !flow.bind) return inputs;
  const slots = Object.fromEntries(applied.map((name) => [name, said[name]]));
  const bound = await flow.bind({ slots, inputs }, signal);
  if (isInputs(bound) && isEmptied(flow, bound))
    throw new GatewayError("invalid_inputs", "Nothing in the inputs fits all of these constraints.");
  if (isInputs(bound)) return bound;
  throw new GatewayError("flow_failed", "The bind expression of the flow does not give an object.");
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
