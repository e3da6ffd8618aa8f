import {
  type Decision,
  decide,
  differencesOf,
  type Pair,
  type SlotReading,
  type Slots,
  type SlotValue,
} from "../language/index.ts";
import { aboutOf } from "./about.ts";
import { goesOnFrom } from "./answers.ts";
import { edited, followed, setAside, withPending } from "./constraints-over-turns.ts";
import type { Hearing } from "./hearing.ts";
import type { Interpretation } from "./interpretation.ts";
import { askSlot } from "./questions.ts";
import { lasting } from "./take-back.ts";
import { COMPOSITE, type Talk } from "./talk.ts";
import type { Told } from "./told.ts";
import { languageOf, wording } from "./wording.ts";
import { emptyWorkingSet, merged, type Question, type WorkingSet } from "./working-set.ts";

const NOTHING_READ: SlotReading = { slots: {}, cleared: [], unsupported: [], asks: [], rest: "" };

/**
 * What a message means where a model has read it beside the local readers: the model says what it is for, and of what constrains it,
 * only that stands which the message proves and a reader agrees with; what they differ in is one question.
 * @param heard what the message means without the model
 */
export function withClaims(
  heard: Interpretation,
  message: string,
  now: WorkingSet,
  hearing: Hearing,
  told: Told,
): Interpretation {
  const { talk } = hearing;
  const local =
    heard.command === "started_over" && told.route.kind === "goals" ? begunAnew(heard, now) : heard;
  const working = local.from ?? now;
  if (local.command && local.command !== "undone") return local;
  const last = goesOnFrom(working, talk);
  const { route, goesOn } = told;
  if (route.kind !== "goals")
    return route.kind === "service" ? local : nothingWanted(local, working, talk.general);
  const goals = route.goals.filter((goal) => talk.flow.goals.has(goal));
  const [only] = goals;
  if (only === undefined) return local;
  const category = goals.length > 1 ? COMPOSITE : only;
  const before = withPending(goesOn && last ? last.slots : working.slots, working);
  const { claims, net, open, named } = hearing.verified(message, told, before);
  const finalOf = (said: Pick<SlotReading, "slots" | "cleared">): Slots => {
    const all = merged(followed(before, { ...NOTHING_READ, ...said }, talk), said.slots, said.cleared);
    return merged(all, {}, setAside(said.slots, all, talk));
  };
  const sofar = last?.slots ?? {};
  const pair = hearing.pairOf(message, sofar);
  const read = edited(pair.reading, before, hearing.allOf);
  const declared = talk.flow.slots?.slots ?? [];
  const claimed = finalOf(net);
  const alone = talk.isGeneral(local.category) ? finalOf(read) : local.slots;
  const {
    slots: decided,
    asked,
    isOne,
  } = decide(
    {
      before,
      claimed,
      proof: net.proof,
      open,
      local: alone,
      read: finalOf(read),
      doubted: doubtedIn(pair, talk),
    },
    declared.filter(({ kind }) => kind !== "date").map(({ name }) => name),
  );
  // No claim can be about a time.
  const times = declared.flatMap(({ name, kind }): [string, SlotValue][] =>
    kind === "date" && alone[name] !== undefined ? [[name, alone[name]]] : [],
  );
  const slots: Slots = { ...decided, ...Object.fromEntries(times) };
  const quoted = claims.filter(({ proof }) => proof !== "refused").map(({ claim }) => claim.quote);
  const isTaken = (phrase: string): boolean =>
    quoted.some((quote) => quote.includes(phrase) || phrase.includes(quote));
  const others = local.unsupported.filter(
    (phrase) => !isTaken(phrase) && !named.some((one) => one.includes(phrase)),
  );
  const unsupported = [...new Set([...named, ...net.unheld, ...others])];
  const { question: _, unsure: __, about: ___, proposal: ____, ...rest } = local;
  const found: Interpretation = {
    ...rest,
    ...{ category, goals, confidence: 1, source: "model", slots, inForce: lasting(slots, talk), unsupported },
  };
  const differing = Object.keys(asked);
  const [slot] = differing;
  if (slot !== undefined) {
    const stands = merged(slots, {}, differing);
    const gone = Object.keys(working.slots).filter((name) => stands[name] === undefined);
    const pending = { category, goals, slots: stands, cleared: [...gone, ...differing], unsupported };
    const question = askReadings(slot, { asked, isOne }, message, pending, hearing);
    if (question && working.asked !== question.key)
      return { ...found, slots: stands, inForce: lasting(stands, talk), question };
    // What is asked in vain is named.
    const phrases = claims.filter((one) => differing.includes(one.slot.name)).map(({ claim }) => claim.quote);
    return {
      ...found,
      slots: stands,
      inForce: lasting(stands, talk),
      unsupported: [...unsupported, ...phrases],
    };
  }
  const said = new Set([...Object.keys(net.slots), ...Object.keys(read.slots)]);
  const reading = {
    ...read,
    slots: Object.fromEntries(Object.entries(slots).filter(([name]) => said.has(name))),
  };
  return { ...found, ...aboutOf(message, found, reading, { working, talk, followUp: goesOn }) };
}

/** A reading is doubted that is less sure than this. */
const SURE = 0.9;

/** Slots of which the learnt reader is not sure, and selections that the rules read in another way. */
function doubtedIn({ rules, learnt }: Pair, { narrowing }: Talk): ReadonlySet<string> {
  if (!learnt) return new Set(narrowing);
  const unsure = Object.entries(learnt.slotConfidence).flatMap(([slot, sure]) => (sure < SURE ? [slot] : []));
  const differing = differencesOf(rules.slots, learnt.reading.slots, [...narrowing]).map(({ slot }) => slot);
  return new Set([...unsure, ...differing]);
}

/** "Start from scratch: what …" asks for something after the command. */
function begunAnew({ command: _, ...heard }: Interpretation, { flow, inputsOf }: WorkingSet): Interpretation {
  return { ...heard, from: { ...emptyWorkingSet(flow), ...(inputsOf === undefined ? {} : { inputsOf }) } };
}

function nothingWanted(local: Interpretation, { slots }: WorkingSet, general: string): Interpretation {
  const { question: _, unsure: __, about: ___, proposal: ____, ...rest } = local;
  return {
    ...rest,
    category: general,
    goals: [],
    confidence: 1,
    source: "model",
    slots,
    inForce: slots,
    unsupported: [],
  };
}

/** One question about all that differs: the model's reading, the local one, and, of two slots, the mixtures. */
function askReadings(
  slot: string,
  { asked, isOne }: Pick<Decision, "asked" | "isOne">,
  message: string,
  pending: Question["pending"],
  { talk }: Hearing,
): Question | undefined {
  const language = languageOf(message);
  const words = wording(language);
  const entries = Object.entries(asked);
  const choose = (which: (at: number) => number): Slots =>
    Object.fromEntries(
      entries.flatMap(([name, values], at): [string, SlotValue][] => {
        const value = values[which(at)];
        return value === undefined ? [] : [[name, value]];
      }),
    );
  const all = [choose(() => 0), choose(() => 1)];
  if (entries.length === 2 && !isOne)
    all.push(
      choose((at) => at),
      choose((at) => 1 - at),
    );
  const options = new Map(
    all.map((sets) => [talk.echo(sets, language) || words.noConstraint, sets] as const).reverse(),
  );
  if (options.size < 2) return undefined;
  const listed = [...options].reverse().map(([label, sets]) => ({ label, sets }));
  return askSlot(
    { slot, question: words.whichReading(listed.map(({ label }) => label)), options: listed },
    pending,
  );
}
