import {
  type Bound,
  type Difference,
  differencesOf,
  isLimits,
  type SlotQuestion,
  type SlotReading,
  type Slots,
  type TaggedReading,
} from "../language/index.ts";
import type { Talk } from "./talk.ts";
import { languageOf, wording } from "./wording.ts";

/** What two readers that err independently of each other make of one message. */
export type Settled = {
  /** What the first reads, with the selections that the second alone reads. */
  reading: SlotReading;
  /** Which of the readings is meant; absent: the readers agree. */
  ask?: SlotQuestion;
  /** The readings are slots that one limit may be of. */
  isOfOne?: true;
  /** Limits that either reader found and that cannot be applied, in the words of the message. */
  unsupported: readonly string[];
};

/** What of a conversation tells how readings are compared. */
type Parts =
  | "echo"
  | "comparable"
  | "narrowing"
  | "findings"
  | "moves"
  | "shown"
  | "isOrdinary"
  | "handsOver";

type Sides = { first: SlotReading; second: TaggedReading; before: Slots };

/** A reader that is less sure than this of what it reads of a slot adds nothing, and contradicts nothing that was read. */
const SURE_TO_ADD = 0.4;
const SURE_TO_CONTRADICT = 0.7;
const SURE_OF_SHOWN = 0.9;
/** One that is as sure as this is right five times as often as the rules where the two differ (measured on writers it had not learnt from). */
const SURE_ALONE = 0.97;

/**
 * @param first what the message was taken to say
 * @param second what the other reader makes of the same message
 * @param before the slots of the turn before
 */
export function settle(message: string, sides: Sides, talk: Pick<Talk, Parts>): Settled {
  const { first, second, before } = sides;
  const rules = yielding(withoutNameWords(first, second), second, talk);
  const settled = compared(message, { first: rules, second, before }, talk);
  const bounded = withBounds(message, settled, { ...sides, first: rules }, talk);
  return exceptNamed(ofOneSlotEach(message, bounded, second, talk), second);
}

/** One figure is of one slot: what is applied by a figure that is asked about is one of the answers. */
function ofOneSlotEach(
  message: string,
  settled: Settled,
  { spans }: TaggedReading,
  { echo }: Pick<Talk, "echo">,
): Settled {
  const { ask, reading } = settled;
  if (!ask) return settled;
  const asked = optionsIn(ask);
  const figures = spans.flatMap(({ figure }) => figure ?? []);
  const once = figures.filter((figure) => figures.indexOf(figure) === figures.lastIndexOf(figure));
  const amounts = Object.values(asked).filter((value) => typeof value === "number");
  const twice = Object.entries(reading.slots).filter(
    ([slot, value]) =>
      asked[slot] === undefined &&
      typeof value === "number" &&
      once.some((figure) => isOfSize(value, figure) && amounts.some((one) => isOfSize(one, figure))),
  );
  if (twice.length === 0) return settled;
  const language = languageOf(message);
  const applied = Object.fromEntries(twice);
  const options = [
    { label: echo(applied, language), sets: applied },
    ...ask.options.filter(({ sets }) => Object.keys(sets).length > 0),
  ];
  const slots = Object.fromEntries(
    Object.entries(reading.slots).filter(([slot]) => applied[slot] === undefined),
  );
  const question = wording(language).whichReading(options.map(({ label }) => label));
  return { ...settled, reading: { ...reading, slots }, ask: { ...ask, question, options } };
}

