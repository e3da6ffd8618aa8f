import { PricingError } from "./errors.ts";

/** An item that could not be worked on (wire shape). */
export type Failure = { item_id: string; code: string; message: string };

const MOST_LISTED = 20;

/**
 * Calls a function for each item; collects the errors of those that it fails for.
 * @returns the items that it did not fail for
 */
export function workable<T extends { readonly item_id: string }>(
  items: readonly T[],
  errors: PricingError[],
  work: (item: T) => void,
): T[] {
  return items.filter((item) => {
    try {
      work(item);
      return true;
    } catch (error) {
      collect(error, errors);
      return false;
    }
  });
}

/** Adds an error of an item to the list. @throws whatever is no PricingError */
export function collect(error: unknown, errors: PricingError[]): undefined {
  if (!(error instanceof PricingError)) throw error;
  errors.push(error);
}

export function failuresOf(errors: readonly PricingError[]): Failure[] {
  return errors.map(({ code, message, details }) => ({ item_id: details.item_id ?? "", code, message }));
}

/** The error of a request of which no item could be worked on: that of the first, with the others listed. */
export function joined(errors: readonly PricingError[]): PricingError | undefined {
  const [first] = errors;
  if (first === undefined) return undefined;
  const failures = errors.slice(0, MOST_LISTED).map(({ code, details }) => ({ code, ...details }));
  return new PricingError(first.code, first.message, {
    ...first.details,
    failed_items: errors.length,
    failures,
  });
}
