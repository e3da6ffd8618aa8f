import type { SlotReader } from "../../language/index.ts";
import type { OtherNames } from "./holds.ts";

/**
 * What the manifest calls things in another script than the results do: `신품` for `new`. Only the first name counts: the others are words
 * that people use for it, some of which mean something narrower. What flows call differently is left out.
 */
export function otherNamesOf(flows: readonly (Pick<SlotReader, "slots"> | undefined)[]): OtherNames {
  const declared = flows.flatMap((flow) =>
    (flow?.slots ?? []).flatMap(({ nouns, values }): [string, string][] => [
      ...namedFirst(nouns[0], nouns),
      ...Object.entries(values).flatMap(([value, others]) => namedFirst(value, others)),
    ]),
  );
  const byOther = Map.groupBy(declared, ([other]) => other);
  return new Map([...byOther.values()].filter(isAgreed).flat());
}

const isAgreed = (said: readonly (readonly [string, string])[]): boolean =>
  new Set(said.map(([, name]) => name)).size === 1;

function namedFirst(name: string | undefined, others: readonly string[]): [string, string][] {
  const other = others.find((one) => /^\p{Script=Hangul}+$/u.test(one));
  return name === undefined || other === undefined ? [] : [[other, name.toLowerCase()]];
}