/** The rules' reading, with what the second reader is sure of in place of what they say differently. */
function yielding(
  first: SlotReading,
  { reading, spans, slotConfidence, confidence }: TaggedReading,
  { comparable }: Pick<Talk, "comparable">,
): SlotReading {
  const differing = differencesOf(first.slots, reading.slots, comparable).map(({ slot }) => slot);
  // "The controller as well": both read the same name, and one of the two that it joins what is selected.
  const joining = Object.keys(reading.edits ?? {}).filter(
    (slot) => first.edits?.[slot] === undefined && first.slots[slot] !== undefined,
  );
  const sure = [...new Set([...differing, ...joining])].filter(
    (slot) => (slotConfidence[slot] ?? confidence) >= SURE_ALONE,
  );
  if (sure.length === 0) return first;
  // What the rules could make nothing of is read: "at least 12 pieces of each".
  const read = spans.flatMap(({ slot, text, figure }) =>
    figure !== undefined && slot !== undefined && sure.includes(slot) ? [text] : [],
  );
  const replaced = <T>(own: Readonly<Record<string, T>>, others: Readonly<Record<string, T>>) => ({
    ...Object.fromEntries(Object.entries(own).filter(([slot]) => !sure.includes(slot))),
    ...Object.fromEntries(Object.entries(others).filter(([slot]) => sure.includes(slot))),
  });
  const slots = replaced(first.slots, reading.slots);
  // A reading that leaves over a figure of which the rules make something is no better: what differs is asked about.
  const used = (all: Slots): number => spans.filter(({ figure }) => isUsed(figure, all)).length;
  if (used(slots) < used(first.slots)) return first;
  return {
    ...first,
    slots,
    edits: replaced(first.edits ?? {}, reading.edits ?? {}),
    cleared: first.cleared.filter((slot) => !sure.includes(slot)),
    unsupported: first.unsupported.flatMap((phrase) => unreadOf(phrase, read)),
    asks: first.asks.filter(({ slot }) => !sure.includes(slot)),
  };
}

/** Whether a figure is the size of a slot, or of a limit of a part. */
const isUsed = (figure: number | undefined, slots: Slots): boolean =>
  Object.values(slots).some((value) =>
    isLimits(value)
      ? value.limits.some((limit) => isSameFigure(limit.value, figure))
      : typeof value === "number" && isSameFigure(value, figure),
  );

/** Where a phrase that names one thing may go on with another: "at most 4 % change without going above the competitor". */
const GOES_ON = /\s*[,;]\s*|\s+(?=(?:without|and|but|while|with|unless|nor|or|as long as|so that)\s)/i;

/** What of a phrase is still not read, where some amounts of it are. */
function unreadOf(phrase: string, read: readonly string[]): string[] {
  const isRead = (text: string): boolean => read.some((amount) => text.includes(amount));
  if (!isRead(phrase)) return [phrase];
  return phrase.split(GOES_ON).filter((part) => !isRead(part) && tellingWords(part).length > 0);
}

/** What is named as not applied is not applied: of "no more than $20,000 in lost sales" no reader's price limit stands. */
function exceptNamed(settled: Settled, { spans }: TaggedReading): Settled {
  const { reading, unsupported } = settled;
  const isNamed = (text: string): boolean => unsupported.some((phrase) => phrase.includes(text));
  const named = Object.entries(reading.slots).flatMap(([slot, value]) => {
    const said = typeof value === "number" ? spans.filter(({ figure }) => isSameFigure(value, figure)) : [];
    return said.length > 0 && said.every(({ text }) => isNamed(text)) ? [slot] : [];
  });
  if (named.length === 0) return settled;
  const slots = Object.fromEntries(Object.entries(reading.slots).filter(([slot]) => !named.includes(slot)));
  return { ...settled, reading: { ...reading, slots } };
}

const isSameFigure = (value: number, figure: number | undefined): boolean =>
  figure !== undefined && isOfSize(value, figure);

/** A value that is a word of a name selects nothing: "hazelnut" of "hazelnut snails". */
function withoutNameWords(rules: SlotReading, { ofNames, freeOf, reading }: TaggedReading): SlotReading {
  const free = freeOf.flatMap((slot) => {
    const value = reading.slots[slot];
    return value === undefined ? [] : [[slot, value] as const];
  });
  const first =
    free.length > 0 ? { ...rules, slots: { ...rules.slots, ...Object.fromEntries(free) } } : rules;
  const slots = ofNames.filter(
    ({ slot, value }) => first.slots[slot] === value && reading.slots[slot] === undefined,
  );
  if (slots.length === 0) return first;
  const gone = new Set(slots.map(({ slot }) => slot));
  return {
    ...first,
    slots: Object.fromEntries(Object.entries(first.slots).filter(([slot]) => !gone.has(slot))),
  };
}

/**
 * Limits by their structure, a third reading: it tells of what unit a limit is, which way it goes, and whether a noun beside it says of what.
 * Where that leaves one slot, and one of the readers has it, it is that; where it leaves several, the user is asked.
 */
