import { makeDraw } from "./draw.ts";
import { type Answer, after, before, type Method } from "./methods.ts";
import { WORLDS, type World, type WorldKind } from "./worlds.ts";

export const SEED = 20261122;

/** Figures of one method over the worlds of one kind; shares are fractions. */
export type Figures = {
  readonly row: number;
  readonly name: string;
  readonly method: "before" | "after";
  readonly worlds: number;
  /** Mean error of the elasticity, and the share of 95% intervals that hold the true one. */
  readonly bias?: number;
  readonly coverage?: number;
  readonly identified: number;
  /** Worlds with a proposal that differs from today's prices, and of these those presented without a warning. */
  readonly moved: number;
  readonly unwarned: number;
  /** Share of all worlds in which such a proposal, without a warning, earns less than today's prices. */
  readonly losing: number;
  /** Mean gain over today's profit, as promised and as realised, over the worlds with a proposal. */
  readonly promised: number;
  readonly realised: number;
  /** Mean of (oracle − realised) / oracle over all worlds; without a proposal today's prices count. */
  readonly regret: number;
};

const METHODS = { before, after } as const;

/** Simulates every kind of world under the methods, both by default; `seed` fixes all of it. */
export async function runStudy(
  seed = SEED,
  { kinds = WORLDS, scale = 1, methods = ["before", "after"] }: StudyOptions = {},
): Promise<Figures[]> {
  const figures: Figures[] = [];
  for (const kind of kinds) {
    const count = Math.max(1, Math.round(kind.worlds * scale));
    const worlds = Array.from({ length: count }, (_, k) => kind.make(makeDraw(seed, `${kind.name}/${k}`)));
    for (const method of methods) figures.push(await judge(kind, worlds, method, METHODS[method]));
  }
  return figures;
}

export type StudyOptions = {
  readonly kinds?: readonly WorldKind[];
  readonly scale?: number;
  readonly methods?: readonly Figures["method"][];
};

async function judge(
  { row, name }: WorldKind,
  worlds: readonly World[],
  label: Figures["method"],
  method: Method,
): Promise<Figures> {
  const seen: { world: World; answer: Answer | undefined }[] = [];
  for (const world of worlds) seen.push({ world, answer: await method(world) });
  const share = (count: number) => count / worlds.length;
  const estimates = seen.flatMap(({ world, answer }) =>
    world.elasticity === undefined || answer?.elasticity === undefined || answer.interval === undefined
      ? []
      : [{ truth: world.elasticity, estimate: answer.elasticity, interval: answer.interval }],
  );
  const moves = seen.flatMap(({ world, answer }) => {
    const tiers = Object.entries(world.item.tiers);
    if (
      answer === undefined ||
      tiers.every(([tier, { current_price }]) => answer.prices[tier] === current_price)
    )
      return [];
    return [{ world, answer, today: world.profit({}), realised: world.profit(answer.prices) }];
  });
  const unwarned = moves.filter(({ answer }) => !answer.warned);
  const mean = (values: readonly number[]) =>
    values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    row,
    name,
    method: label,
    worlds: worlds.length,
    ...(estimates.length > 0 && {
      bias: mean(estimates.map(({ truth, estimate }) => estimate - truth)),
      coverage: mean(
        estimates.map(({ truth, interval }) => (interval.low <= truth && truth <= interval.high ? 1 : 0)),
      ),
    }),
    identified: share(seen.filter(({ answer }) => answer?.identified).length),
    moved: share(moves.length),
    unwarned: share(unwarned.length),
    losing: share(unwarned.filter(({ today, realised }) => realised < today).length),
    promised: mean(moves.map(({ answer }) => (answer.promised - answer.today) / Math.abs(answer.today))),
    realised: mean(moves.map(({ today, realised }) => (realised - today) / Math.abs(today))),
    regret: mean(
      seen.map(({ world, answer }) => {
        const best = world.profit(world.oracle);
        return (best - world.profit(answer?.prices ?? {})) / best;
      }),
    ),
  };
}
