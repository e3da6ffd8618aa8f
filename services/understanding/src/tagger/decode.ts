import type { SlotDeclaration } from "../catalogue/declarations.ts";
import type { Candidate } from "./candidates.ts";
import { addContext, addRelations, type Decided, Features } from "./features.ts";
import type { Model } from "./model.ts";
import type { View } from "./view.ts";

/** A role of a unit and how probable it is among those that the unit may have. */
export type Decision = { role: Candidate; probability: number };

/** Gives each unit its most probable role, from left to right; the names of a list have one role. */
export function decode(view: View, model: Model): Decision[] {
  const decided: Candidate[] = [];
  const features = new Features();
  const scored = view.units.map((_, at) => {
    const own = scoreUnit(view, decided, at, model, features);
    decided.push(bestOf(own).role);
    return own;
  });
  const decisions = scored.map(bestOf);
  for (const list of listsIn(view)) {
    const role = commonRole(list.map((at) => scored[at] as Scored));
    for (const at of list) decisions[at] = decisionFor(scored[at] as Scored, role);
  }
  return decisions;
}

/**
 * Roles that are nearly as probable: of one unit another one each, the least improbable first.
 * @param decisions what was decided
 */
export function* otherRoles(
  view: View,
  decisions: readonly Decision[],
  model: Model,
): Generator<readonly Decision[], undefined> {
  const features = new Features();
  const roles = decisions.map(({ role }) => role);
  const others = view.units.flatMap((_, at) => {
    const scored = scoreUnit(view, roles, at, model, features);
    const own = scored.candidates.indexOf(roles[at] as Candidate);
    return scored.candidates.flatMap((_, i) => {
      const cost = (scored.scores[own] ?? 0) - (scored.scores[i] ?? 0);
      return i === own || cost > MOST_COST ? [] : [{ at, cost, decision: decisionAt(scored, i) }];
    });
  });
  for (const { at, decision } of others.sort((one, other) => one.cost - other.cost))
    yield decisions.with(at, decision);
}

/** A role that is less than e to this power times as probable is hardly meant. */
const MOST_COST = 6;

const LIST_MARK = /^[,/+&]$/;
const LIST_WORD = /^(?:and|or|&|\+|nor|및|와|과|랑|이랑|하고)$/;

/** Names of one slot that a message lists: "the pump, the valve and the motor". One without a last "and" may go on with something else. */
function listsIn({ units, candidates }: View): number[][] {
  const lists: number[][] = [];
  let list: number[] = [];
  let isJoined = false;
  const end = (): void => {
    if (list.length > 1 && isJoined) lists.push(list);
    [list, isJoined] = [[], false];
  };
  const slotAt = (at: number): SlotDeclaration | undefined =>
    candidates[at]?.find(({ op }) => op === "in")?.slot;
  for (const [at, unit] of units.entries()) {
    if (isJoined && LIST_MARK.test(unit.word)) end();
    const slot = unit.mention && slotAt(at);
    if (slot) {
      if (list.length > 0 && slot !== slotAt(list[0] ?? 0)) end();
      list.push(at);
    } else if (LIST_WORD.test(unit.word)) isJoined ||= list.length > 0;
    else if (!LIST_MARK.test(unit.word) && !ARTICLE.test(unit.word)) end();
  }
  end();
  return lists;
}
const ARTICLE = /^(?:the|our|all|both)$/;

/** The role that is the most probable one of all together. */
function commonRole(list: readonly Scored[]): Candidate | undefined {
  const sums = new Map<string, { role: Candidate; sum: number }>();
  for (const { candidates, scores } of list) {
    const total = Math.log(scores.reduce((sum, score) => sum + Math.exp(score), 0));
    for (const [i, role] of candidates.entries()) {
      const key = `${role.name} ${role.slot?.name ?? ""}`;
      const known = sums.get(key) ?? { role, sum: 0 };
      sums.set(key, { role: known.role, sum: known.sum + (scores[i] ?? 0) - total });
    }
  }
  return [...sums.values()].sort((one, other) => other.sum - one.sum)[0]?.role;
}

function decisionFor(scored: Scored, role: Candidate | undefined): Decision {
  const at = scored.candidates.findIndex(({ name, slot }) => name === role?.name && slot === role.slot);
  return at < 0 ? bestOf(scored) : decisionAt(scored, at);
}

/** The scores of the candidates of a unit, and which of the features in the buffer each has. */
export type Scored = {
  candidates: readonly Candidate[];
  scores: Float64Array;
  /** Behind the features of the context, those of the slot of each candidate. */
  ranges: readonly (readonly [from: number, to: number])[];
  context: number;
};

/** @param isLeftOut for training: whether a feature of the context is left out */
export function scoreUnit(
  view: View,
  decided: Decided,
  at: number,
  model: Model,
  features: Features,
  isLeftOut?: () => boolean,
): Scored {
  features.size = 0;
  const candidates = view.candidates[at] ?? [];
  addContext(features, view, decided, at);
  if (isLeftOut && view.units[at]?.mention) features.thin(isLeftOut);
  const context = features.size;
  const scores = new Float64Array(candidates.length);
  const ranges: (readonly [number, number])[] = [];
  for (const [i, candidate] of candidates.entries()) {
    // Directions of one slot share its relations.
    const same = candidate.slot ? candidates.findIndex(({ slot }) => slot === candidate.slot) : i;
    let range = same < i ? ranges[same] : undefined;
    if (!range) {
      const from = features.size;
      if (candidate.slot) addRelations(features, view, decided, at, candidate.slot);
      range = [from, features.size];
    }
    ranges.push(range);
    scores[i] =
      sumOf(model, features, 0, context, candidate) + sumOf(model, features, range[0], range[1], candidate);
  }
  return { candidates, scores, ranges, context };
}

function sumOf(
  { weights, scale, shift }: Model,
  { hashes }: Features,
  from: number,
  to: number,
  { fine, coarse, slot }: Candidate,
): number {
  let sum = 0;
  const isBoth = slot !== undefined;
  for (let i = from; i < to; i++) {
    const hash = hashes[i] ?? 0;
    sum += weights[placeOf(hash, fine, shift)] ?? 0;
    if (isBoth) sum += weights[placeOf(hash, coarse, shift)] ?? 0;
  }
  return sum * scale;
}

/** Where the weight of a feature is for a label. */
export const placeOf = (hash: number, label: number, shift: number): number =>
  Math.imul(hash, label | 1) >>> shift;

function bestOf(scored: Scored): Decision {
  const { scores } = scored;
  let best = 0;
  for (let i = 1; i < scores.length; i++) if ((scores[i] ?? 0) > (scores[best] ?? 0)) best = i;
  return decisionAt(scored, best);
}

function decisionAt({ candidates, scores }: Scored, at: number): Decision {
  let total = 0;
  for (const score of scores) total += Math.exp(score - (scores[at] ?? 0));
  const role = candidates[at];
  if (!role) throw new RangeError("A unit has a role.");
  return { role, probability: 1 / total };
}
