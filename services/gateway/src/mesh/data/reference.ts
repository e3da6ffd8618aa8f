/** Where a value stands, as `steps.check.outputs.totals` names it: the names from a root on. */
export type Reference = readonly string[];

/** Step and member names may hold hyphens: nothing is subtracted in a reference. */
const REFERENCE = /^[A-Za-z_]\w*(?:\.[A-Za-z_][\w-]*)*$/;

/** @returns undefined where the text is no reference */
export function parseReference(text: string): Reference | undefined {
  return REFERENCE.test(text) ? text.split(".") : undefined;
}
