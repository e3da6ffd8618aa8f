import type { PricingError } from "../errors.ts";
import { collect, joined } from "../failures.ts";
import type { PolicyItem } from "../policy-types.ts";
import type { RulePack } from "../rule-pack.ts";
import { DEFAULT_INCREMENT } from "../settings.ts";
import type { ConstraintFamily, ProposedItem } from "../types.ts";
import { chooseSteps } from "./choose.ts";
import type { OrderConstraint } from "./constraint.ts";
import { Effect } from "./effect.ts";
import { namesIn, partsOf } from "./naming.ts";
import { PriceLimits } from "./price-limits.ts";
import { type RequestSettings, requestSettingsOf } from "./request-settings.ts";
import type { Constrainable, Effects } from "./types.ts";

/** The result of applying constraints. */
export type Constrained<T> = {
  readonly inputs: T;
  /** Errors of items whose constraints contradict each other; these items are removed from the inputs. */
  readonly errors: PricingError[];
  /** The prices that a price move asks for. They are evaluated as they are, without a search for better ones. */
  readonly move: readonly ProposedItem[] | undefined;
  /** The error of an item whose prices break a constraint, which is possible only for prices that the optimizer holds. */
  broken(priced: ProposedItem): PricingError | undefined;
  /** @param answer the prices of the answer, for how many of them each constraint binds */
  effects(answer?: Iterable<ProposedItem>): Effects;
};

/**
 * Applies what was said to the inputs of a task: selects items, limits and freezes prices, moves costs, sets the objective, rounding and
 * gap. Everything else of the inputs stays; items without a region or segment get those of the request. Limits become bounds of tiers, and
 * hold whatever `enforce` leaves out.
 * @throws PricingError NOTHING_SELECTED, where no item fits; CONFLICTING_CONSTRAINTS, where two constraints cross for every item
 */
