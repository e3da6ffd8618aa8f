import type { Mesh, Service } from "../../mesh/index.ts";

/** The words for what has effects, in the forms that a question of its state has them. */
export type Vocabulary = {
  /** English: every form; `done` are those of what has happened. */
  any: RegExp;
  done: RegExp;
  /** "live" of "go live": what a thing is, once that has happened; at the end of a question. */
  becomes: RegExp;
  /** Korean roots: 게시. */
  roots: string;
  /** Longer words, for whoever mistypes one. */
  words: readonly string[];
};

const APPROVING = ["approve", "sign off", "decide", "reject", "decline", "withdraw", "cancel", "expire"];
/** A publish step is the gateway's own kind of effect. */
const PUBLISHING = ["publish"];
const NOUNS = [
  "approval",
  "approvals",
  "approver",
  "approvers",
  "sign-off",
  "signoff",
  "decision",
  "decisions",
];
const MORE_NOUNS = ["publication", "publications", "cancellation", "rejection"];
const KOREAN = ["게시", "승인", "결재", "결정", "반려", "거절", "거부", "취소", "철회", "만료"];

/** @param services those whose goals have effects */
export function vocabularyOf(services: readonly Service[], mesh: Pick<Mesh, "services">): Vocabulary {
  const keywords = services.flatMap((service) => service.keywords);
  const verbs = [
    ...new Set([...APPROVING, ...PUBLISHING, ...keywords.filter((word) => /^[a-z -]+$/i.test(word))]),
  ];
  const forms = verbs.map(formsOf);
  const any = [...forms.flatMap((form) => form.any), ...NOUNS, ...MORE_NOUNS];
  const done = forms.flatMap((form) => form.done);
  // "Is the list live?", but only "is it out?": what is left out is not out.
  const states = verbs.flatMap((verb) => /^go (\p{L}+)$/u.exec(verb)?.[1] ?? []);
  const particles = verbs.flatMap((verb) => /\s(\p{L}+)$/u.exec(verb)?.[1] ?? []);
  const hangul = keywords.filter((word) => /^\p{Script=Hangul}+$/u.test(word));
  const roots = [...new Set([...KOREAN, ...hangul, ...ownVerbs(services, mesh)])];
  return {
    any: anyOf(any),
    done: anyOf(done),
    becomes: new RegExp(
      `(?:${anyOf(states).source}|^(?:\\S+ )?\\S+ (?:it|this|that|they|these|those|everything)(?: (?:still|already))? ${anyOf(particles).source})(?: (?:yet|now|already|or not|again|today|then|there))*$`,
      "iu",
    ),
    roots: roots.map(escaped).join("|"),
    words: [...new Set([...any.flatMap((word) => word.split(/[\s-]/)), "pending", "waiting"])].filter(
      ({ length }) => length >= 6,
    ),
  };
}

/** Between a verb and its particle one word may stand: "signed it off". */
function anyOf(phrases: readonly string[]): RegExp {
  // Of nothing, nothing is found.
  if (phrases.length === 0) return /(?!)/u;
  return new RegExp(
    `\\b(?:${phrases.map((phrase) => escaped(phrase).replaceAll(" ", "(?: \\S+)? ")).join("|")})\\b`,
    "iu",
  );
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/** What the Korean label of a service ends with, and no other one: 게시 of 제안 게시. There, the verb stands last. */
function ownVerbs(services: readonly Service[], mesh: Pick<Mesh, "services">): string[] {
  const others = [...mesh.services.values()].filter((service) => !services.includes(service));
  const known = new Set(others.map(({ label }) => lastWord(label?.ko)));
  return services.flatMap(({ label }) => lastWord(label?.ko) ?? []).filter((word) => !known.has(word));
}

const lastWord = (text = ""): string | undefined => text.match(/\p{Script=Hangul}{2,}/gu)?.at(-1);

/** Verbs of keywords whose past cannot be made by rule. */
const PAST: Readonly<Record<string, readonly string[]>> = {
  go: ["went", "gone"],
  put: ["put"],
  send: ["sent"],
  pay: ["paid"],
  withdraw: ["withdrew", "withdrawn"],
  cancel: ["cancelled", "canceled"],
};

/** A verb, perhaps with a particle, in the forms that it is written in. */
function formsOf(phrase: string): { any: string[]; done: string[] } {
  const [verb = "", ...rest] = phrase.toLowerCase().split(" ");
  const tail = rest.length > 0 ? ` ${rest.join(" ")}` : "";
  const stem = verb.endsWith("e") ? verb.slice(0, -1) : verb;
  const past = PAST[verb] ?? [`${stem}ed`];
  const other = [verb, /(?:s|sh|ch|x|o)$/.test(verb) ? `${verb}es` : `${verb}s`, `${stem}ing`];
  const done = past.map((form) => form + tail);
  return { any: [...other.map((form) => form + tail), ...done], done };
}

/** Replaces words that differ by one letter from one of the vocabulary's. */
export function spelled(text: string, { words }: Vocabulary): string {
  return text.replace(/[a-z]{6,14}/g, (word) =>
    words.includes(word) ? word : (words.find((known) => isNear(word, known)) ?? word),
  );
}

/** Whether one letter is missing, added, or another one, or two are exchanged. Words of other senses that begin otherwise are not taken. */
function isNear(one: string, other: string): boolean {
  if (one[0] !== other[0] || Math.abs(one.length - other.length) > 1) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const [a, b] = [one.slice(at), other.slice(at)];
  return (
    a.slice(1) === b.slice(1) ||
    a.slice(1) === b ||
    a === b.slice(1) ||
    (a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2))
  );
}
