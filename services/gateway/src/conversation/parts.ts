import {
  isLimits,
  type SlotDeclaration,
  type SlotQuestion,
  type SlotReading,
  type Slots,
  type SlotValue,
} from "../language/index.ts";

/** Whether a message may limit a part of what it asks for: it has a limit, or something that nothing has read. */
export function mayBeLimited(
  { slots, asks, unsupported }: SlotReading,
  declared: readonly SlotDeclaration[],
): boolean {
  const bounds = new Set(
    declared.flatMap(({ name, reads }) => (reads === "most" || reads === "least" ? [name] : [])),
  );
  return (
    unsupported.length > 0 ||
    asks.some(({ slot }) => bounds.has(slot)) ||
    Object.keys(slots).some((name) => bounds.has(name))
  );
}

/** Whether a phrase that the first reader could not apply says one of the limits. */
const isApplied = (phrase: string, { limited = [] }: SlotReading): boolean =>
  limited.some((said) => phrase.includes(said));

/**
 * The reading of a message with the limits of parts that its structure says: what is named for a limit selects nothing, and no limit of a part
 * is taken for one of everything.
 * @param structure the same message as read with its structure
 */
export function withLimitsOfParts(reading: SlotReading, structure: SlotReading): SlotReading {
  const limits = Object.entries(structure.slots).filter(([, value]) => isLimits(value));
  if (limits.length === 0) return reading;
  const limited = new Set(limits.map(([name]) => name));
  const parts = new Set(
    limits.flatMap(([, value]) =>
      isLimits(value) ? value.limits.flatMap(({ scope }) => Object.keys(scope ?? {})) : [],
    ),
  );
  const isKept = ([name]: [string, unknown]): boolean => !limited.has(name) && !parts.has(name);
  const selected = Object.entries(structure.slots).filter(([name]) => parts.has(name));
  const slots: Slots = Object.fromEntries([
    ...Object.entries(reading.slots).filter(isKept),
    ...selected,
    ...limits,
  ]);
  const { edits, ...rest } = reading;
  const kept = Object.entries(edits ?? {}).filter(isKept);
  return {
    ...rest,
    slots,
    ...(kept.length > 0 ? { edits: Object.fromEntries(kept) } : {}),
    unsupported: reading.unsupported.filter((phrase) => !isApplied(phrase, structure)),
    asks: reading.asks.filter(({ slot, options }) => !limited.has(slot) && !isOfLimits(options, limits)),
  };
}

/** Whether a question is what an amount is for that is one of the limits. */
const isOfLimits = (options: SlotQuestion["options"], limits: readonly [string, SlotValue][]): boolean =>
  options.length > 0 &&
  options.every(({ sets }) =>
    Object.values(sets).every((size) =>
      limits.some(
        ([, value]) => isLimits(value) && value.limits.some((one) => one.value === Math.abs(Number(size))),
      ),
    ),
  );