export function applyConstraints<T extends Constrainable>(inputs: T, pack: RulePack): Constrained<T> {
  const steps = applySteps(inputs, { pack });
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/** @property without slots that mean nothing to the task, which are named as not applied */
export type Task = { readonly pack: RulePack; readonly without?: readonly string[] };

/** Items between two pauses. */
const BATCH = 500;

/** `applyConstraints` that pauses between items, so that a server can serve others and stop. */
export async function applyPaused<T extends Constrainable>(
  inputs: T,
  task: Task & { readonly pause: () => Promise<void> },
): Promise<Constrained<T>> {
  const { pause } = task;
  const steps = applySteps(inputs, task);
  let step = steps.next();
  for (let done = 1; !step.done; step = steps.next(), done++) if (done % BATCH === 0) await pause();
  return step.value;
}

/** `applyConstraints` as a generator that yields after each item, so that callers can pause. */
export function* applySteps<T extends Constrainable>(
  inputs: T,
  { pack, without = [] }: Task,
): Generator<void, Constrained<T>> {
  const inForce = (inputs.constraints ?? []).filter(isInForce);
  const said = inForce.filter(({ slot }) => !without.includes(slot));
  const unused = inForce.filter(({ slot }) => without.includes(slot));
  if (inputs.items === undefined || said.length === 0) return unconstrained(inputs, inForce);
  const given = itemsInContext(inputs);
  const names = namesIn(given);
  const parts = said.map((constraint) => partsOf(constraint, names));
  const effects = parts.flatMap(({ known }) => (known ? [new Effect(known)] : []));
  const { items, freezes, context } = yield* chooseSteps(given, effects, inputs, pack);
  const { top, ...settings } = settingsOf(effects, inputs);
  const limits = new PriceLimits(
    effects,
    freezes,
    settings.price_increment ?? inputs.price_increment ?? DEFAULT_INCREMENT,
  );
  const enforce = withBounds(inputs.enforce, limits);
  const errors: PricingError[] = [];
  const limited = new Map<string, PolicyItem>();
  const kept: PolicyItem[] = [];
  const move: ProposedItem[] = [];
  for (const item of items) {
    try {
      const one = limits.limit(item, enforce === inputs.enforce);
      kept.push({ ...context, ...one.item });
      limited.set(item.item_id, one.item);
      if (one.move) move.push(one.move);
    } catch (error) {
      collect(error, errors);
    }
    yield;
  }
  const none = kept.length === 0 ? joined(errors) : undefined;
  if (none) throw none;
  const { constraints: _, ...rest } = inputs;
  const proposed =
    proposedOf(inputs.proposed, { names: names.items, limited }) ?? (limits.isMove ? move : undefined);
  if (inputs.proposed && proposed) limits.recountMoves(kept, proposed);
  return {
    inputs: {
      ...(rest as T),
      ...settings,
      ...(enforce && { enforce }),
      ...(proposed && { proposed }),
      items: kept as T["items"],
    },
    errors,
    move: limits.isMove ? move : undefined,
    broken({ item_id, tiers }) {
      const item = limited.get(item_id);
      return item && limits.broken(item, tiers);
    },
    effects(answer) {
      const counts = new Map<Effect, number>();
      for (const { item_id, tiers } of answer ?? []) {
        const item = limited.get(item_id);
        if (item) limits.countBinding(item, tiers, counts);
      }
      const applied = effects.filter((effect) => effect.isApplied);
      const idle = effects.filter((effect) => !effect.isApplied).map(({ constraint }) => constraint);
      return {
        applied: applied.map((effect) =>
          effect.described(answer && limits.canBind(effect) ? (counts.get(effect) ?? 0) : undefined),
        ),
        notApplied: [...unused, ...parts.flatMap(({ rest: missing }) => missing ?? []), ...idle],
        top,
      };
    },
  };
}

/** Whether a constraint was not taken back. */
function isInForce({ slot, op, value }: OrderConstraint): boolean {
  return op !== "clear" && !(slot === "only_violating" && op === "set" && value === false);
}

function unconstrained<T extends Constrainable>(inputs: T, said: OrderConstraint[]): Constrained<T> {
  const { constraints: _, ...rest } = inputs;
  const items = inputs.items && itemsInContext(inputs);
  return {
    inputs: { ...(rest as T), ...(items && { items: items as T["items"] }) },
    errors: [],
    move: undefined,
    broken: () => undefined,
    effects: () => ({ applied: [], notApplied: said, top: undefined }),
  };
}

/** Items without a region or segment have those of the request. */
function itemsInContext({ items = [], region, segment }: Constrainable): PolicyItem[] {
  if (region === undefined && segment === undefined) return items;
  const context = {
    ...(region === undefined ? {} : { region }),
    ...(segment === undefined ? {} : { segment }),
  };
  return items.map((item) => ({ ...context, ...item }));
}

function settingsOf(effects: readonly Effect[], { min_gap }: Constrainable): RequestSettings {
  let settings: RequestSettings = {};
  for (const effect of effects) {
    const own = requestSettingsOf(effect.constraint);
    if (!own) continue;
    effect.isSettled = true;
    const gap = own.min_gap && { min_gap: { ...min_gap, ...settings.min_gap, ...own.min_gap } };
    settings = { ...settings, ...own, ...gap };
  }
  return settings;
}

/** Limits hold even where the request does not enforce the items' own bounds, which are left out then. */
function withBounds(
  enforce: ConstraintFamily[] | undefined,
  limits: PriceLimits,
): ConstraintFamily[] | undefined {
  return !enforce || enforce.includes("bounds") || limits.isEmpty ? enforce : [...enforce, "bounds"];
}

/** Drops proposals for items that are not selected. One for an item that does not exist is kept, so that it is reported as an error. */
function proposedOf(
  proposed: readonly ProposedItem[] | undefined,
  { names, limited }: { names: ReadonlySet<string>; limited: ReadonlyMap<string, PolicyItem> },
): ProposedItem[] | undefined {
  return proposed?.filter(({ item_id }) => limited.has(item_id) || !names.has(item_id));
}
