import { createHash } from "node:crypto";
import { saying } from "../model-server/behaviour.ts";
import type { Script } from "../model-server/script.ts";
import { type Domain, valuesIn } from "./domain.ts";
import { textsOf } from "./meaning.ts";
import { type Conversation, tasksOf, type Wanted } from "./set.ts";
import { goalsOf } from "./verdict.ts";

/** What the gateway tells a model that a message mentions. */
type Mention = {
  readonly quote: string;
  readonly names: Readonly<Record<string, readonly string[]>>;
  readonly amounts: Readonly<Record<string, readonly number[]>>;
};
type Scope = { quote: string; slot: string; names: string[] };
type Claim = {
  quote: string;
  slot: string;
  op: string;
  names: string[];
  number: number | null;
  direction: string;
  scope: Scope[];
  status: "applies" | "told";
};
type Said = { message: string; mentions: readonly Mention[]; domain: Domain };

/**
 * A model that reads what the set wants, from the message and what the gateway says that it mentions: a claim for each constraint that the message
 * changes, one with `told` for each other mention. What the set does not have, and what it wants to be asked, gets no answer.
 * @param rate the part of the claims that are wrong: dropped, invented, with another scope, value, slot or direction
 */
export function scriptedReader(set: readonly Conversation[], domain: Domain, rate: number): Script {
  const turns = set.flatMap((conversation) =>
    conversation.turns.map((turn, at) => ({ conversation, at, turn, before: conversation.turns[at - 1] })),
  );
  return ({ lastMessage }) => {
    const message = partOf(lastMessage, "message");
    const { mentions = [], in_force = [] } = JSON.parse(partOf(lastMessage, "context") ?? "{}");
    if (message === undefined) return undefined;
    const alike = turns.filter(({ turn }) => turn.says === message && turn.wants);
    // The same message of another conversation goes on from something else.
    const inForce = new Set((in_force as { slot: string }[]).map(({ slot }) => slot));
    const slotsOf = (wants: { constraints?: readonly Wanted[] } | undefined): Set<string> =>
      new Set(wants?.constraints?.map(({ slot }) => slot));
    const [one] = alike.sort(
      (some, other) =>
        distance(slotsOf(some.before?.wants), inForce) - distance(slotsOf(other.before?.wants), inForce),
    );
    const { wants } = one?.turn ?? {};
    if (!one || !wants || tasksOf(wants)[0] === "ask") return undefined;
    const [word] = tasksOf(wants);
    const isWord = word === "none" || word === "talk";
    const said: Said = { message, mentions, domain };
    const before = one.before?.wants?.constraints ?? [];
    const wanted = wants.constraints ?? [];
    const named = wants.named ?? [];
    const right = isWord ? [] : claimsOf(wanted, before, said);
    const chance = chanceOf(`${one.conversation.id} ${one.at}`);
    const claims = isWord ? [] : [...spoiled(right, rate, said, chance), ...asides(right, named, said)];
    const ended = before.filter(
      ({ slot }) => isPassing(slot, domain) && !wanted.some((one) => one.slot === slot),
    );
    const answer = {
      route: isWord ? [word] : goalsOf(wants, domain),
      command: commandOf(wanted, before, one.conversation.turns[one.at - 2]?.wants?.constraints, domain),
      goes_on: one.at > 0 && ended.length === 0,
      claims,
      named,
    };
    return saying(JSON.stringify(answer));
  };
}

const without = (some: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...some].filter((one) => !others.has(one)));
const distance = (one: ReadonlySet<string>, other: ReadonlySet<string>): number =>
  without(one, other).size + without(other, one).size;

function partOf(text: string, name: string): string | undefined {
  return new RegExp(`<data from="${name}">\\n([\\s\\S]*?)\\n</data>`).exec(text)?.[1];
}

const isPassing = (slot: string, { slots }: Domain): boolean => {
  const { reads, from_results } = slots.get(slot) ?? {};
  return reads === "change" || from_results === true;
};

function claimsOf(wanted: readonly Wanted[], before: readonly Wanted[], said: Said): Claim[] {
  const claims = wanted.flatMap((one) => {
    const found = said.domain.selects(one.slot) ? selection(one, wanted, before, said) : amount(one, said);
    if (found) return [found];
    const key = keyOf(one);
    const isKnown = one.optional || before.some((other) => keyOf(other) === key);
    return isKnown ? [] : [claim(one, said.message, said)];
  });
  const gone = new Set(before.filter(({ slot }) => !isPassing(slot, said.domain)).map(({ slot }) => slot));
  for (const { slot } of wanted) gone.delete(slot);
  const clears = [...gone].map((slot) => ({ ...EMPTY, slot, op: "clear", quote: said.message }));
  return [...claims, ...clears];
}