function withBounds(
  message: string,
  settled: Settled,
  { first, second, before }: Sides,
  { echo, moves }: Pick<Talk, "echo" | "moves">,
): Settled {
  const language = languageOf(message);
  let { reading, ask, unsupported } = settled;
  let isOfOne = false;
  const read = (slots: Slots, { figure }: Bound): string[] =>
    Object.keys(slots).filter((slot) => {
      const value = slots[slot];
      return typeof value === "number" && value !== before[slot] && isOfSize(value, figure);
    });
  for (const bound of second.bounds) {
    const { fits, isTold, crosses } = bound;
    const mine = read(first.slots, bound);
    const theirs = read(second.reading.slots, bound);
    const isFit = (slot: string): boolean => fits.some((fit) => fit.slot === slot);
    const isPart = Object.values(reading.slots).some(
      (value) => isLimits(value) && value.limits.some((limit) => isOfSize(limit.value, bound.figure)),
    );
    // "At most 5 % waste" makes waste no objective.
    if (
      ask &&
      Object.values(optionsIn(ask)).some(
        (value) => typeof value === "string" && bound.told.includes(value.toLowerCase()),
      )
    )
      ask = undefined;
    const agreed = mine.filter((slot) => theirs.includes(slot));
    // "If costs rise by 7 %" supposes something, and limits nothing.
    if (agreed.some((slot) => moves.has(slot))) continue;
    const isSure = agreed.some((slot) => isFit(slot) && (second.slotConfidence[slot] ?? 0) >= SURE_ALONE);
    if (isSure && !crosses) continue;
    // What would be named as unread may be a limit that was said in too few words: "an alert at 20".
    if (bound.isLoose && (mine.length + theirs.length > 0 || !unsupported.includes(bound.text))) continue;
    const isPlain = bound.isPlain && fits.length > 1 && !isTold;
    if (
      isPart ||
      (agreed.length > 0 && !crosses && (agreed.some(isFit) ? !isPlain && !bound.isVague : !isTold))
    )
      continue;
    const [only, ...others] = fits;
    const isMeant = others.length === 0 && (isTold || [...mine, ...theirs].some(isFit));
    if (
      ask &&
      !Object.values(optionsIn(ask)).some(
        (value) => typeof value === "number" && isOfSize(value, bound.figure),
      )
    )
      continue;
    const wrong = new Set([...mine, ...theirs].filter((slot) => !isMeant || slot !== only?.slot));
    const slots = Object.fromEntries(Object.entries(reading.slots).filter(([slot]) => !wrong.has(slot)));
    if (only && isMeant && !crosses && !bound.isLoose) {
      reading = {
        ...reading,
        slots: { ...slots, [only.slot]: only.value },
        asks: reading.asks.filter(({ slot }) => slot !== only.slot),
      };
      ask = undefined;
      isOfOne = false;
      unsupported = unsupported.filter((phrase) => !phrase.includes(bound.text));
      continue;
    }
    if (isOfOne) continue;
    const options = fits.slice(0, MOST_READINGS).map(({ slot, value }) => ({
      label: echo({ [slot]: value }, language),
      sets: { [slot]: value } as Slots,
    }));
    const words = wording(language);
    if (options.length === 1) options.push({ label: words.noConstraint, sets: {} });
    reading = { ...reading, slots };
    unsupported = unsupported.filter((phrase) => !phrase.includes(bound.text));
    ask = {
      slot: only?.slot ?? "",
      question: words.whichReading(options.map(({ label }) => label)),
      options,
    };
    isOfOne = true;
  }
  return { reading, ...(ask ? { ask } : {}), ...(isOfOne ? { isOfOne: true as const } : {}), unsupported };
}

const MOST_READINGS = 3;

const optionsIn = ({ options }: SlotQuestion): Slots => Object.assign({}, ...options.map(({ sets }) => sets));

