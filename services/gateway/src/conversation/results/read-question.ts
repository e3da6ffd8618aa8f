import { figuresIn, normalised, type SlotReading } from "../../language/index.ts";
import { isQuestion } from "../questions-in.ts";
import type { Side } from "./cells.ts";
import type { Vocabulary } from "./measure-words.ts";
import type { Query } from "./query.ts";
import {
  AFTER,
  AGAIN,
  ASKS_WHAT,
  BEFORE,
  COMPARES,
  COMPARISONS,
  COUNTS,
  EARLIER_PROPOSAL,
  HOW,
  HOW_MUCH,
  isFirst,
  isFunctionWord,
  isSmall,
  KOREAN_MOST,
  KOREAN_SIZE,
  LEAD,
  LEAST,
  MEAN,
  MOST,
  SUM,
  TELLS,
  THIS_PROPOSAL,
  TOP,
  WHICH,
} from "./words.ts";

/** What a question asks of the results: a query, or how the latest proposal differs from an earlier one. */
export type Asked = {
  readonly query: Query;
  /** An earlier proposal that the latest one is compared with. */
  readonly against?: "first" | "previous";
  /** The question speaks of all that there is, and not of what the conversation has selected. */
  readonly ofAll: boolean;
};

/** How the names of the inputs are read, and the slots that select. */
type Reading = { readNames: (text: string) => SlotReading; narrowing: ReadonlySet<string> };

/** A longer text is no question that looks something up. */
const LONGEST = 300;
/** Stands where a measure was named, so that what belongs to the name can be told. */
const MARK = "◆";

/** Rows that a superlative without a number wants, of several things and of one. */
const SEVERAL = 5;

/**
 * Reads a question of the results. Every word of it has to be understood: a measure, what is looked at, an operator, or a word that asks for
 * nothing by itself. Whatever else a message says makes it another message, which goes on as if nobody had looked.
 */
export function readQuestion(part: string, vocabulary: Vocabulary, reading: Reading): Asked | undefined {
  if (part.length > LONGEST || !(isQuestion(part) || TELLS.test(part))) return undefined;
  // Most questions name nothing that is looked up.
  if (!vocabulary.isNamedIn(part) && !COMPARES.test(part)) return undefined;
  let text = normalised(part);
  const take = (pattern: RegExp): string | undefined => {
    const found = pattern.exec(text);
    if (found) text = `${text.slice(0, found.index)} ${text.slice(found.index + found[0].length)}`;
    return found?.[0];
  };
  const earlier = COMPARES.test(text) ? EARLIER_PROPOSAL.exec(text) : null;
  if (earlier) {
    take(EARLIER_PROPOSAL);
    take(COMPARES);
    take(THIS_PROPOSAL);
    take(HOW);
  }
  const named = vocabulary.find(text);
  if (named.several || (!named.measure && !earlier)) return undefined;
  // "What changed since the last proposal" is no change of a value since today.
  const measure = earlier && (named.where || !named.measure) ? vocabulary.compared : named.measure;
  if (!measure) return undefined;
  text = named.left;
  const ofAll = WHICH.test(text) && vocabulary.isOfThings(text);
  const where = earlier ? undefined : (named.where ?? whereIn());
  if (where === "unclear" || isDefinition(text) || (named.where && !earlier && asksCause(text)))
    return undefined;
  // "Show me prices with a margin of at least 20 %" orders prices.
  if (where && !named.where && !WHICH.test(text) && TELLS.test(part)) return undefined;
  const topped = take(TOP);
  const count = topped === undefined ? undefined : Number(/\d+/.exec(topped)?.[0]);
  const order = orderIn(topped !== undefined);
  const said = take(SUM) !== undefined ? "sum" : take(MEAN) !== undefined ? "mean" : undefined;
  const aggregate = said ?? (where && COUNTS.test(text) ? "count" : undefined);
  if (aggregate === "sum" && !measure.sums) return undefined;
  const before = take(BEFORE) !== undefined;
  const after = take(AFTER) !== undefined;
  while (take(BEFORE) !== undefined || take(AFTER) !== undefined) {}
  const side: Side | undefined = before === after ? undefined : before ? "before" : "after";
  if (measure.ordered && !earlier && !before && !after) return undefined;
  take(HOW_MUCH);
  const grouping = take(vocabulary.grouping);
  text = text.replace(LEAD, " ").replaceAll(MARK, " ");
  const selection = selectionIn(text, vocabulary, reading);
  if (!selection) return undefined;
  const { only } = selection;
  const names = Object.keys(only);
  // A number that nothing has read says something.
  if (
    /\d/.test(text) &&
    figuresIn(text).figures.length > 0 &&
    !names.some((name) => vocabulary.entities.has(name))
  )
    return undefined;
  // "Was it demand?" looks nothing up.
  if (!ASKS_WHAT.test(part) && !TELLS.test(part) && names.length === 0 && !order && !where && !earlier)
    return undefined;
  const isPlural = vocabulary.isPlural(part);
  const by = groupIn(grouping);
  return {
    query: {
      measure,
      only,
      ...(side === undefined ? {} : { side }),
      ...(where ? { where } : {}),
      ...(order ? { order, top: count ?? (isPlural ? SEVERAL : 1) } : {}),
      ...(aggregate ? { aggregate } : by !== undefined && !measure.sums ? { aggregate: "mean" } : {}),
      ...(by === undefined ? {} : { by }),
    },
    ...(earlier
      ? { against: isFirst(earlier[1] ?? earlier[2] ?? "") ? ("first" as const) : ("previous" as const) }
      : {}),
    ofAll: ofAll || selection.ofAll,
  };

  /** "Which item earns the most": the item, and not one of its tiers. Margins "by item" are not added up. */
  function groupIn(phrase: string | undefined): string | undefined {
    if (phrase === undefined) return measure?.sums && order ? vocabulary.thingIn(part) : undefined;
    const slot = vocabulary.slotOf(phrase) ?? "";
    return measure?.sums || aggregate === "mean" || !vocabulary.entities.has(slot) ? slot : undefined;
  }

  function orderIn(isTopped: boolean): Query["order"] {
    if (take(LEAST) !== undefined) return "least";
    if (take(KOREAN_MOST) !== undefined) return isSmall(take(KOREAN_SIZE) ?? "") ? "least" : "most";
    return take(MOST) !== undefined || isTopped ? "most" : undefined;
  }

  /** The amount that a value is compared with; every other number makes it another question. */
  function whereIn(): Query["where"] | "unclear" {
    if (!/\d/.test(text)) return undefined;
    for (const { value, sign, unit, start, end } of figuresIn(text).figures) {
      for (const [is, before, behind] of COMPARISONS) {
        const lead = before.exec(text.slice(0, start))?.[0] ?? "";
        const tail = behind.exec(text.slice(end))?.[0] ?? "";
        if (lead === "" && tail === "") continue;
        if (measure && (unit === "%") !== (measure.kind === "percent")) return "unclear";
        text = `${text.slice(0, start - lead.length)} ${text.slice(end + tail.length)}`;
        const size = (sign === "-" ? -value : value) / (unit === "%" ? 100 : 1);
        return { is, value: size };
      }
    }
    return undefined;
  }
}

