import type { AgentResult } from "../agents/index.ts";
import type { Constraint } from "../constraint.ts";
import { ERRORS } from "../errors.ts";
import { JsonText } from "../json-text.ts";
import type { Flow, Verify } from "../mesh/index.ts";

/** The constraints of an order that an effect would violate. */
export type OrderDifference = { slot: string; verdict: string; message: string };

/** Most differences that are reported. */
const MOST_DIFFERENCES = 20;
/** Names of a part that a button can say. */
const MOST_NAMES = 20;

/** An effect would violate the order's constraints, or could not be checked: it must not happen. */
export class OrderNotMet extends Error {
  override readonly name = "OrderNotMet";
  readonly code: "order_not_met" | "order_not_checked";
  readonly differences: readonly OrderDifference[];
  /** The message that asks for the part of the order that could take effect, by language. */
  readonly part: Readonly<Record<"en" | "ko", string>> | undefined;

  constructor(
    code: OrderNotMet["code"],
    differences: readonly OrderDifference[],
    { part, cause }: { part?: OrderNotMet["part"]; cause?: unknown } = {},
  ) {
    super(ERRORS[code].message, { cause });
    this.code = code;
    this.differences = differences.slice(0, MOST_DIFFERENCES);
    this.part = part;
  }
}

/** What is judged, and against what. */
export type Judged = {
  verify: Verify;
  flow: Pick<Flow, "uncheckable">;
  /** What the flow's templates and conditions see of the run. */
  context: Readonly<Record<string, unknown>> & { constraints: readonly Constraint[] };
  proposal: unknown;
  signal: AbortSignal;
};

/**
 * Has a task judge what is to take effect against what was said. Fails closed: only an answer that accepts it, and that judges each
 * constraint, lets it pass.
 * @returns the slots that no effect can show
 * @throws OrderNotMet; the signal's reason
 */
export async function verifyOrder(
  { verify, flow, context, proposal, signal }: Judged,
  ask: (inputs: unknown) => Promise<AgentResult["outputs"]>,
): Promise<string[]> {
  const { constraints } = context;
  let outputs: AgentResult["outputs"];
  let isAccepted: boolean;
  try {
    outputs = await ask(await verify.inputs({ ...context, proposal }, signal));
    isAccepted = (await verify.accept({ outputs }, signal)) === true;
  } catch (cause) {
    signal.throwIfAborted();
    throw new OrderNotMet("order_not_checked", [], { cause });
  }
  const verdicts = verdictsOf(outputs);
  if (!verdicts) throw new OrderNotMet("order_not_checked", []);
  const isUnseen = ({ slot, verdict }: OrderDifference) =>
    verdict === "not_checkable" && flow.uncheckable.has(slot);
  const differences = verdicts.filter((one) => one.verdict !== "kept" && !isUnseen(one));
  const unjudged = unjudgedOf(constraints, verdicts);
  if (unjudged.length > 0) throw new OrderNotMet("order_not_checked", [...differences, ...unjudged]);
  if (differences.length > 0 || !isAccepted) {
    const part = await partOf(verify, outputs, signal);
    throw new OrderNotMet("order_not_met", differences, part ? { part } : {});
  }
  return [...new Set(verdicts.filter(isUnseen).map(({ slot }) => slot))];
}

/** Undefined if the answer has no readable verdicts, or is too large to read in the event loop. */
function verdictsOf(outputs: AgentResult["outputs"]): OrderDifference[] | undefined {
  if (outputs instanceof JsonText || !Array.isArray(outputs.verdicts)) return undefined;
  const verdicts = outputs.verdicts.map((one: unknown): OrderDifference | undefined => {
    const { slot, verdict, message }: Record<string, unknown> = Object(one);
    if (typeof slot !== "string" || typeof verdict !== "string") return undefined;
    return { slot, verdict, message: typeof message === "string" ? message : "" };
  });
  return verdicts.includes(undefined) ? undefined : verdicts.filter((one) => one !== undefined);
}

/** Constraints without a verdict in the answer: each needs its own. */
function unjudgedOf(
  constraints: readonly Constraint[],
  verdicts: readonly OrderDifference[],
): OrderDifference[] {
  const left = new Map<string, number>();
  for (const { slot } of verdicts) left.set(slot, (left.get(slot) ?? 0) + 1);
  return constraints.flatMap(({ slot }) => {
    const count = left.get(slot) ?? 0;
    left.set(slot, count - 1);
    return count > 0 ? [] : [{ slot, verdict: "unjudged", message: "Nothing judged this." }];
  });
}

async function partOf(
  { part }: Verify,
  outputs: AgentResult["outputs"],
  signal: AbortSignal,
): Promise<OrderNotMet["part"]> {
  if (!part) return undefined;
  const found = await part.names({ outputs }, signal).catch(() => undefined);
  const names = [found].flat().filter((name) => typeof name === "string");
  if (names.length === 0 || names.length > MOST_NAMES) return undefined;
  const say = (text: string, and: string) =>
    text.replace("{names}", () => names.join(", ").replace(/, (?=[^,]*$)/, and));
  return { en: say(part.say.en, " and "), ko: say(part.say.ko, ", ") };
}