function compared(message: string, { first, second, before }: Sides, talk: Pick<Talk, Parts>): Settled {
  const sure = talk.comparable.filter((slot) => {
    // "Tell me what breaks" asks for a check, which looks at all there is.
    const alone = talk.findings.has(slot) ? SURE_ALONE : SURE_TO_ADD;
    const least = first.slots[slot] === undefined ? alone : SURE_TO_CONTRADICT;
    return (second.slotConfidence[slot] ?? second.confidence) >= least;
  });
  // Who names something of the inputs mostly asks for it; an ordinary word ("new") may mean nothing.
  const selectedByOne = sure.filter((slot) => {
    const value = first.slots[slot] ?? second.reading.slots[slot];
    const isOfOne = (first.slots[slot] === undefined) !== (second.reading.slots[slot] === undefined);
    return isOfOne && value !== undefined && talk.narrowing.has(slot) && !talk.isOrdinary(slot, value);
  });
  // A what-if is told of in the answer, lasts for it alone and has no effect.
  const isWhatIf = (slot: string): boolean =>
    talk.moves.has(slot) && second.reading.slots[slot] === undefined;
  const differing = sure.filter((slot) => !selectedByOne.includes(slot) && !isWhatIf(slot));
  const ask = askWhichReading(message, first, second.reading, { ...talk, comparable: differing });
  // How many are shown is asked for in words that no rule foresees: "which two", "the five worst". It lasts for one answer.
  const shown = talk.shown.filter(
    (slot) =>
      first.slots[slot] === undefined &&
      second.reading.slots[slot] !== undefined &&
      (second.slotConfidence[slot] ?? 0) >= SURE_OF_SHOWN,
  );
  const counts = second.spans.filter(({ slot }) => slot !== undefined && shown.includes(slot));
  const ofRules = first.unsupported.filter((phrase) => !counts.some(({ text }) => phrase.includes(text)));
  const named = namedByEither(ofRules, withoutTimes(second, talk.handsOver));
  const asked = Object.assign({}, ...(ask?.options.map(({ sets }) => sets) ?? []));
  const reading = lifting(joined(first, second.reading, [...selectedByOne, ...shown]), second, before);
  const unread = [
    ...unreadFigures(reading, second, { read: [reading.slots, asked, before], handsOver: talk.handsOver }),
    ...unreadNames(second, { ...asked, ...reading.slots }),
  ];
  const isPart = (phrase: string): boolean => unread.some((part) => part.includes(phrase));
  const whole = named.filter((phrase) => !isPart(phrase));
  const unsupported = [...whole, ...unread.filter((part) => !whole.some((phrase) => phrase.includes(part)))];
  return { reading, ...(ask ? { ask } : {}), unsupported };
}

/** What the second reader would name. Agents that get the message read its times themselves. */
function withoutTimes({ reading, spans }: TaggedReading, handsOver: boolean): readonly string[] {
  if (!handsOver) return reading.unsupported;
  const times = new Set(spans.flatMap(({ time, text }) => (time ? [text] : [])));
  return reading.unsupported.filter((phrase) => !times.has(phrase));
}

/**
 * "Without any caps" asks for none, where the first reader would ask how much; and who says again what is in force, to take it back,
 * does not set it: 하한 60은 없애고.
 */
function lifting(
  reading: SlotReading,
  { reading: { cleared, slots }, spans, slotConfidence }: TaggedReading,
  before: Slots,
): SlotReading {
  const takesBack = spans.some(({ op }) => op === "clear");
  const again = Object.keys(reading.slots).filter(
    (slot) =>
      takesBack &&
      slots[slot] === undefined &&
      typeof before[slot] === "number" &&
      before[slot] === reading.slots[slot],
  );
  const asked = reading.asks.flatMap(({ slot }) => (cleared.includes(slot) ? [slot] : []));
  // "Leave off that threshold": no rule knows the words, and the slot is in force.
  const takings = spans.filter(({ op }) => op === "clear").map(({ probability }) => probability);
  const alone = cleared.filter(
    (slot) =>
      before[slot] !== undefined &&
      reading.slots[slot] === undefined &&
      !reading.cleared.includes(slot) &&
      Math.max(slotConfidence[slot] ?? 0, ...takings) >= SURE_OF_SHOWN,
  );
  const lifted = [...again, ...asked, ...alone];
  if (lifted.length === 0) return reading;
  return {
    ...reading,
    slots: Object.fromEntries(Object.entries(reading.slots).filter(([slot]) => !again.includes(slot))),
    asks: reading.asks.filter(({ slot }) => !lifted.includes(slot)),
    cleared: [...new Set([...reading.cleared, ...lifted])],
  };
}

function joined(first: SlotReading, second: SlotReading, slots: readonly string[]): SlotReading {
  const added = slots.filter((slot) => first.slots[slot] === undefined && !first.cleared.includes(slot));
  if (added.length === 0) return first;
  const of = <T>(members: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(members).filter(([slot]) => added.includes(slot)));
  return {
    ...first,
    slots: { ...first.slots, ...of(second.slots) },
    ...(first.edits || second.edits ? { edits: { ...first.edits, ...of(second.edits ?? {}) } } : {}),
  };
}