/** What is in force after the message is what was before the last change, or nothing of before. */
function commandOf(
  wanted: readonly Wanted[],
  before: readonly Wanted[],
  earlier: readonly Wanted[] | undefined,
  domain: Domain,
): string {
  const lasting = before.filter(({ slot }) => !isPassing(slot, domain)).map(keyOf);
  const keys = new Set(wanted.map(keyOf));
  if (lasting.length > 0 && !lasting.some((key) => keys.has(key))) return "start_over";
  const isBack = earlier?.every((one) => keys.has(keyOf(one))) && !lasting.every((key) => keys.has(key));
  return isBack ? "undo" : "none";
}

const EMPTY: Claim = {
  ...{ quote: "", slot: "", op: "set", names: [], number: null, direction: "none", scope: [] },
  status: "applies",
};

const keyOf = ({ slot, op, value, direction, scope }: Wanted): string =>
  JSON.stringify([slot, op, textsOf(value).sort(), direction, scope ?? {}]);

function claim(one: Wanted, quote: string, said: Said): Claim {
  const { slot, value, direction = "none" } = one;
  const isNumber = typeof value === "number";
  return {
    ...EMPTY,
    ...{ quote, slot, op: one.op, direction, scope: scopeOf(one, said) },
    names: isNumber || value === true ? [] : ([value ?? []].flat() as string[]),
    number: isNumber ? value : null,
  };
}

function scopeOf({ scope = {} }: Wanted, said: Said): Scope[] {
  return Object.entries(scope).map(([slot, given]) => {
    const names = [given ?? []].flat().map(String);
    const own = said.mentions.filter((one) => one.names[slot]?.some((name) => names.includes(name)));
    return { slot, names, quote: spanning(own, said) ?? said.message };
  });
}

/** Names are claimed as the message says them: these, these as well, or all but these. */
function selection(
  one: Wanted,
  wanted: readonly Wanted[],
  before: readonly Wanted[],
  said: Said,
): Claim | undefined {
  const { slot, op, value } = one;
  const own = said.mentions.filter((mention) => mention.names[slot] !== undefined);
  const mentioned = new Set(own.flatMap(({ names }) => names[slot] ?? []).map((name) => name.toLowerCase()));
  const has = (names: ReadonlySet<string>): boolean =>
    names.size > 0 && [...names].every((name) => mentioned.has(name));
  const values = new Set(textsOf(value));
  const known = before.find((other) => other.slot === slot && other.op === op);
  const inForce = new Set(textsOf(known?.value));
  const all = new Set(
    [...valuesIn(said.domain.catalogue, said.domain.slots.get(slot) ?? NOTHING).keys()].map((name) =>
      name.toLowerCase(),
    ),
  );
  const isSelecting = op === "only" || op === "set";
  const ways: [string, ReadonlySet<string>, boolean][] = [
    [op === "set" ? "only" : op, values, true],
    [
      "add",
      without(values, inForce),
      isSelecting && known !== undefined && without(inForce, values).size === 0,
    ],
    [
      "except",
      without(inForce, values),
      isSelecting && known !== undefined && without(values, inForce).size === 0,
    ],
    [
      "except",
      without(all, values),
      isSelecting && wanted.filter((other) => other.slot === slot).length === 1,
    ],
  ];
  const [way] = ways.filter(([, names, fits]) => fits && has(names));
  if (!way) return undefined;
  const [as, names] = way;
  const meant = own.filter((mention) => mention.names[slot]?.some((name) => names.has(name.toLowerCase())));
  const spelt = meant
    .flatMap((mention) => mention.names[slot] ?? [])
    .filter((name) => names.has(name.toLowerCase()));
  return { ...claim(one, spanning(meant, said) ?? said.message, said), op: as, names: [...new Set(spelt)] };
}

const NOTHING = { kind: "", label: { en: "", ko: "" } };

