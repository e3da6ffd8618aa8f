import { GatewayError } from "../errors.ts";
import {
  type Claim,
  type EntityIndex,
  echoSlots,
  type GoalModel,
  type Intent,
  type IntentModel,
  indexEntities,
  indexEntitiesInTurns,
  isLimits,
  type LearntReader,
  type Localised,
  mentionsOffered,
  type Net,
  netOf,
  type Offered,
  type Pair,
  readSelected,
  readSlots,
  type SlotReading,
  type Slots,
  type SlotValue,
  UnspeakableInputs,
  type Verification,
  verifyClaims,
} from "../language/index.ts";
import type { Flow, Mesh, Orders } from "../mesh/index.ts";
import { effectsOf, ordersOf } from "./gate/effects.ts";
import { Readings } from "./readings.ts";
import { measureVocabulary, type Vocabulary } from "./results/measure-words.ts";
import { keywordPattern } from "./router.ts";
import type { PlainInputs } from "./session-inputs.ts";
import { ownWords, spellers } from "./spelling.ts";
import type { Counted, Language } from "./wording.ts";

/** The category of a message that wants several goals, or the whole of the flow. */
export const COMPOSITE = "plan";
/** The category of a message that asks for nothing that the flow does. */
export const GENERAL = "general";

/** What a flow can be asked, as the conversation sees it. */
export type Talk = {
  flow: Flow;
  /** The category of a message that asks for nothing. */
  general: typeof GENERAL;
  /** Whether a category stands for no goal of the flow: small talk, help, or something else altogether. */
  isGeneral: (category: string) => boolean;
  classify: (message: string) => Intent;
  /** What tells which of the goals is meant; absent: rules do. */
  goalModel: GoalModel | undefined;
  /** Whether a message has a word of what the slots are about, whatever it says of it: "prices", "market". */
  isOfDomain: (message: string) => boolean;
  /** Whether a word, or one that begins like it, is said of what the flow does: in its slots, goals or examples. */
  knows: (word: string) => boolean;
  /** A message without the words for what some slots are about: "at most 5 % waste" does not ask what was wasted. */
  withoutWordsOf: (message: string, slots: readonly string[]) => string;
  /** The goals that can apply a slot; empty: all of them. */
  appliesTo: (slot: string) => readonly string[];
  goalsOf: (category: string) => readonly string[];
  /** A message with what is near to one word of the domain alone in its place: "next qurater". */
  spelled: (message: string, inputs: PlainInputs | undefined) => string;
  /**
   * What a message says of the slots.
   * @param inputs those that it is about; absent: the flow's own
   * @param before the slots of the turn before
   */
  readSlots: (message: string, inputs: PlainInputs | undefined, before: Slots) => SlotReading;
  /** What it names of the inputs, by rules alone: what looks something up reads a text again and again. */
  readNames: (message: string, inputs: PlainInputs | undefined) => SlotReading;
  /** What each of the two readers makes of it. */
  pairOf: (message: string, inputs: PlainInputs | undefined, before: Slots) => Pair;
  /** What a message mentions that claims may be about. */
  offered: (message: string, inputs: PlainInputs | undefined) => readonly Offered[];
  /** What claims about a message come to, verified against it. */
  verified: (
    message: string,
    said: { claims: readonly Claim[]; named: readonly string[] },
    inputs: PlainInputs | undefined,
    before: Slots,
  ) => Verification & { net: Net };
  /** Whether a value of a slot is an ordinary word too: "new". */
  isOrdinary: (slot: string, value: SlotValue) => boolean;
  /** Says what slots hold: "For VALVE-V7, at most 5 % change". */
  echo: (slots: Slots, language: Language) => string;
  /**
   * Reads what messages can name in large inputs, without holding the event loop. To be called before they are spoken of.
   * @throws GatewayError invalid_request, where they have too many names, or too long ones
   */
  prepare: (inputs: PlainInputs) => Promise<void>;
  /** All values that a slot of names has in the inputs. */
  allOf: (slot: string, inputs: PlainInputs | undefined) => readonly string[];
  /** An agent gets the message itself, and says what it applied of it. */
  handsOver: boolean;
  /** How many entities the inputs have; undefined where no slot names entities. */
  countOf: (inputs: PlainInputs | undefined, language: Language) => Counted | undefined;
  /** The words for what can be looked up in inputs and results; undefined where nothing can. */
  results: Vocabulary | undefined;
  /** What a button says for a category. */
  labels: ReadonlyMap<string, Localised>;
  /** Slots that name entities of the inputs. */
  entities: readonly string[];
  /** Slots that look at a part of what there is: items, a region. */
  narrowing: ReadonlySet<string>;
  /** Slots that select from results. */
  views: ReadonlySet<string>;
  /** Of these, the ones that say how many results are shown. */
  shown: readonly string[];
  /** Of these, the ones that say which items a check finds fault with. */
  findings: ReadonlySet<string>;
  /** What-ifs: slots that change prices or costs. */
  moves: ReadonlySet<string>;
  /** By slot: those of earlier messages that do not hold where it is said. */
  setsAside: ReadonlyMap<string, readonly string[]>;
  /** Slots that are in force for one ask: what-ifs, and how many results are shown. */
  passing: ReadonlySet<string>;
  /** The goals to which the what-ifs of a turn leave a sense: "raise prices 5 % and tell me what breaks" asks for no better prices. */
  sensible: (goals: readonly string[], slots: Slots) => readonly string[];
  /** Goals whose steps make the proposal; `checks` are those after its first step. */
  inProposal: ReadonlySet<string>;
  checks: ReadonlySet<string>;
  /** Goals whose steps need the proposal: they explain, test or publish it. */
  afterProposal: ReadonlySet<string>;
  /** Goals that change something outside. */
  effects: ReadonlySet<string>;
  /** The verbs with which these are ordered. */
  orders: (goal: string) => Orders;
};

