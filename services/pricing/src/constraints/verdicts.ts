import type { Failure } from "../failures.ts";
import type { OrderVerdict } from "./types.ts";

/** Items that a verdict names. */
const MOST_NAMED = 20;
/** Of these, the ones that its message gives a reason for. */
const MOST_REASONS = 5;

/** The problems of a payload, by constraint. */
export class Findings {
  readonly #broken: Set<string>[];
  readonly #missing: Set<string>[];
  readonly #reasons: ReadonlyMap<string, string>;

  constructor(constraints: number, failures: readonly Failure[]) {
    this.#broken = Array.from({ length: constraints }, () => new Set());
    this.#missing = Array.from({ length: constraints }, () => new Set());
    this.#reasons = new Map(failures.map(({ item_id, message }) => [item_id, message]));
  }

  /** Records an item of the payload that breaks the constraint. */
  broken(constraint: number, item: string): void {
    this.#broken[constraint]?.add(item);
  }

  /** Records an item, or a tier of it, that was ordered but is missing from the payload. */
  missing(constraint: number, item: string): void {
    this.#missing[constraint]?.add(item);
  }

  isMissing(item: string): boolean {
    return this.#missing.some((items) => items.has(item));
  }

  /** @param otherwise the verdict where nothing is wrong */
  verdict(constraint: number, slot: string, otherwise: OrderVerdict["verdict"]): OrderVerdict {
    const broken = [...(this.#broken[constraint] ?? [])];
    const missing = [...(this.#missing[constraint] ?? [])];
    if (broken.length > 0)
      return {
        slot,
        verdict: "broken",
        message: `Not as said for ${listed(broken)}.`,
        item_ids: broken.slice(0, MOST_NAMED),
      };
    if (missing.length > 0)
      return {
        slot,
        verdict: "incomplete",
        message: [`Nothing is proposed for ${listed(missing)}.`, ...this.#reasonsOf(missing)].join(" "),
        item_ids: missing.slice(0, MOST_NAMED),
      };
    return { slot, verdict: otherwise, message: MESSAGES[otherwise] };
  }

  #reasonsOf(items: readonly string[]): string[] {
    const reasons = items.flatMap((item) => this.#reasons.get(item) ?? []);
    return [...new Set(reasons)].slice(0, MOST_REASONS);
  }
}

const MESSAGES: Readonly<Record<OrderVerdict["verdict"], string>> = {
  kept: "Kept.",
  unknown: "Nothing here can judge this.",
  not_checkable: "No price can show this.",
  broken: "Not as said.",
  incomplete: "Something is missing.",
};

function listed(items: readonly string[]): string {
  const count = items.length === 1 ? "1 item" : `${items.length} items`;
  const more = items.length > MOST_REASONS ? `, … and ${items.length - MOST_REASONS} more` : "";
  return `${count} (${items.slice(0, MOST_REASONS).join(", ")}${more})`;
}