function amount(one: Wanted, said: Said): Claim | undefined {
  const { slot, value } = one;
  const isSize = (size: number): boolean =>
    typeof value === "number" && Math.abs(Math.abs(size) - value) < 1e-9;
  const found = said.mentions.find((mention) =>
    typeof value === "number"
      ? mention.amounts[slot]?.some(isSize)
      : mention.names[slot]?.some((name) => name === String(value)),
  );
  return found && claim(one, spanning([found], said) ?? said.message, said);
}

/** The words from the first mention to the last, with so many before them that they stand once in the message. */
function spanning(mentions: readonly Mention[], { message, mentions: all }: Said): string | undefined {
  let at = 0;
  let [start, end] = [-1, -1];
  for (const mention of all) {
    const found = message.indexOf(mention.quote, at);
    if (found < 0) continue;
    at = found + mention.quote.length;
    if (!mentions.includes(mention)) continue;
    if (start < 0) start = found;
    end = at;
  }
  if (start < 0) return undefined;
  while (start > 0 && message.indexOf(message.slice(start, end)) !== start)
    start = Math.max(0, message.lastIndexOf(" ", start - 2) + 1);
  return message.slice(start, end);
}

/** Mentions that limit nothing. */
function asides(right: readonly Claim[], named: readonly string[], said: Said): Claim[] {
  const quotes = [
    ...right.flatMap(({ quote, scope }) => [quote, ...scope.map((one) => one.quote)]),
    ...named,
  ];
  return said.mentions.flatMap(({ quote, names, amounts }) => {
    const [slot] = [...Object.keys(names), ...Object.keys(amounts)];
    const isUsed = quotes.some((one) => one !== said.message && one.includes(quote));
    return slot === undefined || isUsed ? [] : [{ ...EMPTY, slot, quote, status: "told" as const }];
  });
}

type Chance = (below: number) => number;

/** The same for the same text. */
function chanceOf(text: string): Chance {
  let count = 0;
  return (below) => {
    count++;
    return createHash("sha256").update(`${text} ${count}`).digest().readUInt32BE(0) % below;
  };
}

const OPPOSITE: Readonly<Record<string, string>> = {
  ...{
    most: "least",
    least: "most",
    up: "down",
    down: "up",
    only: "except",
    except: "only",
    freeze: "only",
    add: "except",
  },
};

/** Makes a part of the claims wrong, each in one of six ways. */
function spoiled(claims: readonly Claim[], rate: number, said: Said, chance: Chance): Claim[] {
  const pick = <T>(list: readonly T[]): T | undefined => list[chance(Math.max(1, list.length))];
  const { domain, mentions, message } = said;
  const slots = [...domain.slots.keys()];
  const anyValue = (slot: string): Partial<Claim> => {
    const declared = domain.slots.get(slot);
    const name =
      declared &&
      pick([...valuesIn(domain.catalogue, declared).keys(), ...Object.keys(declared.values ?? {})]);
    return name === undefined
      ? { op: "set", number: 0.05 * (1 + chance(5)), names: [] }
      : { op: domain.selects(slot) ? "only" : "set", names: [name], number: null };
  };
  return claims.flatMap((one) => {
    if (chance(10_000) >= rate * 10_000) return [one];
    const slot = pick(slots) ?? one.slot;
    const quote =
      pick([...mentions.map((mention) => mention.quote), ...message.split(" "), message]) ?? message;
    switch (chance(6)) {
      case 0:
        return chance(2) === 0 ? [] : [{ ...one, status: "told" as const }];
      case 1:
        return [
          one,
          {
            ...EMPTY,
            slot,
            quote,
            ...anyValue(slot),
            direction: pick(["most", "least", "up", "down", "none"]) ?? "none",
          },
        ];
      case 2: {
        const other =
          claims.find((some) => some !== one && some.scope.length > 0) ??
          claims.find((some) => some !== one && some.names.length > 0);
        return [
          {
            ...one,
            scope: other?.scope.length
              ? other.scope
              : other
                ? [{ quote: other.quote, slot: other.slot, names: other.names }]
                : [],
          },
        ];
      }
      case 3:
        return [
          one.number === null
            ? { ...one, ...anyValue(one.slot), op: one.op }
            : { ...one, number: one.number * (2 + chance(9)) },
        ];
      case 4:
        return [{ ...one, slot: pick(slots.filter((name) => name !== one.slot)) ?? slot }];
      default:
        return [
          { ...one, direction: OPPOSITE[one.direction] ?? one.direction, op: OPPOSITE[one.op] ?? one.op },
        ];
    }
  });
}