/** The same question of something else: "and the pump?", "펌프는?". @param before the question that was answered last */
export function readAgain(
  message: string,
  before: string,
  vocabulary: Vocabulary,
  reading: Reading,
): Asked | undefined {
  if (message.length > LONGEST || !(AGAIN.test(message) || /[?？]\s*$/u.test(message))) return undefined;
  const { only = {} } = selectionIn(message.replace(AGAIN, ""), vocabulary, reading) ?? {};
  if (Object.keys(only).length === 0) return undefined;
  const asked = readQuestion(before, vocabulary, reading);
  return asked && { ...asked, query: { ...asked.query, only: { ...asked.query.only, ...only } } };
}

/** What is looked at; undefined where the text says more than that. */
function selectionIn(
  text: string,
  vocabulary: Vocabulary,
  { readNames, narrowing }: Reading,
): (Pick<Query, "only"> & { ofAll: boolean }) | undefined {
  const { slots, cleared, asks, unsupported, edits, rest } = readNames(text);
  const names = Object.entries(slots);
  if (asks.length + unsupported.length > 0 || edits) return undefined;
  if ([...names.map(([slot]) => slot), ...cleared].some((slot) => !narrowing.has(slot))) return undefined;
  const isKnown = (word: string): boolean => {
    const plain = word.toLowerCase();
    return isFunctionWord(plain.replace(/'s?$/, "")) || vocabulary.isThing(plain);
  };
  if (!wordsOf(rest).every(isKnown)) return undefined;
  // Words may say something of a slot and yet set none: each other word has to be one of a name.
  const isOfName = (word: string) =>
    JSON.stringify(readNames(text.replace(word, " ")).slots) !== JSON.stringify(slots);
  if (!wordsOf(text).every((word) => isKnown(word) || isOfName(word))) return undefined;
  const only = names.map(([slot, value]): [string, string[]] => [
    slot,
    Array.isArray(value) ? value.map(String) : [String(value)],
  ]);
  // "Of all items".
  return { only: Object.fromEntries(only), ofAll: cleared.length > 0 };
}

const wordsOf = (text: string): readonly string[] =>
  text.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? [];

/** "What moved the number?", "what is the increase for?": its cause. */
const asksCause = (text: string): boolean => /^\W*what\s+◆|\s(?:for|of)\s*\??\s*$/iu.test(text);

/** "What is elasticity?", "탄력성이 뭐예요?": what the word means, and not its value. */
const isDefinition = (text: string): boolean =>
  /^\W*what(?:['’]s|\s+is|\s+are)\s+(?:an?\s+)?◆\s*\??$/iu.test(text.trim()) ||
  /^◆\s*(?:이|가|은|는|란|이란)?\s*(?:뭐|무엇|뭔)\S*$/u.test(text.trim());
