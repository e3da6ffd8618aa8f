import type { Constraint } from "../constraint.ts";
import { slotsOf, splitSlots } from "../mesh/index.ts";
import type { RunTarget } from "../store/index.ts";
import { inline } from "./inline-text.ts";
import type { PlainInputs } from "./session-inputs.ts";
import type { Talk } from "./talk.ts";
import { type Language, wording } from "./wording.ts";

/** What was heard beside the constraints of the order. */
export type Heard = {
  /** Phrases that constrain the answer and that nothing here can apply. */
  unsupported: readonly string[];
  /** The turn took back what was done before. */
  undone: boolean;
  language: Language;
};

/**
 * The first lines of an answer: which constraints were applied to which inputs, and what was said and could not be applied. The user
 * sees at once what the numbers are about.
 */
export function prefaceOf(
  constraints: readonly Constraint[],
  {
    target,
    talk,
    inputs,
    unsupported,
    undone,
    language,
  }: Heard & { target: RunTarget; talk: Talk; inputs: PlainInputs | undefined },
): string {
  const words = wording(language);
  const slots = slotsOf(talk.flow, constraints);
  const { applied: shown, fromResults, notApplied: unknown } = splitSlots(talk.flow, slots, goalsOf(target));
  // A report of several goals shows all results.
  const selects = target.kind === "service" || (target.kind === "flow" && isNarrow(target, talk));
  const notApplied = selects ? unknown : [...unknown, ...fromResults];
  const applied = Object.fromEntries(
    Object.entries(slots).filter(([name]) => shown.includes(name) || (selects && fromResults.includes(name))),
  );
  const echo = talk.echo(applied, language);
  const about = words.about(
    inputs ? nameOf(inputs, talk) : talk.flow.sampleName[language],
    talk.countOf(inputs, language),
  );
  const first = echo === "" ? `${capitalised(about)}.` : `${echo} (${about}).`;
  const left = [
    ...notApplied.map((name) => talk.echo({ [name]: slots[name] ?? "" }, language) || name),
    ...unsupported,
  ];
  return [
    ...(undone ? [words.undone] : []),
    first,
    ...(left.length > 0 ? [words.notApplied(left.map((phrase) => inline(phrase, LONGEST_PHRASE)))] : []),
  ].join(" ");
}

/** Characters of a phrase that is named as not applied. */
const LONGEST_PHRASE = 240;
/** Characters of a name in the first line of an answer. */
const LONGEST_NAME = 80;

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The name that came with the inputs, in one line. */
function nameOf(inputs: PlainInputs, { flow }: Talk): string | undefined {
  const name = flow.inputsName === undefined ? undefined : inputs[flow.inputsName];
  return typeof name === "string" ? name.replace(/\s+/g, " ").slice(0, LONGEST_NAME) : undefined;
}

function goalsOf(target: RunTarget): readonly string[] {
  if (target.kind === "flow") return [target.flow, ...target.goals];
  return target.kind === "service" ? [target.service] : [];
}

/** Whether one service answers, or a flow that is there for the slot. */
function isNarrow({ flow, answer }: { flow: string; answer?: string }, talk: Talk): boolean {
  return answer !== undefined || flow !== talk.flow.name;
}
