import type { MeshFlow, MeshMeasure } from "@interlock/contracts";
import type { Localised } from "../language/index.ts";
import { localised } from "./localised.ts";

/** One name on the way to values; `by`: the slot whose values tell the parts of a list or an object apart. */
export type Segment = { readonly name: string; readonly by?: string };

/** Where values stand: in the inputs, or in what a step of an earlier run made. */
export type Place = { readonly step?: string; readonly path: readonly Segment[] };

/** What a measure is made of where nothing holds it: two measures, or one before and after. */
export type Derived =
  | { readonly is: "difference" | "ratio"; readonly of: readonly [string, string] }
  | { readonly is: "change"; readonly of: string };

/** A condition that a phrase says in one: "lose money". */
export type Sign = "negative" | "positive" | "zero" | "nonzero";

/** What people ask of results and inputs, and where it stands. */
export type Measure = {
  readonly name: string;
  readonly kind: "percent" | "money" | "number" | "count";
  readonly label: Localised;
  readonly nouns: readonly string[];
  /** Phrases that name the measure with a condition. */
  readonly phrases: readonly { readonly sign: Sign; readonly phrases: readonly string[] }[];
  /** Its value of today. */
  readonly before: readonly Place[];
  /** Its value in results, or its only one; of one thing, that of the first place that has it. */
  readonly from: readonly Place[];
  readonly derived?: Derived;
  /** Its values can be added up. */
  readonly sums: boolean;
  /** Compared without its sign. */
  readonly bySize: boolean;
  /** The flow is asked for it in the same words, unless they say of when it is. */
  readonly ordered: boolean;
};

const PLACE =
  /^(?:inputs|steps\.([a-z][a-z0-9_-]*)\.(outputs|kept))((?:\.[A-Za-z_][\w-]*(?:\[[a-z][a-z0-9_]*\])?)+)$/;

/** @param problems gets what is wrong; the measures are to be used only where it stays empty */
export function compileMeasures(name: string, flow: MeshFlow, problems: string[]): readonly Measure[] {
  const known = new Set<string>();
  return Object.entries(flow.measures ?? {}).map(([measure, declared]) => {
    const where = `flows.${name}.measures.${measure}`;
    const places = (texts: readonly string[]): readonly Place[] =>
      texts.flatMap((text) => placeOf(text, flow, (problem) => problems.push(`${where}: ${problem}`)));
    const derived = derivedOf(declared);
    for (const operand of derived ? [derived.of].flat() : [])
      if (!known.has(operand)) problems.push(`${where}: there is no measure "${operand}" above`);
    known.add(measure);
    const { negative = [], positive = [], zero = [], nonzero = [] } = declared.phrases ?? {};
    return {
      name: measure,
      kind: declared.kind,
      label: localised(declared.label),
      nouns: declared.nouns,
      phrases: [
        { sign: "zero", phrases: zero },
        { sign: "nonzero", phrases: nonzero },
        { sign: "negative", phrases: negative },
        { sign: "positive", phrases: positive },
      ],
      before: places([declared.before ?? []].flat()),
      from: places([declared.from ?? []].flat()),
      ...(derived ? { derived } : {}),
      sums: declared.sums ?? false,
      bySize: declared.by_size ?? false,
      ordered: declared.ordered ?? false,
    };
  });
}

function derivedOf({ difference, ratio, change }: MeshMeasure): Derived | undefined {
  if (change !== undefined) return { is: "change", of: change };
  const [first, second] = difference ?? ratio ?? [];
  if (first === undefined || second === undefined) return undefined;
  return { is: difference ? "difference" : "ratio", of: [first, second] };
}

function placeOf(text: string, flow: MeshFlow, refuse: (problem: string) => void): readonly Place[] {
  const [all, step, member, names = ""] = PLACE.exec(text) ?? [];
  if (all === undefined) {
    refuse(`"${text}" is no place of values`);
    return [];
  }
  const segments = names
    .slice(1)
    .split(".")
    .map((segment): Segment => {
      const [name = "", by] = segment.split(/[[\]]/);
      return by === undefined ? { name } : { name, by };
    });
  for (const { by } of segments) {
    const kind = by === undefined ? undefined : flow.slots?.[by]?.kind;
    if (by !== undefined && kind !== "entity" && kind !== "enum")
      refuse(`"${text}": there is no slot "${by}" that names things`);
  }
  if (step === undefined || member === undefined) return [{ path: segments }];
  if (!flow.proposal?.includes(step)) refuse(`"${text}": "${step}" is no step of the proposal`);
  return [{ step, path: [{ name: member }, ...segments] }];
}