const NO_INPUTS: PlainInputs = {};
const NOTHING_READ = { slots: {}, cleared: [], unsupported: [], asks: [] } as const;

/**
 * @param intents what tells what people ask the flow for
 * @param reader the models of the learnt reader; absent: there is none
 * @returns undefined for a flow that has nothing of the kind
 */
export function talkOf(
  flow: Flow,
  mesh: Mesh,
  intents = flow.intents,
  reader?: LearntReader,
): Talk | undefined {
  const { slots } = flow;
  if (!intents) return undefined;
  const declared = slots?.slots ?? [];
  const indexes = new WeakMap<PlainInputs, EntityIndex>();
  const indexOf = (inputs: PlainInputs = flow.defaultInputs ?? NO_INPUTS): EntityIndex => {
    const known = indexes.get(inputs);
    if (known) return known;
    const index = indexEntities(declared, inputs);
    indexes.set(inputs, index);
    return index;
  };
  const pairs = new Readings<Pair>();
  const handsOver = [...flow.steps.values()].some(
    (step) => step.kind === "agent" && step.readsMessage === true,
  );
  const read = (message: string, inputs: PlainInputs | undefined, before: Slots) => {
    if (!slots) {
      const reading = { ...NOTHING_READ, rest: message };
      return { rules: reading, learnt: undefined, reading, isTooLong: false };
    }
    const index = indexOf(inputs);
    return pairs.of(index, message, before, () => {
      const pair = readSlots(message, { slots, index, tagger: reader?.tagger, before, handsOver });
      const { reading } = pair;
      return { ...pair, reading: { ...reading, rest: withoutWordsOf(reading.rest, saidIn(reading)) } };
    });
  };
  const named = (chosen: readonly { name: string }[]) => new Set(chosen.map(({ name }) => name));
  const views = named(declared.filter(({ fromResults }) => fromResults));
  const findings = named(declared.filter(({ fromResults, kind }) => fromResults && kind === "flag"));
  const moves = named(declared.filter(({ reads }) => reads === "change"));
  const goals = [...flow.goals.keys()];
  const own = (goal: string) => flow.goals.get(goal) ?? [];
  const inProposal = goals.filter((goal) => own(goal).every((step) => flow.proposal.includes(step)));
  const isNeeded = (step: string, by: string): boolean =>
    step === by || (flow.steps.get(by)?.needs ?? []).some((need) => isNeeded(step, need));
  const afterProposal = goals.filter(
    (goal) =>
      flow.proposal.length > 0 &&
      !inProposal.includes(goal) &&
      flow.proposal.every((step) => own(goal).some((by) => isNeeded(step, by))),
  );
  const words = ownWords(flow, mesh, declared);
  const told = [...mesh.services.values()].flatMap(({ name, target, keywords, examples, label }) =>
    flow.goals.has(name) || (target.kind === "flow" && target.flow === flow.name)
      ? [...keywords, ...examples, ...Object.values(label ?? {})]
      : [],
  );
  const stems = new Set(
    [...words, ...told].flatMap((text) => text.toLowerCase().match(/\p{L}+/gu) ?? []).map(stemOf),
  );
  const spellerFor = spellers(words);
  const [first] = flow.proposal;
  const wordsOfSlots = new Map(
    declared.flatMap(({ name, nouns, cues, kind, values }) => {
      const said = kind === "choice" ? Object.entries(values).flat(2) : kind === "count" ? cues : [];
      const own = [...nouns, ...said];
      return own.length > 0 ? [[name, new RegExp(keywordPattern(own), "giu")] as const] : [];
    }),
  );
  const withoutWordsOf: Talk["withoutWordsOf"] = (message, names) =>
    names.reduce((text, name) => {
      const words = wordsOfSlots.get(name);
      return words ? text.replace(words, " ") : text;
    }, message);
  const nouns = declared.flatMap(({ nouns }) => nouns);
  const domain = nouns.length > 0 ? keywordPattern(nouns) : undefined;
  return {
    flow,
    general: GENERAL,
    isGeneral: (category) => category !== COMPOSITE && !flow.goals.has(category),
    classify: classifierOf(intents, flow),
    goalModel: reader?.goals,
    isOfDomain: (message) => domain?.test(message) ?? false,
    knows: (word) => stems.has(stemOf(word)),
    withoutWordsOf,
    appliesTo: (name) => declared.find((slot) => slot.name === name)?.appliesTo ?? [],
    goalsOf: (category) => goalsOf(flow, category, []),
    spelled: (message, inputs) => (slots ? spellerFor(indexOf(inputs))(message) : message),
    readSlots: (message, inputs, before) => read(message, inputs, before).reading,
    readNames: (message, inputs) =>
      slots ? readSelected(message, slots, indexOf(inputs)) : { ...NOTHING_READ, rest: message },
    pairOf: read,
    offered: (message, inputs) => (slots ? mentionsOffered(message, slots, indexOf(inputs)) : []),
    verified: (message, said, inputs, before) => {
      if (!slots)
        return {
          claims: [],
          open: new Set(),
          named: [],
          net: { slots: {}, cleared: [], proof: {}, unheld: [] },
        };
      const index = indexOf(inputs);
      const verification = verifyClaims(message, said, { reader: slots, index, before });
      return { ...verification, net: netOf(verification.claims, { index, before }) };
    },
    async prepare(inputs) {
      if (indexes.has(inputs)) return;
      try {
        indexes.set(inputs, await indexEntitiesInTurns(declared, inputs));
      } catch (error) {
        throw error instanceof UnspeakableInputs ? new GatewayError("invalid_request", error.message) : error;
      }
    },
    isOrdinary: (name, value) => {
      const ordinary = declared.find((slot) => slot.name === name)?.ordinary ?? [];
      // A selection may have any number of names.
      if (ordinary.length === 0) return false;
      return typeof value === "object" && !isLimits(value)
        ? value.some((one) => ordinary.includes(one.toLowerCase()))
        : ordinary.includes(String(value).toLowerCase());
    },
    echo: (slots, language) => echoSlots(slots, declared, language),
    allOf: (name, inputs) => {
      const { entities, values } = indexOf(inputs);
      const list = values.find(({ slot }) => slot.name === name);
      return entities.find(({ slot }) => slot.name === name)?.ids ?? [...(list?.values.values() ?? [])];
    },
    handsOver,
    countOf: (inputs, language) => {
      const [list] = indexOf(inputs).entities;
      return list && { count: list.ids.length, of: list.slot.label[language] };
    },
    results:
      flow.measures.length > 0
        ? measureVocabulary(
            flow.measures,
            declared.filter(({ kind }) => kind === "entity" || kind === "enum"),
          )
        : undefined,
    labels: labelsOf(flow, mesh),
    entities: declared.filter(({ kind }) => kind === "entity").map(({ name }) => name),
    narrowing: named(declared.filter(({ kind }) => kind === "entity" || kind === "enum")),
    views,
    shown: declared
      .filter(({ fromResults, kind }) => fromResults && kind === "count")
      .map(({ name }) => name),
    findings,
    moves,
    setsAside: new Map(declared.flatMap(({ name, setsAside }) => (setsAside ? [[name, setsAside]] : []))),
    passing: new Set([...[...views].filter((name) => !findings.has(name)), ...moves]),
    sensible: (asked, said) => {
      const moves = declared.filter(
        ({ reads, name, appliesTo }) =>
          reads === "change" && appliesTo.length > 0 && said[name] !== undefined,
      );
      const left = asked.filter((goal) => moves.every(({ appliesTo }) => appliesTo.includes(goal)));
      return left.length > 0 ? left : asked;
    },
    inProposal: new Set(inProposal),
    checks: new Set(inProposal.filter((goal) => first === undefined || !own(goal).includes(first))),
    afterProposal: new Set(afterProposal),
    effects: effectsOf(flow),
    orders: (goal) => ordersOf(goal, flow, mesh),
  };
}

