import type { SlotDeclaration } from "../catalogue/declarations.ts";
import type { SlotValue } from "../catalogue/reading.ts";
import { TYPES, type Unit } from "../mentions/mention.ts";
import { sizeFor } from "../tagger/size.ts";
import { MEANS } from "../text/generic-words.ts";

/** A limit that a message says, and the slots that it may be of: "max 120 of any product". */
export type Bound = {
  start: number;
  end: number;
  text: string;
  /** The number as it was said. */
  figure: number;
  /** Slots that the words beside it leave, with the value that each would have; the likeliest first. */
  fits: readonly { slot: string; value: SlotValue }[];
  /** A word beside it says which one it is: a noun of the slot, or that things are counted. */
  isTold: boolean;
  /** The nouns that say it, in lower case. */
  told: readonly string[];
  /** It says when something is to happen: "when it goes over 4,500". What may be passed or not is for the goal to say. */
  crosses: boolean;
  /** Nothing says that it limits, or which way. */
  isLoose: boolean;
  /** It has no unit. */
  isPlain: boolean;
  /** A word that nothing knows stands beside it, and may say what it is of: "at most 6 % left over". */
  isVague: boolean;
};

/** Units beside an amount among which its comparison and its noun are. */
const REACH = 5;
const CLAUSE_END = /^[.,;:!?]$|^(?:and|but|그리고|하고)$/;
/** "When it passes", "as soon as": a condition, and no demand. Korean says it behind: 넘으면. */
const CONDITION = /^(?:when|whenever|once|if|soon|as soon as|moment)$/;
/** "From 250 up", "from 1,500 on". */
const UPWARDS = /^(?:up|on|upwards?|onwards?)$/;
const CONDITION_BEHIND = /(?:으면|면|때)$/;
/** What is counted one by one: "30 of each", "at most 20 a piece", 20개. */
const EACH = /^(?:each|any|every|anything|apiece|everything|개|개씩)$/;

/** Finds the limits of a message and what each can be of, by its unit, its comparison and the nouns beside it. It knows no words of a domain. */
export function boundsIn(text: string, units: readonly Unit[], slots: readonly SlotDeclaration[]): Bound[] {
  return units.flatMap((unit, at) => {
    const amount = unit.mention?.amount;
    if (
      !amount ||
      amount.unit === "time" ||
      amount.low !== undefined ||
      amount.factor ||
      unit.mention?.entity
    )
      return [];
    const clause = clauseAround(units, at);
    const near = clause.filter((i) => Math.abs(i - at) <= REACH).map((i) => units[i] as Unit);
    const said = clause.map((i) => units[i] as Unit);
    const reads = readsOf(near, said, unit);
    const isCounted = isOfThings(units, at);
    const all = slots.filter(
      (slot) =>
        fitsUnit(slot, unit, amount.unit) &&
        (reads === "crosses" || reads === undefined || slot.reads === reads || slot.reads === undefined),
    );
    const told = all.filter((slot) => near.some(({ nouns }) => nouns.includes(slot)));
    if (reads === undefined && !told.some((slot) => slot.reads === undefined) && unit.mention?.phrases.length)
      return [];
    const counts = isCounted ? all.filter(({ kind }) => kind === "number") : [];
    const isTold = told.length > 0 || counts.length > 0;
    // "Keep sales volume above 900 units": the domain says that nothing applies it.
    if (!isTold && near.some(({ unsupported }) => unsupported)) return [];
    const left =
      told.length > 0
        ? told
        : counts.length > 0
          ? counts
          : all.filter((slot) => slot.reads !== undefined && needsNoNoun(slot, amount.unit));
    const fits = left.map((slot) => ({
      slot: slot.name,
      value: Math.abs(sizeFor(slot, amount, amount.value)),
    }));
    const { start, end } = unit;
    const found = {
      start,
      end,
      text: text.slice(start, end),
      figure: amount.value,
      isTold,
      told: near.flatMap(({ nouns, word }) => (nouns.length > 0 ? [word] : [])),
      isPlain: amount.unit === "none",
    };
    const isVague = !isTold && fits.length > 1 && near.some(isUnknownWord);
    return fits.length > 0
      ? [
          {
            ...found,
            fits,
            isVague,
            isLoose: reads === undefined && !told.some((slot) => slot.reads === undefined),
            crosses: reads === "crosses",
          },
        ]
      : [];
  });
}

function clauseAround(units: readonly Unit[], at: number): number[] {
  let [from, to] = [at, at];
  while (from > 0 && !CLAUSE_END.test(units[from - 1]?.word ?? ",")) from--;
  while (to + 1 < units.length && !CLAUSE_END.test(units[to + 1]?.word ?? ",")) to++;
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

/** "None may move by more than 2 %": who is denied something, rather than what. */
const DENIAL = /^(?:none|nothing|nobody|neither|nor|never)$/;

/** Which way an amount limits, by the comparison that is nearest to it. */
function readsOf(
  near: readonly Unit[],
  clause: readonly Unit[],
  unit: Unit,
): "most" | "least" | "crosses" | undefined {
  const all = near.reduce((sum, { means, mention }) => sum | (mention ? 0 : means), 0);
  const denied = (all & MEANS.not) !== 0 || clause.some(({ word }) => DENIAL.test(word));
  const [place, own] = [clause.indexOf(unit), near.indexOf(unit)];
  if (near[own - 1]?.word === "from" && UPWARDS.test(near[own + 1]?.word ?? "")) return "least";
  const isCondition = clause.some(
    ({ word }, i) => (i < place && CONDITION.test(word)) || (i > place && CONDITION_BEHIND.test(word)),
  );
  if (all & MEANS.atMost) return "most";
  if (all & MEANS.atLeast) return "least";
  const up = (all & MEANS.above) !== 0;
  const down = (all & MEANS.below) !== 0;
  if (up === down) return (all & MEANS.cap) !== 0 && !up ? "most" : undefined;
  if (isCondition && !denied) return "crosses";
  return up === denied ? "most" : "least";
}

function isOfThings(units: readonly Unit[], at: number): boolean {
  const [next, second] = [units[at + 1], units[at + 2]];
  if (units[at]?.type !== TYPES.number) return false;
  if (next?.type === TYPES.entity) return true;
  return (next?.word === "of" && EACH.test(second?.word ?? "")) || EACH.test(next?.word ?? "");
}

const isUnknownWord = ({ type, common, means, word }: Unit): boolean =>
  type === TYPES.word && !common && means === 0 && word.length >= LEAST_LETTERS && !FUNCTION_WORD.test(word);
const LEAST_LETTERS = 4;
/** Of frequent words, those that say nothing of what is limited. */
const FUNCTION_WORD =
  /^(?:this|that|than|they|them|with|from|have|will|would|could|please|just|only|each|every|some)$/;

/** A larger number without its sign is no percentage. */
const MOST_PLAIN_PERCENTAGE = 100;

function fitsUnit({ kind, reads }: SlotDeclaration, { type, mention }: Unit, unit: string): boolean {
  if (reads === "change") return false;
  const isSmall = Math.abs(mention?.amount?.value ?? 0) <= MOST_PLAIN_PERCENTAGE;
  if (kind === "percent") return unit === "share" || (type === TYPES.number && unit === "none" && isSmall);
  if (kind === "money") return unit === "money" || type === TYPES.number;
  return kind === "number" && type === TYPES.number;
}

/** A plain number is a percentage of what has its noun beside it, or of the change that needs none. */
const needsNoNoun = ({ kind, implicit }: SlotDeclaration, unit: string): boolean =>
  kind !== "percent" || unit === "share" || implicit;
