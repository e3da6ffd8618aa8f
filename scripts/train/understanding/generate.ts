import {
  compileSlots,
  type EntityIndex,
  indexEntities,
  pluralOf,
  type SlotDeclaration,
  type SlotReader,
  type Slots,
} from "../../../services/understanding/src/index.ts";
import { CATALOGUES } from "./catalogues.ts";
import { DOMAINS, type Domain } from "./domains.ts";
import { ENGLISH, type Grammar } from "./english.ts";
import { KOREAN } from "./korean.ts";
import { type Random, randomFrom } from "./random.ts";

/** A part of a message and what it does. `null` is said and means nothing. */
export type Span = { start: number; end: number; op: string; slot?: SlotDeclaration };

/** A message with the role of all that it mentions. */
export type Message = {
  text: string;
  spans: readonly Span[];
  before: Slots;
  korean: boolean;
  world: World;
};

type Thing = { id: string; name: string; [member: string]: unknown };

/** A domain with its inputs: what a message is said about. */
export type World = {
  domain: Domain;
  things: readonly Thing[];
  values: ReadonlyMap<SlotDeclaration, readonly string[]>;
  reader: SlotReader;
  index: EntityIndex;
};

/** Values of the inputs that no domain declares. */
const UNDECLARED: readonly (readonly string[])[] = [
  ["Benelux", "Iberia", "Nordics"],
  ["Balkans", "Alps", "Adriatic"],
  ["Gulf", "Levant", "Maghreb"],
  ["Quebec", "Ontario", "Prairies"],
  ["Coast", "Inland", "Islands"],
  ["UKI", "CEE", "Baltics"],
  ["contractor", "municipal", "home"],
  ["hospital", "school", "hotel"],
  ["wholesale", "walk-in", "online"],
  ["pro", "hobby", "junior"],
  ["France", "Italy", "Spain", "Poland"],
  ["gold", "silver", "bronze"],
];

export function makeWorld(random: Random): World {
  const domain = random.pick(DOMAINS);
  const catalogue = random.pick(CATALOGUES.filter(({ kind }) => domain.kinds.includes(kind)));
  const names = random.sample(catalogue.names, 5 + random.below(catalogue.names.length - 4));
  const mark = random.pick(["-", "", "-", "_"]);
  const digits = random.pick([1, 2, 2, 3, 4]);
  const things: Thing[] = names.map(([name, code]) => {
    const number = String(random.below(9 * 10 ** (digits - 1)) + 10 ** (digits - 1));
    const tail = random.chance(0.1) ? random.pick(["X", "S", "L", "A"]) : "";
    return { id: `${code.slice(0, random.chance(0.3) ? 2 : 4)}${mark}${number}${tail}`, name };
  });
  const values = new Map<SlotDeclaration, readonly string[]>();
  // Some slots are missing, so that nothing is learnt from which there are.
  const slots = domain.slots.filter(
    ({ kind, implicit }) => kind === "entity" || implicit || random.chance(0.85),
  );
  for (const slot of slots) {
    if (slot.kind !== "enum") continue;
    const own = slot.keys || random.chance(0.55) ? Object.keys(slot.values) : random.pick(UNDECLARED);
    const some = slot.keys ? own : random.sample(own, 2 + random.below(own.length - 1));
    values.set(slot, some);
    for (const [i, thing] of things.entries())
      thing[slot.name] = slot.keys
        ? Object.fromEntries(some.map((value) => [value, {}]))
        : (some[i % some.length] ?? "");
  }
  const reader = compileSlots({
    slots,
    words: {
      unsupported: [...domain.unsupported, ...domain.unsupportedKo].filter(() => random.chance(0.6)),
      neutral: [],
      decoys: [`new ${domain.subject[1]}`, `new ${domain.subject[0]}`],
    },
  });
  return { domain, things, values, reader, index: indexEntities(slots, { things }) };
}

type Filled = { text: string; spans: Span[] };

/** The shapes of constraints and how often each is said. */
const KINDS: readonly (readonly [string, number])[] = [
  ["limit", 16],
  ["most", 5],
  ["least", 10],
  ["phrase", 2],
  ["dear", 4],
  ["cheap", 4],
  ["range", 2],
  ["oneWay", 4],
  ["parts", 7],
  ["partsLeast", 4],
  ["move", 9],
  ["change", 8],
  ["both", 1.5],
  ["choice", 9],
  ["flag", 5],
  ["unflag", 2],
  ["count", 5],
  ["select", 18],
  ["exclude", 9],
  ["value", 20],
  ["without", 5],
  ["ask", 2.5],
  ["clear", 2],
  ["unsupported", 11],
  ["noise", 9],
];

