import { type Domain, valuesIn } from "./domain.ts";
import { Meaning, textsOf } from "./meaning.ts";
import { names } from "./named.ts";
import { namedIn, type Reply } from "./reply.ts";
import type { Constraint, Conversation, Wants } from "./set.ts";
import { goalsOf } from "./verdict.ts";

type Asked = {
  readonly domain: Domain;
  readonly language: Conversation["language"];
  readonly catalogue: Readonly<Record<string, unknown>>;
};

/** The reading that a reply asks about: what is to be done, and under which constraints. */
const READ = /(?:I read it so|이렇게 이해했습니다): “(?<label>[^”]*)”\. (?<said>.*)/;
/** What holds whatever the answer is. */
const EITHER_WAY = /(?:In either case|어느 쪽이든): (?<rest>.*)\.\s*$/;
export const READ_WRONG = new Set(["No, something is different", "아니요, 다른 부분이 있어요"]);

/** Behind the constraints: what they are about. */
const ABOUT = / \([^()]*\)\.(?: |$)/;

/** How many ways to say what is wanted are tried. */
const MOST_WAYS = 64;

/**
 * The button that somebody presses who wants this and is asked whether a message was read right: yes where what is shown is all of it and
 * nothing else, and what nothing applies is named. Undefined where the reply asks something else.
 */
export function confirmation(reply: Reply, wants: Wants, asked: Asked): string | undefined {
  const { label, said } = READ.exec(reply.message)?.groups ?? {};
  const [yes] = reply.buttons;
  const different = reply.buttons.find((button) => READ_WRONG.has(button));
  if (label === undefined || said === undefined || yes === undefined) return chosen(reply, wants, asked);
  const { domain, language } = asked;
  const goals = goalsOf(wants, domain).map((goal) => domain.labels.get(goal)?.[language] ?? goal);
  const isGoal = (some: string): boolean => sorted(some.split(", ")) === sorted(goals);
  const shown = ABOUT.test(said) ? (said.split(ABOUT)[0] ?? "") : "";
  const ways = waysOf(wants, asked);
  const isNamed = (wants.named ?? []).every((phrase) => names(namedIn(reply), phrase));
  if (!isNamed) return different;
  if (isGoal(label) && ways.includes(shown)) return yes;
  // A button is what else may be meant: other constraints for what is to be done, or something else to be done with these.
  const others = reply.buttons.filter((button) => button !== yes && button !== different);
  const fitting = others.find((button) =>
    isGoal(label) ? ways.includes(button) : isGoal(button) && ways.includes(shown),
  );
  return fitting ?? different;
}

/**
 * The button that leaves all that is wanted and nothing else, beside what is said to hold in either case; where that is not wanted, or no
 * reading is, the button that says so. Undefined where the question leaves more open than its buttons.
 */
function chosen({ message, buttons }: Reply, wants: Wants, asked: Asked): string | undefined {
  const different = buttons.find((button) => READ_WRONG.has(button));
  if (different === undefined) return undefined;
  const rest = EITHER_WAY.exec(message)?.groups?.rest ?? "";
  const all = wants.constraints ?? [];
  const slots = [...new Set(all.map(({ slot }) => slot))];
  const parts = Array.from({ length: Math.min(2 ** slots.length, MOST_WAYS) }, (_, at) =>
    slots.filter((_, slot) => at & (1 << slot)),
  );
  const waysFor = (open: readonly string[], isOpen: boolean): string[] =>
    waysOf({ ...wants, constraints: all.filter(({ slot }) => open.includes(slot) === isOpen) }, asked);
  const fitting = parts.filter((open) => waysFor(open, false).includes(rest));
  if (fitting.length === 0) return different;
  const whole = fitting.flatMap((open) => buttons.filter((button) => waysFor(open, true).includes(button)));
  if (whole.length > 0) return whole[0];
  // Readings of which none is wanted; goals and amounts are answered in other ways.
  return /How is that meant|어느 쪽인가요/.test(message) && !fitting.some((open) => open.length === 0)
    ? different
    : undefined;
}

const sorted = (texts: readonly string[]): string => [...texts].sort().join();

