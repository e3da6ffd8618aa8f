import { ENCODED_KEYS, LEXICON } from "./lexicon.ts";
import { fold } from "./normalise.ts";

/** What a character is to the lexer. */
export const KIND = { other: 0, letter: 1, dense: 2, apostrophe: 3, joiner: 4 } as const;

/** Marks in the concept string; no concept has them. */
export const MARK = { rot13: "1", reversed: "2" } as const;

/** Space, hyphen, underscore, asterisk, slash, tilde, newline: they may stand between the words of a phrase. */
const JOINERS = " -_*/~\t\n";

/** The kind of every UTF-16 code unit. */
const KINDS = Uint8Array.from({ length: 0x10000 }, (_, code) => classify(code));

export function kindOf(code: number): number {
  return KINDS[code] ?? KIND.other;
}

/** The kind of a place that may be behind the end. */
export function kindAt(text: string, at: number): number {
  return at < text.length ? kindOf(text.charCodeAt(at)) : KIND.other;
}

/** Letters and digits; characters of scripts that put no spaces between words. */
function classify(code: number): number {
  if (code < 0x80) {
    if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90))
      return KIND.letter;
    if (code === 39) return KIND.apostrophe;
    return JOINERS.includes(String.fromCharCode(code)) ? KIND.joiner : KIND.other;
  }
  if (code >= 0x3041 && code <= 0x9fff && code !== 0x30fb) return KIND.dense;
  if (code === 0x2019) return KIND.apostrophe;
  if (code === 0xab || code === 0xbb || code === 0xa0 || (code >= 0x2000 && code <= 0x303f))
    return KIND.other;
  return code >= 0xaa && !(code >= 0xd800 && code <= 0xdfff) && code < 0xe000 ? KIND.letter : KIND.other;
}

/**
 * The words and phrases of the lexicon, letter by letter. A node's child is looked up by `node << 16 | code unit` in a hash table with
 * open addressing: this takes a third of the time of a Map, whose keys would be boxed.
 */
type Trie = {
  /** Each key and its child beside it; the child is 0 in an empty slot, because the root is nobody's child. */
  slots: Int32Array;
  /** The code unit whose child is the next node, 0 for none. Most nodes have one child, so that most words need no hash table. */
  next: Uint16Array;
  /** 1 for a node that has other children than the next node. */
  branches: Uint8Array;
  /** For each node, the character code of the concept that ends here, as a whole word and as a stem; 0 for none. */
  exact: Uint8Array;
  stem: Uint8Array;
};

const SLOT_BITS = 15;
const SLOTS = 1 << SLOT_BITS;

const trie = buildTrie();

function slotOf(key: number): number {
  return Math.imul(key, 0x9e3779b1) >>> (32 - SLOT_BITS);
}

function childOf(node: number, code: number): number {
  if (trie.next[node] === code) return node + 1;
  if (trie.branches[node] === 0) return 0;
  const key = (node << 16) | code;
  const { slots } = trie;
  let slot = slotOf(key);
  for (;;) {
    const child = slots[2 * slot + 1] ?? 0;
    if (child === 0 || slots[2 * slot] === key) return child;
    slot = (slot + 1) & (SLOTS - 1);
  }
}

/** What {@link matchAt} found; a number, so that a word costs no object. */
export type Match = number;

export const NO_MATCH: Match = 0;

/** The character code of the concept. */
export function conceptOf(match: Match): number {
  return match & 0x7f;
}

/** Where the word or phrase ends. */
export function untilOf(match: Match): number {
  return match >>> 7;
}

/** The longest word or phrase that begins here. @param loose it may end within a word */
export function matchAt(text: string, from: number, loose: boolean): Match {
  const end = text.length;
  let node = 0;
  let at = from;
  let concept = 0;
  let until = from;
  let stemmed = false;
  while (at < end) {
    const code = text.charCodeAt(at);
    const kind = kindOf(code);
    if (kind === KIND.apostrophe) {
      at += 1;
      continue;
    }
    if (kind === KIND.other) break;
    const isGap = kind === KIND.joiner;
    node = childOf(node, isGap ? 32 : code);
    if (node === 0) break;
    at += 1;
    if (isGap) {
      while (kindAt(text, at) === KIND.joiner) at += 1;
      continue;
    }
    const stem = trie.stem[node] ?? 0;
    if (stem !== 0) {
      concept = stem;
      until = at;
      stemmed = true;
    }
    const exact = trie.exact[node] ?? 0;
    if (exact !== 0 && ((loose && (kind === KIND.dense || at - from > 3)) || isEnd(text, at))) {
      concept = exact;
      until = at;
      stemmed = false;
    }
  }
  if (concept === 0) return NO_MATCH;
  if (stemmed && !loose) while (kindAt(text, until) === KIND.letter) until += 1;
  return (until << 7) | concept;
}

function isEnd(text: string, at: number): boolean {
  const kind = kindAt(text, at);
  return kind !== KIND.letter && kind !== KIND.dense;
}

function buildTrie(): Trie {
  const nodes: Nodes = { next: new Map(), exact: [0], stem: [0] };
  for (const [concept, lists] of Object.entries(LEXICON))
    for (const entry of lists.join(", ").split(/,\s+/)) insert(nodes, entry, concept);
  for (const key of ENCODED_KEYS) {
    if (key.length < 5) continue;
    insert(nodes, rot13(key), MARK.rot13);
    insert(nodes, [...key].reverse().join(""), MARK.reversed);
  }
  // Half of the slots stay empty, and nodes have 16 bits.
  if (nodes.exact.length > SLOTS / 2)
    throw new Error("The lexicon of the injection guard has outgrown its table.");
  const slots = new Int32Array(2 * SLOTS);
  const next = new Uint16Array(nodes.exact.length);
  const branches = new Uint8Array(nodes.exact.length);
  for (const [key, child] of nodes.next) {
    const node = key >>> 16;
    if (child === node + 1) {
      next[node] = key & 0xffff;
      continue;
    }
    branches[node] = 1;
    let slot = slotOf(key);
    while (slots[2 * slot + 1] !== 0) slot = (slot + 1) & (SLOTS - 1);
    slots[2 * slot] = key;
    slots[2 * slot + 1] = child;
  }
  return { slots, next, branches, exact: Uint8Array.from(nodes.exact), stem: Uint8Array.from(nodes.stem) };
}

type Nodes = { next: Map<number, number>; exact: number[]; stem: number[] };

/** The first concept of a word stays: lists that come first are the stronger ones. */
function insert({ next, exact, stem }: Nodes, entry: string, concept: string): void {
  const isStem = entry.endsWith("*");
  const word = fold(isStem ? entry.slice(0, -1) : entry)
    .replace(/['’]/g, "")
    .replace(/[-_*/~\s]+/g, " ")
    .trim();
  if (word === "") return;
  let node = 0;
  for (let at = 0; at < word.length; at += 1) {
    const key = (node << 16) | word.charCodeAt(at);
    let child = next.get(key);
    if (child === undefined) {
      child = exact.push(0) - 1;
      stem.push(0);
      next.set(key, child);
    }
    node = child;
  }
  const slot = isStem ? stem : exact;
  slot[node] ||= concept.charCodeAt(0);
}

export function rot13(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const code = letter.charCodeAt(0);
    const base = code < 97 ? 65 : 97;
    return String.fromCharCode(((code - base + 13) % 26) + base);
  });
}
