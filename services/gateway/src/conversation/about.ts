import type { SlotReading, Slots } from "../language/index.ts";
import type { Interpretation } from "./interpretation.ts";
import type { Talk } from "./talk.ts";
import type { About, Proposal, WorkingSet } from "./working-set.ts";

const FIRST =
  /(?<!\b(?:it|them) )\b(?:first|initial|original|earliest)\b(?!\s+(?:time|of all))|처음|첫 ?(?:번째)?|최초/i;
const LATEST = /\b(?:latest|newest|current|last|(?:most|more) recent|newer|final)\b|최신|최근|마지막|방금/i;
/** A proposal that a message does not mean: "the latest one, not the first", 첫 번째 말고. */
const OTHER =
  /\b(?:not|never|instead of|rather than|as opposed to|over)\s+(?:(?:the|that|very|to|on|with|our|your)\s+)*(?:first|initial|original|earliest|latest|newest|last|(?:most|more) recent|newer|final)\b|(?:처음|첫 ?(?:번째)?|최초|최신|최근|마지막)(?:\s?(?:거|것|건|제안|번째))?\s*(?:이 ?)?(?:말고|아니라|아니고|대신)/gi;

/** Words of a message that only selects a proposal: "and the first one?", 최신 제안은? */
const POINTING = new Set(
  (
    "a about and but for from how in is now of on ok okay or so then the to what whats with first initial original earliest latest newest " +
    "newer current last most more recent final one ones proposal proposals version suggestion recommendation result please pls " +
    "그 그건 그건요 그거 그럼 그리고 제안 제안은 제안은요 제안도 제안도요 첫 첫번째 첫번째는 번째 번째는 번째는요 번째도 처음 처음은 처음의 최초 최초의 최신 최신은 " +
    "최근 최근의 마지막 마지막은 방금 거 거는 거는요 건 건요 것 것은 것은요 것도 어때 어때요 어떤가요 좀"
  ).split(" "),
);

/** Whether a message only selects a proposal, and so repeats the previous question for it: "and the latest one?". */
export function refersOnly(message: string): boolean {
  if (!FIRST.test(message) && !LATEST.test(message)) return false;
  const words =
    message
      .toLowerCase()
      .replace(/['’]/g, "")
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.every((word) => POINTING.has(word));
}

/** Refers to an earlier proposal, not to today's prices. */
const BACK =
  /\b(?:it|that|this|those|these|them|they|proposal|proposed|propose|recommended|recommendation|recommendations|suggested|suggestion|suggestions|new|result|results|answer|above|last|previous)\b|그|이것|이거|제안|추천|방금|위의|결과/i;

/**
 * What a turn speaks of. Goals that come after the proposal speak of the one there is, unless the turn says other constraints, which
 * ask for another proposal. Where items are named, the turn is about these.
 */
export function aboutOf(
  message: string,
  { goals, slots }: Interpretation,
  reading: SlotReading,
  { working, talk, followUp }: { working: WorkingSet; talk: Talk; followUp: boolean },
): { about?: About; proposal?: Proposal } {
  const which = proposalMeant(message, goals, reading, slots, working, talk, followUp);
  const proposal = which && {
    proposal: which === "first proposal" ? working.proposals[0] : working.proposals.at(-1),
  };
  const named = talk.entities
    .flatMap((name) => reading.slots[name] ?? [])
    .filter((id) => typeof id === "string");
  const about = which === "first proposal" || named.length === 0 ? which : named;
  return {
    ...(about === undefined ? {} : { about }),
    ...(proposal?.proposal ? { proposal: proposal.proposal } : {}),
  };
}

/**
 * The constraints of a turn's order. The first proposal was made under its own, whatever is in force by now: of these a turn only narrows
 * what it selects.
 */
export function orderedSlots(
  { slots, about, proposal }: Pick<Interpretation, "slots" | "about" | "proposal">,
  working: WorkingSet,
  { narrowing }: Pick<Talk, "narrowing">,
): Slots {
  if (about !== "first proposal" || !proposal) return slots;
  const said = Object.entries(slots).filter(
    ([name, value]) => narrowing.has(name) && JSON.stringify(value) !== JSON.stringify(working.slots[name]),
  );
  return { ...proposal.slots, ...Object.fromEntries(said) };
}

function proposalMeant(
  message: string,
  goals: readonly string[],
  reading: SlotReading,
  slots: Slots,
  working: WorkingSet,
  talk: Talk,
  followUp: boolean,
): "first proposal" | "last proposal" | undefined {
  const [first] = working.proposals;
  const last = working.proposals.at(-1);
  if (!first || !last || goals.length === 0) return undefined;
  if (!goals.every((goal) => speaksOfProposal(goal, message, reading, talk, working))) return undefined;
  if (
    (!followUp || refersOnly(message)) &&
    FIRST.test(message.replace(OTHER, "")) &&
    Object.keys(reading.slots).every((name) => talk.narrowing.has(name))
  )
    return "first proposal";
  return isCovered(slots, last, talk) ? "last proposal" : undefined;
}

function speaksOfProposal(
  goal: string,
  message: string,
  { slots }: SlotReading,
  talk: Talk,
  { done }: WorkingSet,
): boolean {
  if (talk.afterProposal.has(goal)) return true;
  if (!talk.inProposal.has(goal)) return false;
  const says = Object.keys(slots);
  const looks =
    says.some((name) => talk.views.has(name)) &&
    says.every((name) => talk.views.has(name) || talk.narrowing.has(name));
  // Shows another part of a proposal step's results: the items with the most to gain.
  if (looks && !talk.checks.has(goal)) return true;
  // "top 3 violations" looks at what was checked last.
  const last = done.findLast(({ goals }) => goals.includes(goal));
  if (looks && last) return last.proposal !== undefined;
  return talk.checks.has(goal) && says.every((name) => talk.narrowing.has(name)) && BACK.test(message);
}

/** Whether the constraints of a turn are those of the proposal, or only look at a part of it. */
function isCovered(slots: Slots, proposal: Proposal, talk: Talk): boolean {
  const names = new Set([...Object.keys(slots), ...Object.keys(proposal.slots)]);
  for (const name of names) {
    if (talk.views.has(name)) continue;
    const [now, then] = [slots[name], proposal.slots[name]];
    if (JSON.stringify(now) === JSON.stringify(then)) continue;
    if (!talk.narrowing.has(name) || !isWithin(now, then)) return false;
  }
  return true;
}

/** Whether a scope lies within another one; without one, everything is meant. */
function isWithin(now: Slots[string] | undefined, then: Slots[string] | undefined): boolean {
  if (then === undefined) return true;
  if (now === undefined) return false;
  const all = new Set([then].flat());
  return [now].flat().every((one) => all.has(one));
}
