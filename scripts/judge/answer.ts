import { type Domain, valuesIn } from "./domain.ts";
import { textsOf } from "./meaning.ts";
import type { Reply } from "./reply.ts";
import type { Conversation, Wants } from "./set.ts";
import { goalsOf } from "./verdict.ts";

type Asked = {
  readonly domain: Domain;
  readonly language: Conversation["language"];
  readonly catalogue: Readonly<Record<string, unknown>>;
};

/**
 * What somebody who wants this answers to a question: the button that fits best, or words, where one of the buttons is of a slot for
 * which something is wanted. Undefined where nothing that is wanted answers it.
 */
export function answerTo({ buttons, message }: Reply, wants: Wants, asked: Asked): string | undefined {
  const fits = fitting(wants, asked);
  const scored = buttons.map((button) => ({ button, score: scoreOf(button, fits) }));
  const best = scored.reduce((one, other) => (other.score > one.score ? other : one), {
    button: "",
    score: 0,
  });
  if (best.score > 0) return best.button;
  return wordsFor(wants, message, asked);
}

/** Texts that stand for what is wanted, in lower case. */
type Fits = { readonly values: readonly string[]; readonly goals: readonly string[] };

function fitting(wants: Wants, { domain, language, catalogue }: Asked): Fits {
  const said = Object.entries(wants.answers ?? {}).concat(
    (wants.constraints ?? [])
      .filter(({ op }) => op === "only" || op === "set")
      .map(({ slot, value, unit }) => [slot, unit === "share" ? `${sizeOf(value, unit)} %` : value]),
  );
  const values = said.flatMap(([name, value]) => {
    const slot = domain.slots.get(name);
    const known = slot ? valuesIn(catalogue, slot) : new Map<string, string[]>();
    return textsOf(value).flatMap((text) => [
      text,
      ...[...known].flatMap(([id, names]) => (id.toLowerCase() === text ? names : [])),
    ]);
  });
  const goals = goalsOf(wants, domain).flatMap((goal) => domain.labels.get(goal)?.[language] ?? []);
  return { values: values.map((one) => one.toLowerCase()), goals: goals.map((one) => one.toLowerCase()) };
}

/** A button that names more of what is wanted fits better, and one that names nothing else best. */
function scoreOf(button: string, { values, goals }: Fits): number {
  const text = button.toLowerCase();
  const found = [...values, ...goals].filter((one) => one !== "" && text.includes(one));
  const rest = found.reduce((left, one) => left.replace(one, ""), text).replace(/[^\p{L}\p{N}]/gu, "");
  return found.length === 0 ? 0 : found.length + 1 / (1 + rest.length);
}

/** What is wanted of the slot that a question speaks of, in plain words. */
function wordsFor(wants: Wants, message: string, { domain, language }: Asked): string | undefined {
  const question = message.toLowerCase();
  for (const [name, value] of Object.entries(wants.answers ?? {})) {
    const label = domain.slots.get(name)?.label[language].toLowerCase();
    if (label === undefined || question.includes(label)) return textsOf(value).join(", ");
  }
  for (const { slot, op, value, unit } of wants.constraints ?? []) {
    const { label, nouns = [] } = domain.slots.get(slot) ?? {};
    const words = [label?.[language], ...nouns].filter((one) => one !== undefined);
    if ((op === "only" || op === "set") && words.some((one) => question.includes(one.toLowerCase())))
      return unit === undefined
        ? [value].flat().join(", ")
        : sizeOf(value, unit) + (unit === "share" ? " %" : "");
  }
  return undefined;
}

const sizeOf = (value: unknown, unit: string): string =>
  String(Number((Number(value) * (unit === "share" ? 100 : 1)).toPrecision(9)));
