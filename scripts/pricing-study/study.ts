import { wilsonInterval } from "@interlock/pricing";
import { makeDraw } from "./draw.ts";
import { FAMILIES, type Family, type World } from "./families/index.ts";
import { type Answer, empiricalBayes, type Method, plain, shipped } from "./methods.ts";

export const SEED = 28111645;

/** A proposal loses if its true profit is below today's by more than this share. */
export const TOLERANCE = 0.001;

/** Figures of one method over the worlds of one family; shares are fractions. */
export type Figures = {
  readonly family: Family;
  readonly method: keyof typeof METHODS;
  readonly worlds: number;
  /** Mean error of the elasticity, and the share of 95% intervals that hold the true one. */
  readonly bias?: number;
  readonly coverage?: number;
  /** The best prices by the estimates: how sure the sensitivity analysis is of them, and whether they win. */
  readonly scored: readonly { readonly score: number; readonly wins: boolean }[];
  /** Share of the 90% bands that hold the true gain of the best prices by the estimates, over the worlds with a band. */
  readonly band?: number;
  /** Worlds with a proposal that differs from today's prices. */
  readonly moved: number;
  /** Number and share of all worlds with such a proposal that carries no warning. */
  readonly unwarned: { readonly count: number; readonly share: number };
  /** Share of the unwarned proposals that lose, with Wilson's 95% interval; absent if there is none. */
  readonly losing?: { readonly share: number; readonly low: number; readonly high: number };
  /** Share of the warned proposals that would have won: what warnings cost. */
  readonly warnedWinning?: number;
  /** Of the worlds in which the best prices gain more than 1%, those with an unwarned proposal that wins. */
  readonly served?: number;
  /** Mean of (best − realised) / best over all worlds; without a proposal today's prices count. */
  readonly regret: number;
  /** The same of doing nothing. */
  readonly idle: number;
};

/** Methods by the worlds of a family, which empirical Bayes learns from. */
const METHODS = { plain: () => plain, bayes: empiricalBayes, shipped: () => shipped } as const;

export type StudyOptions = {
  readonly seed?: number;
  readonly families?: readonly Family[];
  /** Of each family; with `unwarned`, of each batch. */
  readonly worlds?: number;
  /** Simulate batches of worlds until the shipped method has moved so many prices without a warning, at most `MOST_WORLDS` worlds. */
  readonly unwarned?: number;
  readonly methods?: readonly Figures["method"][];
};

export const MOST_WORLDS = 3000;

/** Simulates worlds of every family under the methods; the seed fixes all of it. */
export async function* runStudy({
  seed = SEED,
  families = FAMILIES,
  worlds = 200,
  unwarned = 0,
  methods = ["plain", "bayes", "shipped"],
}: StudyOptions = {}): AsyncGenerator<Figures> {
  for (const family of families) {
    const made: World[] = [];
    const shippedSeen: Seen[] = [];
    do {
      const batch = Array.from({ length: worlds }, (_, k) =>
        family.make(makeDraw(seed, `${family.name}/${made.length + k}`)),
      );
      made.push(...batch);
      if (methods.includes("shipped")) shippedSeen.push(...(await seenBy(shipped, batch)));
    } while (shippedSeen.filter(isUnwarned).length < unwarned && made.length < MOST_WORLDS);
    for (const method of methods) {
      const seen = method === "shipped" ? shippedSeen : await seenBy(METHODS[method](made), made);
      yield figuresOf(family, method, seen);
    }
  }
}

const isUnwarned = ({ moved, answer }: Seen) => moved && answer?.warned !== true;

async function seenBy(method: Method, worlds: readonly World[]): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (const world of worlds) seen.push(seenOf(world, await method(world)));
  return seen;
}

function figuresOf(family: Family, method: Figures["method"], seen: readonly Seen[]): Figures {
  const worlds = seen.length;
  const moves = seen.filter(({ moved }) => moved);
  const unwarned = seen.filter(isUnwarned);
  const warned = moves.filter(({ answer }) => answer?.warned);
  const lost = unwarned.filter(({ loses }) => loses).length;
  const worthwhile = seen.filter(({ today, best }) => best - today > 0.01 * Math.abs(today));
  const bands = seen.flatMap(({ world, answer, today }) => {
    if (answer?.band === undefined) return [];
    const gain = world.profit(answer.band.prices) - today;
    return [answer.band.low <= gain && gain <= answer.band.high];
  });
  return {
    family,
    method,
    worlds,
    ...estimatesOf(seen),
    scored: seen.flatMap(({ world, answer, today }) =>
      answer?.score === undefined || answer.score === null
        ? []
        : [{ score: answer.score, wins: world.profit(answer.full) > today }],
    ),
    ...(bands.length > 0 && { band: mean(bands.map(Number)) }),
    moved: moves.length / worlds,
    unwarned: { count: unwarned.length, share: unwarned.length / worlds },
    ...(unwarned.length > 0 && {
      losing: { share: lost / unwarned.length, ...wilsonInterval(lost, unwarned.length, 0.95) },
    }),
    ...(warned.length > 0 && { warnedWinning: mean(warned.map(({ loses }) => Number(!loses))) }),
    ...(worthwhile.length > 0 && {
      served: mean(worthwhile.map((one) => Number(one.moved && !one.loses && !one.answer?.warned))),
    }),
    regret: mean(seen.map(({ best, realised }) => (best - realised) / best)),
    idle: mean(seen.map(({ best, today }) => (best - today) / best)),
  };
}

/** A world with what a method says of it; profits per period under the true demand. */
type Seen = {
  readonly world: World;
  readonly answer: Answer | undefined;
  readonly moved: boolean;
  readonly today: number;
  readonly realised: number;
  readonly best: number;
  readonly loses: boolean;
};

function seenOf(world: World, answer: Answer | undefined): Seen {
  const tiers = Object.entries(world.item.tiers);
  const moved =
    answer !== undefined &&
    tiers.some(
      ([tier, { current_price }]) =>
        Math.abs((answer.prices[tier] ?? current_price) - current_price) > 1e-9 * current_price,
    );
  const [today, realised] = [world.profit({}), world.profit(answer?.prices ?? {})];
  const loses = realised < today - TOLERANCE * Math.abs(today);
  return { world, answer, moved, today, realised, best: world.profit(world.oracle), loses };
}

function estimatesOf(seen: readonly Seen[]): Pick<Figures, "bias" | "coverage"> {
  const estimates = seen.flatMap(({ world: { elasticity }, answer }) =>
    elasticity === undefined || answer?.elasticity === undefined || answer.interval === undefined
      ? []
      : [{ truth: elasticity, estimate: answer.elasticity, interval: answer.interval }],
  );
  if (estimates.length === 0) return {};
  return {
    bias: mean(estimates.map(({ truth, estimate }) => estimate - truth)),
    coverage: mean(
      estimates.map(({ truth, interval }) => Number(interval.low <= truth && truth <= interval.high)),
    ),
  };
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
