import type { Unit } from "../mentions/mention.ts";
import { MEANS } from "../text/generic-words.ts";

export type Way = "up" | "down";

/** With an article, a change as a thing: "an increase", "any price cut". */
const NOUN =
  /^(?:increase|rise|hike|cut|decrease|reduction|drop|discount|raise|uplift|markup|markdown|decline)$/;
const ARTICLE = /^(?:a|an|any|no|the|every|each|price|prices|of|zero)$/;
const VERB_S = /^(?:raises|lifts|lowers|reduces|grows|climbs|shrinks|eases)$/;
const EITHER = /^(?:either way|each way|both ways|up or down|down or up|either direction|both directions)$/;
const HANGUL = /\p{Script=Hangul}/u;

/** Units between a direction and the amount of its limit. */
const REACH = 7;

/** The direction of which a limit is, where it is of one alone: "increases limited to 3 %". */
export function wayIn(
  units: readonly Unit[],
  { at, from, to }: { at: number; from: number; to: number },
): Way | undefined {
  if (units.slice(from, to + 1).some(({ word }) => EITHER.test(word))) return undefined;
  for (let d = 1; d <= REACH; d++)
    for (const i of [at - d, at + d]) {
      const way = i >= from && i <= to ? (wayOf(units, i) ?? wayBeside(units, i, at)) : undefined;
      if (way) return way;
    }
  return undefined;
}

/** "5 % up", "go up by more than 5 %": a direction without a noun is the limit's where it stands right beside the amount or its bound. */
function wayBeside(units: readonly Unit[], i: number, at: number): Way | undefined {
  const unit = units[i];
  if (!unit || unit.mention) return undefined;
  if (i === at + 1) return /^(?:up|down|upwards?|downwards?)$/.test(unit.word) ? plainWayOf(unit) : undefined;
  const next = units[i + 1];
  const leads =
    i < at && next !== undefined && !next.mention && (/^by\b/.test(next.word) || (next.means & BOUNDS) !== 0);
  return leads ? plainWayOf(unit) : undefined;
}

/** "No decreases at all": what may not be at all. A bound makes it another limit: "no cuts below cost", "no increases above 5 %". */
export function deniedWays(
  units: readonly Unit[],
  segments: readonly { at: number; from: number; to: number }[],
): { at: number; way: Way }[] {
  return units.flatMap((_, at) => {
    const way = wayOf(units, at) ?? koreanWayOf(units, at);
    if (!way || !isDenied(units, at) || isBounded(units, at)) return [];
    const isLimited = segments.some((one) => one.from <= at && at <= one.to && wayIn(units, one) === way);
    return isLimited ? [] : [{ at, way }];
  });
}

/** 올리는 건 안 되고, 내리지 말고: a verb says it, too, where no amount before it is what is denied: 3 % 이상 올리지 말고. */
function koreanWayOf(units: readonly Unit[], at: number): Way | undefined {
  const unit = units[at];
  if (!unit || unit.mention || !HANGUL.test(unit.word)) return undefined;
  const [up, down] = [(unit.means & MEANS.up) !== 0, (unit.means & MEANS.down) !== 0];
  if (up === down) return undefined;
  for (let i = at - 1; i >= 0 && !isEnd(units[i]); i--) if (units[i]?.mention?.amount) return undefined;
  return up ? "up" : "down";
}

/** Before a direction that is the only one: "they may only go up", "only allow cuts". */
const LEADS = /^(?:go|goes|going|move|moves|be|allow|accept|for|the|price|prices|a|any)$/;
/** Directions that say of nothing what is to be done with it: "up", and not "raise". */
const PLAIN =
  /^(?:(?:go |goes |going )?(?:up|down)|upwards?|downwards?|rise|fall|climb|drop|increase|decrease)$/;

/** The direction that alone is allowed: "increases only", "they may only go down", 인상만. The other one is denied. */
export function onlyWay(units: readonly Unit[]): { at: number; way: Way } | undefined {
  for (const [at, unit] of units.entries()) {
    const way = wayOf(units, at) ?? (unit.mention ? undefined : plainWayOf(unit));
    if (!way) continue;
    let before = at - 1;
    while (at - before <= DENIAL && LEADS.test(units[before]?.word ?? "")) before--;
    if (isOnly(units[at + 1]) || (isOnly(units[before]) && !HANGUL.test(unit.word))) return { at, way };
  }
  return undefined;
}

const isOnly = (unit: Unit | undefined): boolean =>
  unit !== undefined &&
  !unit.mention &&
  (unit.means & MEANS.only) !== 0 &&
  /^(?:only|just|solely|alone|만)$/.test(unit.word);

function plainWayOf({ word, means }: Unit): Way | undefined {
  if (!PLAIN.test(word) || !(means & (MEANS.up | MEANS.down))) return undefined;
  return means & MEANS.up ? "up" : "down";
}

const BOUNDS = MEANS.above | MEANS.below | MEANS.atMost | MEANS.atLeast | MEANS.cap | MEANS.unless;

function isBounded(units: readonly Unit[], at: number): boolean {
  for (let i = at + 1; i <= at + REACH && units[i] && !isEnd(units[i]); i++)
    if ((units[i]?.means ?? 0) & BOUNDS || units[i]?.mention?.amount || units[i]?.mention?.phrases.length)
      return !HANGUL.test(units[at]?.word ?? "");
  return false;
}

function wayOf(units: readonly Unit[], at: number): Way | undefined {
  const unit = units[at];
  if (!unit || unit.mention) return undefined;
  const { means, word } = unit;
  const [up, down] = [(means & MEANS.up) !== 0, (means & MEANS.down) !== 0];
  if (up === down) return undefined;
  const way = up ? "up" : "down";
  if (HANGUL.test(word)) return /^(?:인상|인하|상승|하락)/.test(word) ? way : undefined;
  if (VERB_S.test(word)) return undefined;
  const isNoun = /(?:s|ing|ward)$/.test(word) || (NOUN.test(word) && ARTICLE.test(units[at - 1]?.word ?? ""));
  return isNoun ? way : undefined;
}

const isEnd = (unit: Unit | undefined): boolean => unit === undefined || /^[.,;:!?]$/.test(unit.word);

/** Units between a denial and what it denies. */
const DENIAL = 2;
/** What denies beside the general words for "not". */
const DENIES = /^(?:zero|without|no|금지.*|불가.*|없이|말고|말아.*|마|마라|마세요|안)$/;
/** Before a denial: it is asked about or told, and not demanded: "why no increases?", "there were no cuts". */
const TOLD = /^(?:why|how|is|are|was|were|has|have|had|see|saw|there|got|get)$/;

function isDenied(units: readonly Unit[], at: number): boolean {
  const korean = HANGUL.test(units[at]?.word ?? "");
  for (let d = 1; d <= (korean ? DENIAL + 2 : DENIAL); d++) {
    const other = units[korean ? at + d : at - d];
    if (!other || isEnd(other) || other.mention) return false;
    if (other.means & MEANS.not || DENIES.test(other.word))
      return korean || !TOLD.test(units[at - d - 1]?.word ?? "");
  }
  return false;
}
