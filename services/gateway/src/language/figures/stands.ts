import type { Figure } from "./figure.ts";
import { type Day, type Figures, figuresIn } from "./figures.ts";

/**
 * Whether every number of a text stands in what it was made of: as it is or rounded, in whatever form, with the same sign and unit. It does
 * not tell whether a number is said of the right thing.
 */
export function numbersStand(text: string, given: string): boolean {
  if (!isReadable(text, MOST_TOLD) || !isReadable(given, MOST_GIVEN)) return false;
  const told = figuresIn(text);
  const known = figuresIn(given);
  const figures = distinct(known.figures);
  // Words of other languages may count, and nobody here would hear it.
  const letters = new Set(given.match(OTHER_LETTERS));
  if ((text.match(OTHER_LETTERS) ?? []).some((letter) => !letters.has(letter))) return false;
  const units = new Set(known.figures.map(({ unit }) => unit));
  return (
    told.names.every((name) => known.names.includes(name)) &&
    told.vague.every((phrase) => known.vague.includes(phrase) || known.outOf.includes(phrase)) &&
    told.days.every((readings) => readings.some((day) => hasDay(day, known))) &&
    told.figures.every(
      (figure) =>
        isYear(figure, known) || figures.some((one) => says(figure, one, units) && isFor(figure, one, given)),
    ) &&
    !told.moves.some((move) => isReversed(move, known))
  );
}

/** No word or number is that long, and patterns are tried at every place of one. */
const ENDLESS = /[\p{L}\p{N}_.,'-]{120}/u;

/** Runs of digits: reading and looking up more would hold the event loop. */
const MOST_TOLD = 500;
const MOST_GIVEN = 1_500;

function isReadable(text: string, most: number): boolean {
  return !ENDLESS.test(text) && (text.match(/\p{N}+/gu)?.length ?? 0) <= most;
}

/** A table says the same numbers again and again. */
function distinct(figures: readonly Figure[]): Figure[] {
  const byWhat = new Map(
    figures.map((one) => [
      [one.value, one.step, one.unit, one.per, one.sign, one.near, one.far].join(" "),
      one,
    ]),
  );
  return [...byWhat.values()];
}

const OTHER_LETTERS = /[^\P{L}\p{Script=Latin}\p{Script=Hangul}]/gu;

function hasDay({ y, m, d }: Day, known: Figures): boolean {
  const isKnown = known.days.some((readings) =>
    readings.some(
      (day) =>
        (y === undefined || y === day.y) &&
        (m === undefined || m === day.m) &&
        (d === undefined || d === day.d),
    ),
  );
  return isKnown || (m === undefined && known.figures.some(({ value, unit }) => value === y && unit === ""));
}

function isYear({ value, unit, sign, step }: Figure, known: Figures): boolean {
  return (
    unit === "" && !sign && step === 1 && known.days.some((readings) => readings.some(({ y }) => y === value))
  );
}

function says(told: Figure, known: Figure, units: ReadonlySet<string>): boolean {
  const by = scaleBetween(told, known, units);
  return by !== undefined && isRounded(told, known.value * by, known.step * by) && hasSameSign(told, known);
}

/** What a known number is multiplied by to be said in the other one's unit; undefined where it cannot be. */
function scaleBetween(told: Figure, known: Figure, units: ReadonlySet<string>): number | undefined {
  if (told.unit === known.unit) return 1;
  const isShare = (one: Figure) => one.unit === "" && one.step < 1 && one.value <= 1;
  if (told.unit === "%") return isShare(known) ? 100 : undefined;
  if (known.unit === "%") return isShare(told) ? 0.01 : undefined;
  if (told.unit === "pp" || known.unit === "pp") return undefined;
  // A unit may be left out where the number tells that it is no count, and a currency said where the text has it anyway.
  if (told.unit === "") return told.step < 1 || told.value >= 100 ? 1 : undefined;
  if (known.unit === "" && CURRENCY.test(told.unit) && units.has(told.unit))
    return known.step < 1 || known.value >= 100 ? 1 : undefined;
  return undefined;
}

/** "5,000 a day" is not 5,000 a month; what has no period is given one only where it is spoken of. */
function isFor({ per }: Figure, known: Figure, given: string): boolean {
  if (per === undefined || per === known.per) return true;
  const words =
    { year: "year|annual|연|년", month: "month|월", week: "week|주", day: "day|dail|일" }[per] ?? per;
  return known.per === undefined && new RegExp(words, "iu").test(given);
}

const CURRENCY = /^[A-Z]{3}$/;

/** A coarser number than this share of what it rounds says something else. */
const COARSEST = 0.25;

/** Whether a number without its sign is a known one, or a rounding of it. */
export function isRounded({ value, step }: Figure, known: number, knownStep: number): boolean {
  const near = 1e-9 * Math.max(1, known);
  if (Math.abs(value - known) <= near) return true;
  if (value === 0 || !Number.isFinite(value)) return false;
  // 955,000 may round 954,968.
  const zeros = step >= 1 && value >= 1_000 ? stepOfZeros(value) : step;
  const coarse = Math.max(step, zeros);
  return (
    coarse > knownStep + near && coarse <= COARSEST * known && Math.abs(value - known) <= coarse / 2 + near
  );
}

/** What the last digit that is no zero stands for; three digits are left at least. */
function stepOfZeros(value: number): number {
  let step = 1;
  while (value % (step * 10) === 0 && value / (step * 10) >= 100) step *= 10;
  return step;
}

function hasSameSign(told: Figure, known: Figure): boolean {
  const itself = known.sign ?? known.near;
  const isDown = itself === "-" || (itself === undefined && known.far === "-");
  if (told.sign === "-") return isDown;
  if (told.sign === "+") return !isDown || itself === undefined;
  if (known.value === 0) return true;
  if (known.sign === "-") return told.near !== "+" && told.far === "-";
  if (told.near === "+") return itself !== "-";
  if (told.near === "-")
    return isDown || (itself === undefined && told.unit === "" && told.step === 1 && told.value < 1_000);
  return true;
}

/** Whether what was given goes from the second number to the first, and nowhere the other way. */
function isReversed([from, to]: readonly [Figure, Figure], { moves }: Figures): boolean {
  const same = (one: Figure, other: Figure) => isRounded(one, other.value, other.step);
  const goes = (a: Figure, b: Figure) => moves.some(([one, other]) => same(a, one) && same(b, other));
  return from.value !== to.value && goes(to, from) && !goes(from, to);
}
