import { otherReadings } from "./decode.ts";
import { type Lexed, lex, TRAITS } from "./lexer.ts";
import { fold, normalise } from "./normalise.ts";
import { type Detector, metConceptRules, metTextRules, RULES } from "./rules.ts";
import { eachFeature, type Part, type Scorer } from "./scorer.ts";

export type Verdict = {
  flagged: boolean;
  /** What found it. */
  detector?: Detector;
  /** Not flagged, but it could be the end of an attack that earlier messages began. */
  openEnded?: boolean;
};

/**
 * Judges a message of a user. It never throws, and takes time in proportion to the length of the text.
 * @param earlier what the user said before, oldest first
 */
export type DetectInjection = (text: string, options?: { earlier?: readonly string[] }) => Verdict;

/** How often a decoded text is decoded again, and readings of one message in all. */
const MAX_DEPTH = 3;
const MAX_READINGS = 24;
/** Characters that are read of a message; of earlier messages together; and how many of these. */
const MAX_CHARS = 16_000;
/** Characters of decoded readings together, so that no nesting costs much more than the message itself. */
const MAX_DECODED_CHARS = 8_000;
const EARLIER_CHARS = 600;
const EARLIER_MESSAGES = 4;
/** Words of a window: a long message is judged by its worst part, not by its average. */
const WINDOW = 48;

/** Concepts with which an attack may end: what it is about, or that parts are to be put together. */
const ENDS = /[ILYPDGVCTFBMHOWJ]/;

export function injectionDetector(scorer: Scorer): DetectInjection {
  const judge = judgeBy(scorer);

  function search(text: string): { detector: Detector } | { lexed: Lexed } {
    const first: Pending = { text: text.slice(0, MAX_CHARS), via: undefined, depth: 0, unspaced: false };
    const pending = [first];
    let read: Lexed | undefined;
    let left = MAX_DECODED_CHARS;
    for (let count = 0; count < pending.length && count < MAX_READINGS; count += 1) {
      const { text: given, via, depth, unspaced } = pending[count] ?? first;
      const normal = normalise(given);
      const lower = normal.plain ? normal.text.toLowerCase() : fold(normal.text);
      const lexed = lex(lower, unspaced);
      read ??= lexed;
      const found = judge(lexed, lower);
      if (found !== undefined) return { detector: via ?? disguiseOf(normal) ?? found };
      if (depth >= MAX_DEPTH || (normal.plain && lexed.traits === 0)) continue;
      const add = (more: { via: Detector; text: string; unspaced?: boolean }) => {
        if (more.text.length > left) return;
        left -= more.text.length;
        pending.push({ unspaced: false, ...more, via: via ?? more.via, depth: depth + 1 });
      };
      if (normal.parted !== "") add({ via: "hidden_characters", text: normal.parted });
      if (normal.tagged !== "") add({ via: "hidden_tags", text: normal.tagged });
      if (normal.overridden) add({ via: "bidi", text: [...normal.text].reverse().join("") });
      if (lexed.traits !== 0) for (const reading of otherReadings(normal.text, lexed.traits)) add(reading);
    }
    return { lexed: read ?? NOTHING };
  }

  return (text, { earlier = [] } = {}) => {
    const alone = search(text);
    if ("detector" in alone) return { flagged: true, detector: alone.detector };
    if (earlier.length > 0) {
      for (const joint of joints(text, earlier)) {
        const together = search(joint);
        if ("detector" in together) return { flagged: true, detector: "split_turns" };
      }
      return { flagged: false };
    }
    const openEnded =
      ENDS.test(alone.lexed.concepts) || (alone.lexed.traits & (TRAITS.longRun | TRAITS.quoted)) !== 0;
    return openEnded ? { flagged: false, openEnded } : { flagged: false };
  };
}

type Pending = { text: string; via: Detector | undefined; depth: number; unspaced: boolean };

const NOTHING: Lexed = { concepts: "", words: [], prefixes: [], traits: 0 };

function disguiseOf(normal: {
  imitated: boolean;
  overridden: boolean;
  hidden: boolean;
}): Detector | undefined {
  if (normal.overridden) return "bidi";
  if (normal.hidden) return "hidden_characters";
  return normal.imitated ? "homoglyph" : undefined;
}

/** The message with what was said before: as sentences that go on, and as words that were cut. */
function joints(text: string, earlier: readonly string[]): string[] {
  const before = earlier
    .slice(-EARLIER_MESSAGES)
    .map((message) => message.slice(-EARLIER_CHARS).replace(/[.!?…\s]+$/u, ""));
  const parts = [...before, text.slice(0, EARLIER_CHARS)];
  return [parts.join(" "), parts.join("")];
}

/** @returns the detector of a text that is flagged */
function judgeBy({
  weights,
  step,
  bias,
  threshold,
}: Scorer): (lexed: Lexed, text: string) => Detector | undefined {
  const limit = (threshold - bias) / step;
  /** The turn in which a feature was last counted: a feature counts once. */
  const counted = new Uint32Array(weights.length);
  let turn = 0;

  function scoreOf(lexed: Part, rules: readonly number[]): number {
    turn = (turn + 1) >>> 0;
    let score = 0;
    eachFeature(lexed, rules, (feature) => {
      const weight = weights[feature] ?? 0;
      if (weight === 0 || counted[feature] === turn) return;
      counted[feature] = turn;
      score += weight;
    });
    return score;
  }

  function strongest(rules: readonly number[]): Detector {
    let best: Detector = "scorer";
    let weight = 0;
    for (const place of rules) {
      const own = weights[place] ?? 0;
      if (own <= weight) continue;
      weight = own;
      best = RULES[place]?.detector ?? best;
    }
    return best;
  }

  return (lexed, text) => {
    const ofText = metTextRules(text);
    for (const part of windowsOf(lexed)) {
      const rules = metConceptRules(part.concepts);
      rules.push(...ofText);
      if (scoreOf(part, rules) >= limit) return strongest(rules);
    }
    return undefined;
  };
}

/** Cuts a long text between sentences into parts of about a window; each begins with the last sentence of the one before. */
export function windowsOf({ concepts, words, prefixes }: Part): Part[] {
  if (words.length <= WINDOW) return [{ concepts, words, prefixes }];
  const windows: Part[] = [];
  let [fromConcept, fromWord, lastConcept, lastWord] = [0, 0, 0, 0];
  let concept = 0;
  for (let word = 0; word < words.length; word += 1) {
    if (words[word] !== 0) continue;
    const found = concepts.indexOf("|", concept);
    concept = found === -1 ? concepts.length : found + 1;
    if (word - fromWord >= WINDOW) {
      windows.push({
        concepts: concepts.slice(fromConcept, concept),
        words: words.slice(fromWord, word),
        prefixes: [],
      });
      [fromConcept, fromWord] = [lastConcept, lastWord];
    }
    [lastConcept, lastWord] = [concept, word + 1];
  }
  windows.push({ concepts: concepts.slice(fromConcept), words: words.slice(fromWord), prefixes: [] });
  return windows;
}
