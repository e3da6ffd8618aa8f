import type { FocusData } from "../data/index.ts";
import { GRAINS, type Grain, type Threshold } from "../effects/alert.ts";
import type { Caller } from "../query/answer.ts";
import { applyAhead, type SaidAhead } from "./ahead.ts";
import type { applySaid } from "./apply.ts";
import { sharesInQuestion } from "./question.ts";

export type SaidAlert = SaidAhead & { readonly every?: Grain; readonly thresholds?: readonly Threshold[] };

/** Shares of the amount at which somebody is told. */
const AT = "alert_at";

/**
 * Applies what was said to a budget or an alert: as `applyAhead`, with shares of the amount, and where costs would be told "by month" it is
 * of each month.
 * @throws FinopsError as `applyAhead`
 */
export async function applyAlert(
  data: FocusData,
  { constraints = [], ...asked }: Parameters<typeof applySaid>[1],
  caller: Caller,
  without: readonly string[],
): Promise<SaidAlert> {
  const shares = constraints.filter(({ slot }) => slot === AT);
  const held = shares.filter(({ op, value, scope }) => op === "set" && isShare(value) && scope === undefined);
  const said = await applyAhead(
    data,
    { ...asked, constraints: constraints.filter(({ slot }) => slot !== AT) },
    caller,
    without,
  );
  const { group_by = [], ...query } = said.query;
  const [every, ...more] = group_by;
  const grain = more.length === 0 ? GRAINS.find((one) => one === every) : undefined;
  const isOther = (slot: string) => slot === "group_by" && grain === undefined;
  const inSlot = held.map(({ value }) => Number(value));
  const inWords = sharesInQuestion(asked.question ?? "").filter(isShare);
  // A slot holds one share: "at 50, 75 and 100 %" has others.
  const all = inSlot.some((share) => inWords.includes(share)) ? inWords : inSlot;
  const thresholds = [...new Set(all)]
    .sort((a, b) => a - b)
    .map((share): Threshold => ({ share, of: "actual" }));
  return {
    ...said,
    query,
    applied: [...said.applied.filter(({ slot }) => !isOther(slot)), ...held],
    not_applied: [
      ...said.not_applied,
      ...said.applied.filter(({ slot }) => isOther(slot)),
      ...shares.filter((one) => !held.includes(one)),
    ],
    ...(grain === undefined ? {} : { every: grain }),
    ...(thresholds.length === 0 ? {} : { thresholds }),
  };
}

const isShare = (value: unknown): boolean => typeof value === "number" && value > 0 && value <= 10;
