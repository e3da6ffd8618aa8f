import { READ_WRONG } from "./confirm.ts";
import { type Domain, valuesIn } from "./domain.ts";
import { textsOf } from "./meaning.ts";
import type { Reply } from "./reply.ts";
import type { Constraint, Conversation, Wants } from "./set.ts";
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
export function answerTo({ buttons: all, message }: Reply, wants: Wants, asked: Asked): string | undefined {
  const terms = termsOf(wants, asked);
  const buttons = all.filter((button) => !READ_WRONG.has(button));
  const [best, ...others] = buttons
    .map((button) => ({ button, ...fitOf(button, terms) }))
    .sort((one, other) => other.good - other.bad - (one.good - one.bad) || one.rest - other.rest);
  // One that says nothing of what is wanted is right where the others say what is not: "no such limit".
  const isRest = best?.bad === 0 && others.some(({ bad }) => bad > 0);
  if (best && (best.good > best.bad || isRest)) return best.button;
  return wordsFor(wants, message, asked);
}

const WAYS = { up: ["(increases)", "(인상)"], down: ["(decreases)", "(인하)"] };

/** What a button can speak of: a name of the catalogue, a value, a goal. In lower case. */
type Term = { readonly texts: readonly string[]; readonly isWanted: boolean };

function termsOf(wants: Wants, { domain, language, catalogue }: Asked): Term[] {
  const answers = Object.entries(wants.answers ?? {}).map(([slot, value]) => ({ slot, op: "only", value }));
  const said: readonly Constraint[] = [...answers, ...(wants.constraints ?? [])];
  const terms: Term[] = [];
  for (const [name, slot] of domain.slots) {
    const own = said.filter((one) => one.slot === name);
    if (!domain.selects(name)) {
      terms.push({ texts: [slot.label[language]], isWanted: own.length > 0 });
      continue;
    }
    const isSelected = (id: string): boolean =>
      own.length > 0 &&
      own.every(({ op, value }) => textsOf(value).includes(id) === (op !== "except" && op !== "freeze"));
    const ofParts = new Set(said.flatMap(({ scope }) => textsOf(scope?.[name])));
    // A part that a limit is about is not selected.
    if (ofParts.size > 0 && own.length === 0) terms.push({ texts: [slot.label[language]], isWanted: false });
    for (const [id, names] of valuesIn(catalogue, slot))
      terms.push({
        texts: [id, ...names],
        isWanted: isSelected(id.toLowerCase()) || ofParts.has(id.toLowerCase()),
      });
  }
  // A limit in one direction: what a button puts behind it.
  for (const [way, texts] of Object.entries(WAYS))
    if (said.some(({ direction }) => direction === "up" || direction === "down"))
      terms.push({ texts, isWanted: said.some(({ direction }) => direction === way) });
  for (const { value, unit } of said)
    for (const one of [value].flat())
      terms.push({ texts: [unit === undefined ? String(one) : sizeOf(one, unit)], isWanted: true });
  const goals = goalsOf(wants, domain);
  for (const [goal, label] of domain.labels)
    terms.push({ texts: [label[language]], isWanted: goals.includes(goal) });
  return terms.map(({ texts, isWanted }) => ({ texts: texts.map((text) => text.toLowerCase()), isWanted }));
}

/** How many wanted and unwanted things a button names, and how many other words it has. A number that is not wanted is unwanted. */
function fitOf(button: string, terms: readonly Term[]): { good: number; bad: number; rest: number } {
  let rest = button.toLowerCase();
  let [good, bad] = [0, 0];
  const inOrder = terms.flatMap(({ texts, isWanted }, term) =>
    texts.map((text) => ({ text, isWanted, term })),
  );
  const seen = new Set<number>();
  // The longer name is meant: "pump seal" is no pump.
  for (const { text, isWanted, term } of inOrder.sort((one, other) => other.text.length - one.text.length)) {
    const left = text === "" ? rest : rest.replace(wholeWords(text), " ");
    if (left === rest) continue;
    rest = left;
    if (seen.has(term)) continue;
    seen.add(term);
    if (isWanted) good++;
    else bad++;
  }
  // A digest behind a button, "(a05c01)", is no number.
  bad += rest.replace(/\([0-9a-f]{6}\)/g, "").match(/\d[\d.,]*/g)?.length ?? 0;
  return { good, bad, rest: rest.replace(/[^\p{L}\p{N}]/gu, "").length };
}

const wholeWords = (text: string): RegExp =>
  new RegExp(
    `(?<![\\p{Script=Latin}\\d.,])${text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}(?![\\p{Script=Latin}\\d]|[.,]\\d)`,
    "gu",
  );

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