/**
 * What the user is asked where they differ: one reading, the other, or what both say together.
 * @returns undefined where they agree
 */
function askWhichReading(
  message: string,
  first: SlotReading,
  second: SlotReading,
  talk: Pick<Talk, "echo" | "comparable">,
): SlotQuestion | undefined {
  const differences = differencesOf(first.slots, second.slots, talk.comparable);
  const [one] = differences;
  if (!one) return undefined;
  const language = languageOf(message);
  const words = wording(language);
  const options = readingsOf(differences).map((sets) => ({
    label: talk.echo(sets, language) || words.noConstraint,
    sets,
  }));
  return { slot: one.slot, question: words.whichReading(options.map(({ label }) => label)), options };
}

function readingsOf(differences: readonly Difference[]): Slots[] {
  const of = (which: "first" | "second"): Slots =>
    Object.fromEntries(
      differences.flatMap(({ slot, [which]: value }) => (value === undefined ? [] : [[slot, value]])),
    );
  const [first, second] = [of("first"), of("second")];
  const isApart = differences.every(({ first, second }) => first === undefined || second === undefined);
  const both = { ...first, ...second };
  const isMore = [first, second].every((one) => Object.keys(one).length > 0);
  return isApart && isMore ? [first, second, both] : [first, second];
}

/** Figures that neither reader makes anything of: "when it passes 6000". One that was in force may be taken back: "drop the 3 % limit". */
function unreadFigures(
  first: SlotReading,
  { spans }: TaggedReading,
  { read, handsOver }: { read: unknown; handsOver: boolean },
): string[] {
  if (first.asks.length > 0) return [];
  const known = figuresIn(read);
  // Agents that get the message read its times, of which no slot could have them all: "August 11", "the last 45 days".
  const isTime = (at: number): boolean => [at - 1, at, at + 1].some((i) => isPartOfTime(spans, at, i));
  return spans.flatMap(({ text, figure }, at) =>
    figure === undefined || known.some((one) => isOfSize(one, figure)) || (handsOver && isTime(at))
      ? []
      : [text],
  );
}

/** Characters between the parts of a time: "the 11th of August". */
const LONGEST_JOINT = 6;

/** Whether a figure is a time, or stands beside one or beside a value that is selected. */
function isPartOfTime(spans: TaggedReading["spans"], at: number, other: number): boolean {
  const [one, two] = [spans[at], spans[other]];
  if (!one || !two || one === two) return one?.time === true && one === two;
  const gap = Math.max(one.start, two.start) - Math.min(one.end, two.end);
  return gap <= LONGEST_JOINT && (two.time === true || (two.figure === undefined && two.op === "in"));
}

/** What is named of the inputs, and is neither selected nor left out: "new prices for the pump, … and for the motor as well". */
function unreadNames({ spans }: TaggedReading, slots: Slots): string[] {
  return spans.flatMap(({ op, text, entity, probability }) => {
    if (op !== "none" || !entity || entity.ids.length === 0 || probability < SURE_TO_CONTRADICT) return [];
    const said = JSON.stringify(slots);
    return entity.ids.some((id) => said.includes(JSON.stringify(id))) ? [] : [text];
  });
}

/** A plain number may have left out its percent sign. */
const isOfSize = (one: number, figure: number): boolean =>
  [figure, figure / 100].some((size) => Math.abs(Math.abs(one) - Math.abs(size)) < 1e-9);

const figuresIn = (value: unknown): number[] =>
  typeof value === "number"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(figuresIn)
      : [];

/** Phrases of the second that share no word that tells with one of the first. */
function namedByEither(first: readonly string[], second: readonly string[]): readonly string[] {
  const known = new Set(first.flatMap(tellingWords));
  const more = second.filter((phrase) => !tellingWords(phrase).some((word) => known.has(word)));
  return [...first, ...more];
}

/** Shorter words stand in any phrase. */
const LEAST_LETTERS = 3;

const tellingWords = (phrase: string): string[] =>
  (phrase.toLowerCase().match(/\d[\d.,]*|\p{L}+/gu) ?? []).filter(
    (word) => /^\d/.test(word) || word.length >= LEAST_LETTERS || /\p{Script=Hangul}/u.test(word),
  );