const saidIn = ({ slots, cleared }: SlotReading): string[] => [...Object.keys(slots), ...cleared];

/** Letters by which forms of one word are alike. */
const stemOf = (word: string): string => word.slice(0, /\p{Script=Hangul}/u.test(word) ? 2 : 5);

/** "Ok, then …" goes on from what was said, and is no second step of a plan. */
const GOES_ON = /^\s*(?:(?:ok(?:ay)?|alright|right|well|good|great|fine|and|so)[\s,.!]+)*then[\s,]+(?=\S)/i;

/** A message and its clauses are asked about from several sides. */
const MOST_KEPT = 32;
const LONGEST_KEPT = 1_000;

function classifierOf(model: IntentModel, flow: Flow): Talk["classify"] {
  const kept = new Map<string, Intent>();
  return (message) => {
    const known = kept.get(message);
    if (known) return known;
    const heard = model.classify(message.replace(GOES_ON, ""));
    const intent = { ...heard, goals: goalsOf(flow, heard.category, heard.goals) };
    if (message.length > LONGEST_KEPT) return intent;
    const [oldest] = kept.keys();
    if (kept.size === MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    kept.set(message, intent);
    return intent;
  };
}

/** @param heard the goals that the classifier heard */
function goalsOf(flow: Flow, category: string, heard: readonly string[]): readonly string[] {
  if (flow.goals.has(category)) return [category];
  if (category !== COMPOSITE) return [];
  const known = heard.filter((goal) => flow.goals.has(goal));
  return known.length > 0 ? known : flow.defaultGoals;
}

function labelsOf(flow: Flow, { services }: Mesh): Map<string, Localised> {
  const labels = new Map<string, Localised>();
  for (const goal of flow.goals.keys()) {
    const label = services.get(goal)?.label;
    if (label) labels.set(goal, label);
  }
  const whole = [...services.values()].find(
    ({ target, label }) =>
      target.kind === "flow" && target.flow === flow.name && label && !flow.goals.has(flow.name),
  );
  if (whole?.label && !flow.goals.has(whole.name)) labels.set(COMPOSITE, whole.label);
  return labels;
}