/** What is wanted as the gateway would show it: with and without what is optional, limits in each order. */
function waysOf(wants: Wants, { domain, language, catalogue }: Asked): string[] {
  const all = wants.constraints ?? [];
  const optional = all.filter((one) => one.optional);
  const chosen = Array.from({ length: Math.min(2 ** optional.length, MOST_WAYS) }, (_, at) =>
    all.filter((one) => !one.optional || at & (1 << optional.indexOf(one))),
  );
  const said = chosen.map((some) => some.map(({ optional: _, ...one }): Constraint => one));
  return [
    ...said,
    ...said.flatMap(withOtherWay),
    ...said.flatMap((some) => withRests(some, domain, catalogue)),
  ].flatMap((plain) => {
    const selections = selectionsOf(plain, { domain, language, catalogue });
    const limits = plain.filter((one) => !domain.selects(one.slot));
    return orders(limits).map((limited) =>
      domain.say([...selections, ...limited].flatMap(sayable), language),
    );
  });
}

/** "Increases only, 5 % at most" may be shown with what it denies. */
function withOtherWay(said: readonly Constraint[]): Constraint[][] {
  const limits = said.filter(({ op, value, direction }) => op === "set" && value !== 0 && isWay(direction));
  const denied = limits.map(
    (limit): Constraint => ({ ...limit, value: 0, direction: limit.direction === "up" ? "down" : "up" }),
  );
  return limits.length > 0 ? [[...said, ...denied]] : [];
}
const isWay = (direction: string | undefined): boolean => direction === "up" || direction === "down";

/** What a part may go beyond is about the rest, and may be shown so. */
function withRests(
  said: readonly Constraint[],
  domain: Domain,
  catalogue: Asked["catalogue"],
): Constraint[][] {
  const meaning = new Meaning(domain, catalogue);
  const rests = said.map((one) => {
    const scope = domain.selects(one.slot) ? {} : meaning.scopeOf(one, said);
    const named = Object.entries(scope).map(([name, all]) => {
      const slot = domain.slots.get(name);
      const ids = slot ? [...valuesIn(catalogue, slot).keys()] : [];
      return [name, ids.filter((id) => textsOf(all).includes(id.toLowerCase()))] as const;
    });
    return named.length > 0 ? { ...one, scope: Object.fromEntries(named) } : one;
  });
  return rests.some((one, at) => one !== said[at]) ? [rests] : [];
}

type Said = Parameters<Domain["say"]>[0][number];

/** A constraint of a set, as the gateway has them. */
function sayable({ slot, op, value, direction, scope }: Constraint): Said[] {
  const names = (all: unknown): string[] => [all ?? []].flat().map(String);
  const parts = Object.entries(scope ?? {}).map(([name, all]) => [name, names(all)] as const);
  const way = (["most", "least", "up", "down"] as const).find((one) => one === direction);
  const isPlain = typeof value === "number" || typeof value === "boolean" || typeof value === "string";
  return [
    {
      slot,
      op: op === "only" ? "only" : "set",
      value: isPlain ? value : names(value),
      ...(way ? { direction: way } : {}),
      ...(parts.length > 0 ? { scope: Object.fromEntries(parts) } : {}),
    },
  ];
}

const ALL_BUT = { en: "all but ", ko: " 외 전부" };
const MOST_NAMES = 5;

/** One selection a slot, in the order of the catalogue, by what it leaves out where that is shorter. */
function selectionsOf(said: readonly Constraint[], { domain, language, catalogue }: Asked): Constraint[] {
  return [...domain.slots].flatMap(([name, slot]): Constraint[] => {
    const own = said.filter((one) => one.slot === name && !one.scope);
    if (!domain.selects(name) || own.length === 0) return [];
    const found = [...valuesIn(catalogue, slot).keys()];
    const known = found.length > 0 ? found : Object.keys(slot.values ?? {});
    const isIn = (id: string): boolean =>
      own.every(
        ({ op, value }) => textsOf(value).includes(id.toLowerCase()) === (op !== "except" && op !== "freeze"),
      );
    const [named, others] = [known.filter(isIn), known.filter((id) => !isIn(id))];
    if (others.length === 0) return [];
    const isLong = named.length > MOST_NAMES && others.length <= MOST_NAMES;
    const value = named.length > 0 ? named : own.flatMap((one) => [one.value].flat());
    const left = language === "ko" ? others.join("·") + ALL_BUT.ko : ALL_BUT.en + listed(others);
    return [{ slot: name, op: "only", value: isLong ? [left] : value }];
  });
}

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

/** All orders of a few. */
function orders<T>(all: readonly T[]): T[][] {
  if (all.length < 2 || all.length > 4) return [[...all]];
  return all.flatMap((one, at) =>
    orders(all.filter((_, other) => other !== at)).map((rest) => [one, ...rest]),
  );
}
