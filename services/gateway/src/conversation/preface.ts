import { splitSlots } from "../mesh/index.ts";
import type { RunTarget } from "../store/index.ts";
import type { Interpretation } from "./interpretation.ts";
import type { PlainInputs } from "./session-inputs.ts";
import type { Talk } from "./talk.ts";
import { type Language, wording } from "./wording.ts";

/**
 * The first lines of an answer: which constraints were applied to which inputs, and what was said and could not be applied. The user
 * sees at once what the numbers are about.
 */
export function prefaceOf(
  { slots, unsupported, command }: Interpretation,
  {
    target,
    talk,
    inputs,
    language,
  }: { target: RunTarget; talk: Talk; inputs: PlainInputs | undefined; language: Language },
): string {
  const words = wording(language);
  const { applied: shown, fromResults, notApplied: unknown } = splitSlots(talk.flow, slots, goalsOf(target));
  // A report of several goals shows all results.
  const selects = target.kind === "service" || (target.kind === "flow" && isNarrow(target, talk));
  const notApplied = selects ? unknown : [...unknown, ...fromResults];
  const applied = Object.fromEntries(
    Object.entries(slots).filter(([name]) => shown.includes(name) || (selects && fromResults.includes(name))),
  );
  const echo = talk.echo(applied, language);
  const count = talk.countOf(inputs);
  const about = inputs
    ? words.given(nameOf(inputs, talk), count)
    : words.sample(talk.flow.sampleName[language], count);
  const first = echo === "" ? `${capitalised(about)}.` : `${echo} (${about}).`;
  const left = [
    ...notApplied.map((name) => talk.echo({ [name]: slots[name] ?? "" }, language) || name),
    ...unsupported,
  ];
  return [
    ...(command === "undone" ? [words.undone] : []),
    first,
    ...(left.length > 0 ? [words.notApplied(left)] : []),
  ].join(" ");
}

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
