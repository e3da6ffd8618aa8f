import type { Caller } from "../../caller.ts";
import type { Measure } from "../../mesh/index.ts";
import type { TurnDeps } from "../turn-step.ts";
import type { Proposal } from "../working-set.ts";

/** What the steps of a proposal made, by their names in the flow. */
export type Made = { readonly proposal: Proposal; readonly steps: ReadonlyMap<string, unknown> };

/** The steps whose results a measure is looked up in, those of what it is made of included. */
export function stepsOf(
  { derived, before, from }: Measure,
  measures: ReadonlyMap<string, Measure>,
): readonly string[] {
  const operands = [derived?.of ?? []].flat().flatMap((name) => measures.get(name) ?? []);
  const own = [...before, ...from].flatMap(({ step }) => step ?? []);
  return [...new Set([...own, ...operands.flatMap((operand) => stepsOf(operand, measures))])];
}

/**
 * The last of these proposals of which one of the steps has a result that is kept; undefined where none has.
 * @throws GatewayError store_unavailable
 */
export async function madeLast(
  proposals: readonly Proposal[],
  steps: readonly string[],
  { caller, runs, readJson }: Pick<TurnDeps, "runs" | "readJson"> & { caller: Caller },
): Promise<Made | undefined> {
  for (const proposal of proposals.toReversed()) {
    const made = new Map<string, unknown>();
    for (const step of steps) {
      const name = proposal.steps[step];
      const text =
        name === undefined ? undefined : await runs.resultText(caller, { run: proposal.run, step: name });
      if (text !== undefined) made.set(step, await readJson(text));
    }
    if (made.size > 0) return { proposal, steps: made };
  }
  return undefined;
}
