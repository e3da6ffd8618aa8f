import type { OrderConstraint } from "./constraints/constraint.ts";
import type { AppliedConstraint } from "./constraints/types.ts";
import { constraintLines } from "./constraints/words.ts";
import type { Failure } from "./failures.ts";
import { type Format, formatFor, type Printing } from "./format.ts";

/** Which items an answer is about (wire shape). */
export type Catalogue = {
  name?: string;
  items: number;
  /** The request had no inputs: these are the items that come with the agent. */
  sample: boolean;
};

type Asked = Printing & { readonly catalogue?: string; readonly items?: readonly unknown[] };

type Answer = {
  readonly summary: string;
  readonly failures?: readonly Failure[];
  readonly applied?: readonly AppliedConstraint[];
  readonly not_applied?: readonly OrderConstraint[];
};

/**
 * An answer with the catalogue that it is about. Its summary says first if that is the sample, so that nobody takes it for their own
 * items, then the finding, and last the notes: what came of the constraints, and which items could not be worked on and why.
 * @param inputs without `items`, one item is meant
 */
export function aboutCatalogue<T extends Answer>(
  answer: T,
  inputs: Asked,
  sample: boolean,
): T & { catalogue: Catalogue; finding: string; notes?: string } {
  const items = inputs.items?.length ?? 1;
  const format = formatFor(inputs);
  const catalogue = {
    ...(inputs.catalogue === undefined ? {} : { name: inputs.catalogue }),
    items,
    sample,
  };
  const { failures = [], applied = [], not_applied: notApplied = [] } = answer;
  const notes = [...constraintLines(applied, notApplied, format), ...missing(failures, format)].join("\n");
  const summary = [
    ...(sample ? [format.texts.sampleCatalogue(items)] : []),
    answer.summary,
    ...(notes === "" ? [] : [notes]),
  ].join("\n");
  return { ...answer, catalogue, finding: answer.summary, ...(notes === "" ? {} : { notes }), summary };
}

/** Failures that a summary names. */
const MOST_NAMED = 10;

function missing(failures: readonly Failure[], { texts }: Format): string[] {
  if (failures.length === 0) return [];
  const named = failures.slice(0, MOST_NAMED).map((one) => `${one.item_id}: ${texts.failure(one)}`);
  return [texts.missing(failures.length, named)];
}
