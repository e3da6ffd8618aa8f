import type { Candidate, Unit } from "../../../services/understanding/src/tagger/index.ts";
import type { Message, Span } from "./generate.ts";

/** The role of a unit among its candidates: that of the part of the message that it is in. */
export function labelOf(unit: Unit, candidates: readonly Candidate[], { spans }: Message): number {
  const around = spans.filter(({ start, end }) => unit.start < end && start < unit.end);
  if (around.length === 0) return 0;
  const isIn = (op: string): boolean => around.some((span) => span.op === op);
  const indexOf = (isMeant: (candidate: Candidate) => boolean): number =>
    Math.max(0, candidates.findIndex(isMeant));
  if (isIn("unsupported")) return indexOf(({ op }) => op === "unsupported");
  if (!unit.mention) {
    for (const op of ["ask", "clear"]) if (isIn(op)) return indexOf((candidate) => candidate.op === op);
    return 0;
  }
  const span = around.find(({ slot, op }) => slot && op !== "none");
  return span ? indexOf((candidate) => candidate.slot === span.slot && candidate.op === span.op) : 0;
}

/** Whether a mention that the generator made was found, with the role that it has. */
export const isFound = (
  span: Span,
  units: readonly Unit[],
  candidates: readonly (readonly Candidate[])[],
): boolean =>
  units.some(
    (unit, at) =>
      unit.mention &&
      unit.start < span.end &&
      span.start < unit.end &&
      candidates[at]?.some(({ slot, op }) => slot === span.slot && op === span.op),
  );
