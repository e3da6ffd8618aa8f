import { UnrecoverableError } from "bullmq";

/** Why a try failed, as a code: never an address, and nothing that the receiver said. */
export class DeliveryError extends Error {}

/** A try that no other one follows. */
export const dead = (code: string): UnrecoverableError => new UnrecoverableError(code);

/** @param error of a request that got no answer */
export function failureOf(error: unknown): DeliveryError {
  return new DeliveryError(codeOf(error));
}

function codeOf(error: unknown): string {
  for (let one: unknown = error; Error.isError(one); one = one.cause) {
    if ("code" in one && one.code === "EGRESS_REFUSED") return "egress_refused";
    if (one.name === "TimeoutError") return "timeout";
  }
  return "unreachable";
}
