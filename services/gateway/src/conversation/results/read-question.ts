import { figuresIn, normalised, type SlotReading } from "../../language/index.ts";
import { isQuestion } from "../questions-in.ts";
import type { Side } from "./cells.ts";
import type { Vocabulary } from "./measure-words.ts";
import type { Query } from "./query.ts";
import {
  AFTER,
  AGAIN,
  BEFORE,
  COMPARES,
  COMPARISONS,
  COUNTS,
  EARLIER_PROPOSAL,
  isFirst,
  isFunctionWord,
  LEAD,
  LEAST,
  MEAN,
  MOST,
  SUM,
  TELLS,
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
type Reading = { readSlots: (text: string) => SlotReading; narrowing: ReadonlySet<string> };

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
  }
  const named = vocabulary.find(text);
  if (named.several || (!named.measure && !earlier)) return undefined;
  const measure = named.measure ?? vocabulary.compared;
  if (!measure) return undefined;
  text = named.left;
  const ofAll = WHICH.test(text) && vocabulary.isOfThings(text);
  const where = named.where ?? whereIn();
  if (where === "unclear" || isDefinition(text)) return undefined;
  // "Show me prices with a margin of at least 20 %" orders prices.
  if (where && !named.where && !WHICH.test(text) && TELLS.test(part)) return undefined;
  const topped = take(TOP);
  const count = topped === undefined ? undefined : Number(/\d+/.exec(topped)?.[0]);
  const least = take(LEAST) !== undefined;
  const isMost = !least && (take(MOST) !== undefined || topped !== undefined);
  const order = least ? "least" : isMost ? "most" : undefined;
  const aggregate =
    take(SUM) !== undefined
      ? "sum"
      : take(MEAN) !== undefined
        ? "mean"
        : where && COUNTS.test(text)
          ? "count"
          : undefined;
  if (aggregate === "sum" && !measure.sums) return undefined;
  const before = take(BEFORE) !== undefined;
  const after = take(AFTER) !== undefined;
  while (take(BEFORE) !== undefined || take(AFTER) !== undefined) {}
  const side: Side | undefined = before === after ? undefined : before ? "before" : "after";
  if (measure.ordered && !earlier && !before && !after) return undefined;
  const by = take(vocabulary.grouping);
  text = text.replace(LEAD, " ").replaceAll(MARK, " ");
  const only = selectionIn(text, vocabulary, reading);
  if (!only) return undefined;
  const isPlural = vocabulary.isPlural(part);
  const group = by === undefined ? groupedBy() : vocabulary.slotOf(by);
  return {
    query: {
      measure,
      only,
      ...(side === undefined ? {} : { side }),
      ...(where ? { where } : {}),
      ...(order ? { order, top: count ?? (isPlural ? SEVERAL : 1) } : {}),
      ...(aggregate ? { aggregate } : {}),
      ...(group === undefined ? {} : { by: group }),
    },
    ...(earlier
      ? { against: isFirst(earlier[1] ?? earlier[2] ?? "") ? ("first" as const) : ("previous" as const) }
      : {}),
    ofAll,
  };

  /** "Which item earns the most": the item, and not one of its tiers. */
  function groupedBy(): string | undefined {
    return measure?.sums && order ? vocabulary.thingIn(part) : undefined;
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
  if (message.length > LONGEST) return undefined;
  const only = selectionIn(message.replace(AGAIN, ""), vocabulary, reading);
  if (!only || Object.keys(only).length === 0) return undefined;
  const asked = readQuestion(before, vocabulary, reading);
  return asked && { ...asked, query: { ...asked.query, only: { ...asked.query.only, ...only } } };
}

/** What is looked at; undefined where the text says more than that. */
function selectionIn(
  text: string,
  vocabulary: Vocabulary,
  { readSlots, narrowing }: Reading,
): Query["only"] | undefined {
  const { slots, cleared, asks, unsupported, edits, rest } = readSlots(text);
  const names = Object.entries(slots);
  if (cleared.length + asks.length + unsupported.length > 0 || edits) return undefined;
  if (names.some(([slot]) => !narrowing.has(slot))) return undefined;
  const words = rest.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
  const isKnown = (word: string) => isFunctionWord(word.replace(/'s?$/, "")) || vocabulary.isThing(word);
  if (!words.every(isKnown)) return undefined;
  return Object.fromEntries(
    names.map(([slot, value]) => [slot, Array.isArray(value) ? value.map(String) : [String(value)]]),
  );
}

/** "What is elasticity?", "탄력성이 뭐예요?": what the word means, and not its value. */
const isDefinition = (text: string): boolean =>
  /^\W*what(?:['’]s|\s+is|\s+are)\s+(?:an?\s+)?◆\s*\??$/iu.test(text.trim()) ||
  /^◆\s*(?:이|가|은|는|란|이란)?\s*(?:뭐|무엇|뭔)\S*$/u.test(text.trim());