/** Two constraints of one group contradict each other. */
const GROUPS: Readonly<Record<string, string>> = {
  dear: "most",
  cheap: "least",
  range: "least",
  ask: "limit",
  oneWay: "limit",
  parts: "limit",
  partsLeast: "least",
  clear: "limit",
  both: "move",
  exclude: "select",
  unflag: "flag",
  without: "value",
};

export class Generator {
  readonly #random: Random;
  readonly #worlds: World[];

  constructor(seed: number, worlds: number) {
    this.#random = randomFrom(seed);
    this.#worlds = Array.from({ length: worlds }, () => makeWorld(this.#random));
  }

  next(): Message {
    const random = this.#random;
    const world = random.pick(this.#worlds);
    const korean = random.chance(0.24);
    return new Composer(random, world, korean).message();
  }
}

/** Composes one message. */
class Composer {
  readonly #random: Random;
  readonly #world: World;
  readonly #korean: boolean;
  readonly #grammar: Grammar;

  constructor(random: Random, world: World, korean: boolean) {
    this.#random = random;
    this.#world = world;
    this.#korean = korean;
    this.#grammar = korean ? KOREAN : ENGLISH;
  }

  message(): Message {
    const random = this.#random;
    if (random.chance(0.14)) return this.#finish(this.#following(), this.#inForce());
    const count = random.weighted([
      [0, 8],
      [1, 34],
      [2, 32],
      [3, 18],
      [4, 6],
      [5, 2],
    ]);
    const parts: Filled[] = [];
    const taken = new Set<string>();
    while (parts.length < count) {
      const kind = random.weighted(KINDS);
      const part = this.#constraint(kind, taken);
      if (part) parts.push(this.#dressed(random.chance(0.1) ? this.#corrected(part) : part));
    }
    if (count === 0) parts.push(this.#free([...this.#grammar.question, ...this.#grammar.request]));
    else if (random.chance(0.5)) {
      const request = this.#free(random.chance(0.85) ? this.#grammar.request : this.#grammar.question);
      if (random.chance(0.65) && !taken.has("move")) parts.unshift(request);
      else if (!/\{np\}/.test(request.text)) parts.push(request);
    }
    if (random.chance(0.2)) parts.splice(random.pick([0, parts.length]), 0, this.#free(this.#grammar.noise));
    if (random.chance(0.1)) parts.unshift({ text: random.pick(this.#grammar.greetings), spans: [] });
    return this.#finish(this.#joined(parts), random.chance(0.1) ? this.#inForce(0.5) : {});
  }

  /** With what may stand before and behind. */
  #dressed(part: Filled): Filled {
    const random = this.#random;
    const dressed: Filled = { text: "", spans: [] };
    if (random.chance(0.1)) {
      append(dressed, this.#free(this.#grammar.leads));
      dressed.text += " ";
    }
    append(dressed, part);
    if (random.chance(0.1)) append(dressed, this.#free(this.#grammar.reasons));
    return dressed;
  }

  #joined(parts: readonly Filled[]): Filled {
    const random = this.#random;
    const joined: Filled = { text: "", spans: [] };
    for (const [i, part] of parts.entries()) {
      if (i > 0) joined.text += /[.?!]$/.test(joined.text) ? " " : random.pick(this.#grammar.joints);
      const isStart = joined.text === "" || /[.?!\n]\s*$/.test(joined.text);
      append(joined, isStart && random.chance(0.6) ? { ...part, text: capitalised(part.text) } : part);
    }
    return joined;
  }

  #finish(filled: Filled, before: Slots): Message {
    const random = this.#random;
    let { text, spans } = filled;
    if (!/[.?!]$/.test(text)) text += random.pick(this.#grammar.endings);
    if (!this.#korean && random.chance(0.12)) text = text.toLowerCase();
    if (!this.#korean && random.chance(0.12)) ({ text, spans } = this.#misspelt(text, spans));
    return { text, spans, before, korean: this.#korean, world: this.#world };
  }

  /** A constraint of a kind that the domain has a slot for, and no other part has said. */
  #constraint(kind: string, taken: Set<string>): Filled | undefined {
    const { slots } = this.#world.reader;
    const random = this.#random;
    const fits = (slot: SlotDeclaration): boolean => {
      if (kind === "limit" || kind === "ask" || kind === "parts" || kind === "oneWay")
        return slot.implicit && slot.reads === "most";
      if (kind === "clear") return slot.reads === "most" || slot.reads === "least";
      if (kind === "partsLeast") return slot.reads === "least" && !isBound(slot);
      if (kind === "move") return slot.implicit && slot.reads === "change";
      if (kind === "change") return !slot.implicit && slot.reads === "change";
      if (kind === "most") return slot.reads === "most" && !slot.implicit;
      if (kind === "least") return slot.reads === "least";
      if (kind === "phrase") return Object.keys(slot.phrases).length > 0;
      if (kind === "range" || kind === "cheap") return isBound(slot) && slot.reads === "least";
      if (kind === "dear") return isBound(slot) && slot.reads === "most";
      if (kind === "both") return slot.implicit && slot.reads === "change";
      if (kind === "select" || kind === "exclude") return slot.kind === "entity";
      if (kind === "value" || kind === "without") return slot.kind === "enum";
      if (kind === "unflag") return slot.kind === "flag";
      return slot.kind === kind;
    };
    const isFree = kind === "unsupported" || kind === "noise";
    const own = isFree ? [] : slots.filter(fits);
    if (!isFree && own.length === 0) return undefined;
    const slot = isFree ? undefined : random.pick(own);
    const group = slot ? `${GROUPS[kind] ?? kind}${slot.name}` : kind;
    if (taken.has(group)) return undefined;
    if (kind === "both" || kind === "change") {
      if (taken.has("costs")) return undefined;
      taken.add("costs");
    }
    const template = random.pick(this.#grammar[kind as keyof Omit<Grammar, "words">]);
    const way = kind === "oneWay" ? random.pick(["up", "down"]) : undefined;
    const filled = this.#fill(template, slot, way, taken);
    if (!filled) return undefined;
    taken.add(group);
    if (kind === "range")
      for (const { slot: said } of filled.spans)
        if (said) taken.add(`least${said.name}`).add(`most${said.name}`);
    return filled;
  }

  /** A short message that goes on from what is in force. */
  #following(): Filled {
    const random = this.#random;
    const { slots } = this.#world.reader;
    const numeric = slots.filter(({ reads }) => reads !== undefined);
    const slot = random.pick(numeric);
    this.#continued = slot;
    const selection = slots.filter(({ kind }) => kind === "enum" || kind === "entity");
    const other = random.pick(selection);
    this.#edited = other;
    const kind = random.weighted([
      ["amount", 5],
      ["part", 2.5],
      ["add", 3],
      ["drop", 2],
      ["value", 2],
      ["other", 3],
    ] as const);
    const name = other.kind === "entity" ? "E" : "X";
    if (kind === "amount") {
      const op = slot.reads === "change" ? random.pick(["up", "down"]) : "set";
      this.#sign = op === "down" ? -1 : 1;
      return this.#fill(random.pick(this.#grammar.follow), slot, op) ?? { text: "", spans: [] };
    }
    if (kind === "part" && slot.reads !== "change")
      return (
        this.#fill(random.pick(this.#grammar.followPart).replaceAll("%", name), slot) ?? {
          text: "",
          spans: [],
        }
      );
    if (kind === "other" || kind === "part") {
      const taken = new Set<string>();
      for (;;) {
        const part = this.#constraint(random.weighted(KINDS), taken);
        if (part) return part;
      }
    }
    const lists = this.#korean ? FOLLOW_KO : FOLLOW_EN;
    return this.#fill(random.pick(lists[kind]).replaceAll("%", name), other) ?? { text: "", spans: [] };
  }

  #continued: SlotDeclaration | undefined;
  #edited: SlotDeclaration | undefined;
  #sign = 1;

  /** Slots that the turn before may have set. */
  #inForce(probability = 1): Slots {
    const random = this.#random;
    const before: Record<string, string | number | boolean | string[]> = {};
    for (const slot of this.#world.reader.slots) {
      const isSure = slot === this.#continued || slot === this.#edited;
      if (!isSure && !random.chance(0.2)) continue;
      if (isSure && !random.chance(probability)) continue;
      if (slot.reads)
        before[slot.name] = slot.kind === "percent" ? 0.05 * (slot === this.#continued ? this.#sign : 1) : 50;
      else if (slot.kind === "entity") before[slot.name] = [this.#world.things[0]?.id ?? ""];
      else if (slot.kind === "enum") before[slot.name] = [this.#world.values.get(slot)?.[0] ?? ""];
      else if (slot.kind === "flag") before[slot.name] = true;
      else if (slot.kind === "count") before[slot.name] = 5;
    }
    return before;
  }

  /** "max 5 %, no, 7 %": the first is taken back. */
  #corrected(part: Filled): Filled {
    const last = part.spans.at(-1);
    if (part.spans.length !== 1 || !last?.slot || last.end !== part.text.length || last.op === "unsupported")
      return part;
    const again = this.#valueOf(last.slot, last.op);
    if (again === undefined) return part;
    const text = `${part.text}${this.#random.pick(this.#grammar.corrections)}`;
    return {
      text: text + again,
      spans: [
        { ...last, op: "none" },
        { ...last, start: text.length, end: text.length + again.length },
      ],
    };
  }

  #valueOf(slot: SlotDeclaration, op: string): string | undefined {
    const random = this.#random;
    if (slot.kind === "percent")
      return this.#percent(slot.reads === "least" || (slot.reads === "most" && !slot.implicit));
    if (slot.kind === "money") return this.#money();
    if (slot.kind === "number") return this.#number();
    if (slot.kind === "count") return this.#count();
    if (slot.kind === "choice") return this.#said(slot, random.pick(Object.keys(slot.values)));
    if (slot.kind === "enum") return this.#value(slot);
    if (slot.kind === "entity") return this.#entity();
    return op === "" ? "" : undefined;
  }

  /** One of the templates that need no slot, and that this domain can fill. */
  #free(templates: readonly string[]): Filled {
    for (;;) {
      const filled = this.#fill(this.#random.pick(templates));
      if (filled) return filled;
    }
  }

  #fill(template: string, slot?: SlotDeclaration, op?: string, taken?: Set<string>): Filled | undefined {
    const random = this.#random;
    const { slots } = this.#world.reader;
    const up = op ? op !== "down" : random.chance(0.55);
    const otherUp = random.chance(0.6);
    const other = slots.find(({ reads, implicit }) => reads === "change" && !implicit);
    const partner = slots.find((other) => isBound(other) && other.reads === "most");
    const least = slots.find(({ kind, reads }) => kind === "percent" && reads === "least");
    if (/\{(?:n2|w)\}/.test(template) && !other) return undefined;
    if (/\{hi\}/.test(template) && !partner) return undefined;
    if (/\{least\}/.test(template) && !least) return undefined;
    const role = slot?.reads === "change" ? (up ? "up" : "down") : "set";
    const enumSlot =
      slot?.kind === "enum"
        ? slot
        : random.pick(
            slots.filter(({ kind }) => kind === "enum").concat(slots.filter(({ kind }) => kind === "entity")),
          );
    const choiceSlot = slots.find(({ kind }) => kind === "choice");
    const chosen = choiceSlot ? random.sample(Object.keys(choiceSlot.values), 2) : [];
    const drawn = this.#drawEntities();
    const filled: Filled = { text: "", spans: [] };
    let failed = false;
    const fail = (): void => {
      failed = true;
    };
    const say = (text: string, spanOp?: string, spanSlot?: SlotDeclaration): void => {
      const start = filled.text.length;
      filled.text += text;
      if (spanOp)
        filled.spans.push({
          start,
          end: start + text.length,
          op: spanOp,
          ...(spanSlot ? { slot: spanSlot } : {}),
        });
    };
    const open: { start: number; op: string }[] = [];
    const word = (name: string, isUp: boolean): void => {
      const pair = this.#grammar.words[name];
      if (!pair) throw new Error(`The grammar has no {${name}}.`);
      emit(expand(pair[isUp ? 0 : 1], random));
    };
    const list = (spanOp: string, spanSlot: SlotDeclaration, names: readonly string[]): void => {
      for (const [i, name] of names.entries()) {
        if (i > 0) say(this.#joint(i === names.length - 1));
        say(name, spanOp, spanSlot);
      }
    };
    const marks: Readonly<Record<string, (spanOp: string | undefined) => void>> = {
      v: (spanOp) => {
        if (!slot) return fail();
        if (Object.keys(slot.phrases).length > 0 && template.startsWith("(") && this.#isPhrase(template)) {
          const phrases = Object.keys(slot.phrases).filter(
            (phrase) => /[가-힣]/.test(phrase) === this.#korean,
          );
          if (phrases.length === 0) return fail();
          return say(random.pick(phrases), "set", slot);
        }
        say(this.#valueOf(slot, role) ?? "", spanOp ?? (op || role), slot);
      },
      w: () => say(this.#percent(false), otherUp ? "up" : "down", other),
      lo: () => say(this.#money(1), "set", slot),
      hi: () => say(this.#money(2), "set", partner),
      signed: () => {
        const sign = up ? "+" : "-";
        say(`${sign}${random.chance(0.3) ? " " : ""}`);
        filled.text = filled.text.trimEnd();
        const amount = this.#percent(false, true);
        const start = filled.text.length - 1;
        filled.text += amount;
        filled.spans.push({ start, end: filled.text.length, op: role, ...(slot ? { slot } : {}) });
      },
      double: () => say(random.pick(up ? ["double", "triple"] : ["halve"]), role, slot),
      doubles: () =>
        say(random.pick(up ? ["double", "triple", "doubles"] : ["halve", "are halved"]), role, slot),
      doubled: () => say(random.pick(up ? ["doubled", "tripled"] : ["halved"]), role, slot),
      updown: () => say(up ? "up" : "down"),
      n: () => say(slot ? this.#noun(slot) : this.#noun(random.pick(slots.filter(({ reads }) => reads)))),
      n2: () => say(this.#noun(other ?? random.pick(slots))),
      least: () => say(this.#noun(least ?? random.pick(slots))),
      s: () => say(this.#korean ? this.#world.domain.subjectKo : this.#world.domain.subject[1]),
      s1: () => say(this.#korean ? this.#world.domain.subjectKo : this.#world.domain.subject[0]),
      en: () => say(this.#entityNoun(true)),
      en1: () => say(this.#entityNoun(false)),
      xn: () => say(this.#noun(enumSlot)),
      cue: () =>
        say(
          random.pick(
            (choiceSlot?.cues ?? ["maximise"]).filter((cue) => /[가-힣]/.test(cue) === this.#korean),
          ),
        ),
      c: (spanOp) => {
        const value = chosen[spanOp === "none" ? 1 : 0];
        if (!choiceSlot || value === undefined) return fail();
        say(this.#said(choiceSlot, value), spanOp ?? "set", choiceSlot);
      },
      f: (spanOp) => {
        const owner = slots.find(({ kind }) => kind === "flag");
        const cues = owner?.cues.filter((cue) => /[가-힣]/.test(cue) === this.#korean) ?? [];
        if (!owner || cues.length === 0) return fail();
        say(random.pick(cues), spanOp ?? "set", owner);
      },
      off: () => {
        const owner = slots.find(({ kind }) => kind === "flag");
        const cues = (owner?.values.false ?? []).filter((cue) => /[가-힣]/.test(cue) === this.#korean);
        if (!owner || cues.length === 0) return fail();
        say(random.pick(cues), "set", owner);
      },
      E: (spanOp) => {
        const owner = slots.find(({ kind }) => kind === "entity");
        if (owner)
          list(
            spanOp ?? "in",
            owner,
            drawn.splice(
              0,
              random.weighted([
                [1, 6],
                [2, 3],
                [3, 1],
              ]),
            ),
          );
      },
      e: (spanOp) => {
        const owner = slots.find(({ kind }) => kind === "entity");
        if (owner) list(spanOp ?? "in", owner, drawn.splice(0, 1));
      },
      X: (spanOp) => {
        if (enumSlot.kind !== "enum") return fail();
        const values = this.#values(enumSlot);
        const first = random.weighted([
          [1, 7],
          [2, 3],
        ]);
        list(spanOp ?? "in", enumSlot, values.slice(0, spanOp === "none" || spanOp === "out" ? 1 : first));
        if (spanOp === "none") this.#avoid = values[0];
      },
      np: () => this.#subject(list, say, drawn, random.chance(0.5), taken),
      p: () => say(this.#percent(random.chance(0.4)), "none"),
      m: () => say(this.#money(), "none"),
      q: () => say(random.chance(0.5) ? String(1 + random.below(30)) : this.#number(), "none"),
      someone: () => say(random.pick(PEOPLE)),
      k: (spanOp) => say(this.#count(), spanOp ?? "none"),
      ord: () => say(random.pick(["first", "second", "third", "2nd"])),
      u: () => say(this.#unsupported()),
    };
    const emit = (part: string): void => {
      let at = 0;
      for (const match of part.matchAll(/\{(\w+)(?::(\w+))?\}|[⟨⟩«»‹›]/g)) {
        say(part.slice(at, match.index));
        at = match.index + match[0].length;
        const [mark, name, spanOp] = match;
        if (name === undefined) {
          const opens = { "⟨": "unsupported", "«": "ask", "‹": "clear" }[mark];
          if (opens) open.push({ start: filled.text.length, op: opens });
          else {
            const begun = open.pop();
            if (begun) filled.spans.push({ ...begun, end: filled.text.length });
          }
        } else if (marks[name]) marks[name](spanOp);
        else word(name.replace(/2$/, ""), name.endsWith("2") ? otherUp : up);
      }
      say(part.slice(at));
    };
    this.#avoid = undefined;
    emit(expand(template, random));
    filled.text = filled.text.replace(/\s+$/, "");
    return failed || filled.text.trim() === "" ? undefined : filled;
  }

  #avoid: string | undefined;

  #isPhrase(template: string): boolean {
    return (this.#grammar.phrase as readonly string[]).includes(template);
  }

  /** What a change is made to: all, or a part. */
  #subject(
    list: (op: string, slot: SlotDeclaration, names: readonly string[]) => void,
    say: (text: string, op?: string, slot?: SlotDeclaration) => void,
    drawn: string[],
    isPart: boolean,
    taken: Set<string> | undefined,
  ): void {
    const random = this.#random;
    const { slots } = this.#world.reader;
    const plural = this.#korean ? this.#world.domain.subjectKo : this.#world.domain.subject[1];
    const singular = this.#korean ? this.#world.domain.subjectKo : this.#world.domain.subject[0];
    const entitySlot = slots.find(({ kind }) => kind === "entity");
    const enums = slots.filter(({ kind, name }) => kind === "enum" && !taken?.has(`value${name}`));
    if (isPart && random.chance(0.5) && entitySlot && taken && !taken.has(`select${entitySlot.name}`)) {
      taken.add(`select${entitySlot.name}`);
      if (this.#korean) {
        list("in", entitySlot, drawn.splice(0, 1));
        say(random.pick([` ${plural}`, ""]));
        return;
      }
      if (random.chance(0.4))
        say(
          random.pick([
            `the ${singular} of `,
            `${plural} of `,
            `the ${plural} of `,
            `${plural} for `,
            `${singular} of `,
          ]),
        );
      list("in", entitySlot, drawn.splice(0, random.chance(0.75) ? 1 : 2));
      return;
    }
    const enumSlot = enums.length > 0 ? random.pick(enums) : undefined;
    if (isPart && enumSlot && taken) {
      taken.add(`value${enumSlot.name}`);
      if (!this.#korean && random.chance(0.4)) say(random.pick(["the ", "our ", "all "]));
      list("in", enumSlot, this.#values(enumSlot).slice(0, 1));
      const noun = this.#noun(enumSlot);
      say(
        random.pick([
          ` ${plural}`,
          ` ${plural}`,
          this.#korean ? ` ${plural}` : ` ${this.#entityNoun(true)}`,
          ` ${noun} ${plural}`,
        ]),
      );
      return;
    }
    say(
      this.#korean
        ? random.pick([plural, `모든 ${plural}`, `전체 ${plural}`, "전부"])
        : random.pick([
            plural,
            `the ${plural}`,
            `all ${plural}`,
            "everything",
            `our ${plural}`,
            "it",
            "them",
            `every ${singular}`,
            "the lot",
            "all of them",
          ]),
    );
  }

  #joint(isLast: boolean): string {
    const random = this.#random;
    if (this.#korean) return random.pick([", ", "와 ", "과 ", " 및 ", "하고 ", "랑 ", " "]);
    return isLast
      ? random.pick([" and ", " and ", " and ", " & ", ", ", " + ", " and the ", " as well as ", " or ", "/"])
      : ", ";
  }

  #unsupported(): string {
    const { domain } = this.#world;
    const random = this.#random;
    if (this.#korean) return random.pick(domain.unsupportedKo);
    return random.pick(random.chance(0.6) ? domain.unsupported : ANY_TOPIC);
  }

  #noun(slot: SlotDeclaration): string {
    const random = this.#random;
    const nouns = slot.nouns.filter((noun) => /[가-힣]/.test(noun) === this.#korean);
    if (nouns.length === 0) return this.#korean ? "값" : "value";
    const noun = random.chance(0.5) ? (nouns[0] ?? "") : random.pick(nouns);
    const mayBePlural = slot.reads === "change" || slot.kind === "enum";
    return !this.#korean && mayBePlural && random.chance(0.25) ? pluralOf(noun) : noun;
  }

  #entityNoun(isPlural: boolean): string {
    const slot = this.#world.reader.slots.find(({ kind }) => kind === "entity");
    const nouns = slot?.nouns.filter((noun) => /[가-힣]/.test(noun) === this.#korean) ?? [];
    const noun = nouns.length > 0 ? this.#random.pick(nouns) : this.#korean ? "것" : "item";
    return isPlural && !this.#korean ? pluralOf(noun) : noun;
  }

  /** A value as it is said: as it is, or by a synonym. */
  #said(slot: SlotDeclaration, value: string): string {
    const random = this.#random;
    const synonyms = (slot.values[value] ?? []).filter((word) => /[가-힣]/.test(word) === this.#korean);
    const isOwn = synonyms.length === 0 || random.chance(this.#korean ? 0.35 : 0.6);
    const said = isOwn ? value : random.pick(synonyms);
    if (random.chance(0.12)) return said.toLowerCase();
    return random.chance(0.03) && said.length > 5 ? this.#slip(said) : said;
  }

  #value(slot: SlotDeclaration): string {
    return this.#said(slot, this.#random.pick(this.#world.values.get(slot) ?? [""]));
  }

  #values(slot: SlotDeclaration): string[] {
    const all = this.#world.values.get(slot) ?? [];
    return this.#random
      .sample(all, all.length)
      .map((value) => this.#said(slot, value))
      .filter((value) => value !== this.#avoid);
  }

  /** Different things, as they may be called. */
  #drawEntities(): string[] {
    const random = this.#random;
    const drawn = random
      .sample(this.#world.things, this.#world.things.length)
      .map((thing) => this.#called(thing));
    if (random.chance(0.15)) drawn.unshift(this.#group());
    return drawn;
  }

  #entity(): string {
    return this.#called(this.#random.pick(this.#world.things));
  }

  #called({ id, name }: Thing): string {
    const random = this.#random;
    const way = random.next();
    if (way < (this.#korean ? 0.55 : 0.32)) {
      const form = random.next();
      return form < 0.2
        ? id.toLowerCase()
        : form < 0.28
          ? id.replace(/[-_]/, " ")
          : form < 0.33
            ? id.replace(/[-_]/, "")
            : id;
    }
    const article = this.#korean ? "" : random.pick(["the ", "the ", "the ", "our ", "", ""]);
    const words = name.toLowerCase().split(" ");
    const alone = words.filter(
      (word) =>
        word.length > 3 &&
        this.#world.things.filter((thing) => thing.name.toLowerCase().split(" ").includes(word)).length === 1,
    );
    const said = way < 0.65 && alone.length > 0 ? random.pick(alone) : name.toLowerCase();
    const spelt = random.chance(0.06) ? this.#slip(said) : random.chance(0.08) ? capitalised(said) : said;
    return article + (random.chance(0.08) && !this.#korean && way > 0.65 ? pluralOf(spelt) : spelt);
  }

  /** Several things with a word in common, or one of them where it is not clear which. */
  #group(): string {
    const random = this.#random;
    const counts = new Map<string, number>();
    for (const { name } of this.#world.things)
      for (const word of new Set(name.toLowerCase().split(" ")))
        counts.set(word, (counts.get(word) ?? 0) + 1);
    const shared = [...counts].flatMap(([word, count]) => (count > 1 ? [word] : []));
    if (shared.length === 0 || this.#korean) return this.#entity();
    const word = random.pick(shared);
    if (random.chance(0.25)) return `the ${word}`;
    return random.pick(["the ", "both ", "all ", "", "our ", "all our ", "the two "]) + pluralOf(word);
  }

  #percent(isLarge: boolean, isPlain = false): string {
    const random = this.#random;
    let value = isLarge
      ? random.pick([5, 8, 10, 12, 15, 18, 20, 25, 28, 30, 33, 35, 40, 45, 60, 75, 80, 90])
      : random.pick([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 20]);
    if (random.chance(0.15)) value += random.pick([0.5, 0.5, 0.25, 0.2]);
    const digits = random.chance(0.15) ? String(value).replace(".", ",") : String(value);
    if (this.#korean) {
      if (!isPlain && Number.isInteger(value) && value <= 10 && random.chance(0.1))
        return `${"일이삼사오육칠팔구십"[value - 1]} 퍼센트`;
      return digits + random.pick(["%", "%", "%", " %", "퍼센트", " 퍼센트", "프로"]);
    }
    if (!isPlain) {
      if (Number.isInteger(value) && value <= 12 && random.chance(0.12))
        return `${NUMBERS[value]} ${random.pick(["percent", "per cent", "%", "pct"])}`;
      if (random.chance(0.05))
        return random.pick(
          isLarge
            ? ["a quarter", "a third", "twenty percent", "thirty-five percent", "a fifth", "half"]
            : [
                "half a percent",
                "a tenth",
                "one and a half percent",
                "a couple of percent",
                "50 basis points",
                "150 bps",
                "two and a half percent",
                "a percent",
              ],
        );
      if (random.chance(0.06)) return digits;
      if (random.chance(0.02)) return String(value / 100);
    }
    return (
      digits +
      random.pick(["%", "%", "%", " %", " %", " percent", " per cent", " pct", "pct", " percentage points"])
    );
  }

  /** @param part 1 for a lower end of a range, 2 for an upper one */
  #money(part = 0): string {
    const random = this.#random;
    const value =
      part === 1
        ? random.pick([10, 20, 50, 80, 100, 150])
        : part === 2
          ? random.pick([200, 250, 400, 500, 900, 1500])
          : random.pick([
              5, 15, 20, 30, 45, 50, 70, 85, 100, 110, 130, 180, 200, 240, 260, 350, 380, 420, 600, 700, 750,
              950, 1100, 1400, 1600, 2200, 3500, 5000, 9000, 15000,
            ]);
    const digits = value >= 1000 && random.chance(0.5) ? value.toLocaleString("en-US") : String(value);
    if (this.#korean) return digits + random.pick(["원", "유로", "달러", " 유로", "만원"]);
    const way = random.next();
    if (way < 0.3) return random.pick(["€", "$", "£"]) + digits;
    if (way < 0.85)
      return (
        digits +
        random.pick([" euros", " euro", " eur", " EUR", " €", "€", " dollars", " usd", " USD", " bucks"])
      );
    return value >= 1000 && way < 0.9 ? `${value / 1000}k` : digits;
  }

  #number(): string {
    const random = this.#random;
    const value = random.pick([
      2, 3, 4, 6, 8, 10, 12, 15, 20, 24, 30, 40, 60, 100, 120, 150, 200, 300, 500, 800, 1200, 2000,
    ]);
    return value > 999 && random.chance(0.5) ? value.toLocaleString("en-US") : String(value);
  }

  #count(): string {
    const value = 2 + this.#random.below(9);
    return !this.#korean && this.#random.chance(0.45) ? (NUMBERS[value] ?? String(value)) : String(value);
  }

  /** A word with one slip of the finger. */
  #slip(word: string): string {
    const random = this.#random;
    if (word.length < 6) return word;
    const at = 1 + random.below(word.length - 2);
    if (!/[a-z]/i.test(word[at] ?? "") || !/[a-z]/i.test(word[at + 1] ?? "")) return word;
    const way = random.next();
    if (way < 0.35) return word.slice(0, at) + word.slice(at + 1);
    if (way < 0.75) return word.slice(0, at) + (word[at + 1] ?? "") + (word[at] ?? "") + word.slice(at + 2);
    return word.slice(0, at) + (word[at] ?? "") + word.slice(at);
  }

  /** A slip in a word that names nothing. */
  #misspelt(text: string, spans: Span[]): Filled {
    const words = [...text.matchAll(/\b[a-z]{5,}\b/g)].filter(
      ({ index, 0: word }) =>
        !spans.some(
          ({ start, end, op }) =>
            !/unsupported|ask|clear/.test(op) && index < end && start < index + word.length,
        ),
    );
    if (words.length === 0) return { text, spans };
    const { index, 0: word } = this.#random.pick(words);
    const slip = this.#slip(word);
    const shift = slip.length - word.length;
    const move = (place: number): number => (place >= index + word.length ? place + shift : place);
    return {
      text: text.slice(0, index) + slip + text.slice(index + word.length),
      spans: spans.map((span) => ({ ...span, start: move(span.start), end: move(span.end) })),
    };
  }
}

/** Whether it bounds what is decided itself, so that its noun need not be said. */
const isBound = ({ kind, name }: SlotDeclaration): boolean =>
  kind === "money" && /^(?:floor|ceiling|lowest|highest|surcharge|spend|cap)$/.test(name);

/** Whom a message may speak of. */
const PEOPLE =
  "my boss|the dealers|our customers|Hotel Adler|Anneke|the bank|Paolo|the board|the sales team|Mrs Lindqvist|the hospital group|our partner|finance|a client|Kowalski & Sons|head office|the auditor|my mother|Jin|the workshop".split(
    "|",
  );

const NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

/** What people constrain in any domain, declared or not. */
const ANY_TOPIC =
  "volume|units sold|demand|market share|competitor|customer|client|stock|headcount|lead time|delivery time|quality|satisfaction|overtime|energy use|emissions|risk score|waste|complaint|return rate|churn|supplier|shelf space|basket size|order size|traffic|staff|visitors|brand image|workload|waiting time|tax|discount|partner|loyalty points|rebate|credit limit|payment terms".split(
    "|",
  );

const FOLLOW_EN = {
  add: [
    "(and |)(also|add|include|plus) {%:add}( too| as well| please|)",
    "(and|also|plus) {%:add}( too| as well|)",
    "{%:add} (too|as well|also)( please|)",
    "(put|take|bring) {%:add} (in|back in|in too|in as well)",
    "(what about|how about) {%:add} (too|as well)",
    "(don't forget|together with|along with) {%:add}",
  ],
  drop: [
    "(drop|remove|leave out|skip|take out|without|minus|not) {%:out}( please| this time| again|)",
    "(and |but |same |)(without|not|except) {%:out}",
    "{%:out} (can go|is out|out please|not any more)",
    "(do the same|again|once more|everything),? (but |)(without|except|excluding) {%:out}",
  ],
  value: [
    "(and|ok and|what about|how about|now|now for|same for|then|try) {%}( instead|?|)",
    "{%} (instead|rather|this time|now|please)",
    "(make|do|take) it {%}",
    "(switch|change|go) to {%}",
    "(no|sorry|wait|hm), {%}",
    "{%}?",
    "(i meant|only|just) {%}",
    "(swap|replace|exchange) {%:out} (for|with|by) {%}",
  ],
};

const FOLLOW_KO = {
  add: [
    "{%:add}도( 추가해 줘| 넣어 줘| 포함해 줘| 같이|)",
    "{%:add} (추가|추가해 줘|포함해 줘)",
    "그리고 {%:add}도",
  ],
  drop: ["{%:out}(은|는|을|를|) (빼 줘|빼고|제외해 줘|빼고 다시)", "{%:out} 없이"],
  value: ["{%}(은|는|)( 어때|?|요)", "{%}(로|으로) (바꿔 줘|해 줘)", "(그럼|이번에는|아니) {%}(만|)"],
};

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Chooses one of each `(a|b)`, from the inside out. */
export function expand(template: string, random: Random): string {
  let text = template;
  for (;;) {
    const match = /\(([^()]*)\)/.exec(text);
    if (!match) return text;
    text =
      text.slice(0, match.index) +
      random.pick((match[1] ?? "").split("|")) +
      text.slice(match.index + match[0].length);
  }
}

function append(to: Filled, { text, spans }: Filled): void {
  const shift = to.text.length;
  to.text += text;
  to.spans.push(...spans.map((span) => ({ ...span, start: span.start + shift, end: span.end + shift })));
}
