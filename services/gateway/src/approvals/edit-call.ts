import { compileSchema } from "@interlock/contracts";
import { canonicalJson } from "../canonical-json.ts";
import { GatewayError } from "../errors.ts";
import type { Approval } from "../store/index.ts";

/** The call of a tool that waits: what is called once it is approved is this. */
export type ProposedCall = { tool: string; arguments: Readonly<Record<string, unknown>> };

/** How an approver changes the arguments of a call; an edit without a value leaves its argument out. */
export const CALL_EDITS = {
  keys: ["argument"],
  set: "value",
  schema: {
    type: "array",
    minItems: 1,
    maxItems: 100,
    items: {
      type: "object",
      properties: { argument: { type: "string", minLength: 1, maxLength: 256 }, value: {} },
      required: ["argument"],
      additionalProperties: false,
    },
  },
} as const;

const readEdits = compileSchema<{ argument: string; value?: unknown }[]>(CALL_EDITS.schema);

/** Whether an approval is of a call that a model chose: its step is `<service>.<round>.<call>`, and steps of flows have no dots. */
export function isOfCall({ step, remote }: Pick<Approval, "step" | "remote">): boolean {
  return remote === undefined && /^[^.:]+\.\d+\.\d+$/.test(step);
}

/** What is proposed by an approval of a call. @throws GatewayError invalid_request, where it cannot be edited */
export function proposedCall({ proposal }: Pick<Approval, "proposal">): ProposedCall {
  const { tool, arguments: args }: { tool?: unknown; arguments?: unknown } = Object(proposal);
  if (typeof tool !== "string" || typeof args !== "object" || args === null)
    throw new GatewayError("invalid_request", "The arguments of this call cannot be edited.");
  return { tool, arguments: { ...args } };
}

/**
 * Applies an approver's edits to the arguments of a call.
 * @param judge says what is wrong with arguments, in the words of the tool's schema
 * @returns the call with the edits
 * @throws GatewayError invalid_request
 */
export async function editedCall(
  approval: Approval,
  edits: unknown,
  judge: (call: ProposedCall) => Promise<string | undefined>,
): Promise<ProposedCall> {
  const read = readEdits(edits);
  if (!read.ok)
    throw new GatewayError("invalid_request", `The edits have the wrong shape: ${read.problem.message}.`);
  const call = proposedCall(approval);
  const args = new Map(Object.entries(call.arguments));
  for (const { argument, value } of read.value)
    if (value === undefined) args.delete(argument);
    else args.set(argument, value);
  const edited = { ...call, arguments: Object.fromEntries(args) };
  // An editor may not approve, so an edit that changes nothing would only exclude its author.
  if (canonicalJson(edited) === canonicalJson(call))
    throw new GatewayError("invalid_request", "The edits change nothing.");
  const wrong = await judge(edited);
  if (wrong !== undefined)
    throw new GatewayError("invalid_request", `The edited arguments are wrong: ${wrong}.`);
  return edited;
}
