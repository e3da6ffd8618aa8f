import type { JsonExcess, JsonLimits } from "@interlock/contracts";
import { GatewayError } from "../errors.ts";

/**
 * What no body has more of, whatever its size: each is work that cannot be cut into pieces, such as listing the members of an object.
 * Twice the documented 10,000 items as members of one object, and a text of 2 MiB, take 10 ms or so.
 */
export const FIXED_LIMITS = {
  maxDepth: 32,
  maxMembers: 20_000,
  maxNameBytes: 1024,
  maxTextBytes: 2 * 1024 * 1024,
  maxGapBytes: 64 * 1024,
} as const satisfies Partial<JsonLimits>;

const EXCESS = {
  too_deep: "The body is nested too deeply.",
  too_many_values: "The body has too many values.",
  too_many_members: `An object in the body has more than ${FIXED_LIMITS.maxMembers} members.`,
  long_name: `The name of a member in the body is longer than ${FIXED_LIMITS.maxNameBytes} bytes.`,
  long_text: `A text in the body is longer than ${FIXED_LIMITS.maxTextBytes} bytes.`,
  long_gap: `The body has more than ${FIXED_LIMITS.maxGapBytes} blanks or digits in one place.`,
} as const satisfies Record<JsonExcess, string>;

export function excessError(excess: JsonExcess): GatewayError {
  return new GatewayError("invalid_request", EXCESS[excess]);
}
