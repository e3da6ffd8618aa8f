import {
  type Agent,
  type ConfirmedTask,
  consentOf,
  createAgent,
  dialogue,
  type Outcome,
  type TaskContext,
  TaskError,
} from "@interlock/agent-kit";
import { digitsOf, minorText } from "./amounts/index.ts";
import { card } from "./card.ts";
import { type Entry, isSameTransfer, type Ledger, type Transfer } from "./ledger.ts";
import { answerQuestion } from "./questions.ts";
import { cancelsCurrent, transferRules } from "./rules.ts";
import { type Limits, minorOf, reviewTransfer, type TransferSlots, transferSlots } from "./slots.ts";
import { replies } from "./texts.ts";

export type TransferParts = {
  readonly ledger: Ledger;
  readonly limits: Limits;
  readonly maxFillTurns?: number;
  readonly now?: () => Date;
};

type Confirmed = ConfirmedTask<TransferSlots>;

/** The agent of TRANSFER_TURN. */
export function transferAgent({
  ledger,
  limits,
  maxFillTurns,
  now = () => new Date(),
}: TransferParts): Agent {
  const entryOf = ({ id, slots }: Confirmed, status: Entry["status"], context: TaskContext): Entry => ({
    id,
    status,
    at: now().toISOString(),
    transfer: transferOf(slots, limits, context),
  });

  /** What counts for an id. Whether a call that failed has been written is unknown, so it fails the turn, and the turn is repeated. */
  const record = async (entry: Entry, context: TaskContext): Promise<Entry> => {
    try {
      return await ledger.record(entry);
    } catch {
      context.log.warn("the ledger does not answer");
      throw new TaskError(
        "UNAVAILABLE",
        "The ledger does not answer, so that it is not known whether the transfer was made.",
      );
    }
  };

  const TRANSFER_TURN = dialogue<TransferSlots>({
    description: "One turn of a dialogue that makes transfers",
    slots: transferSlots(limits),
    stages: replies,
    confirm: {
      understand: (turn) => (cancelsCurrent(turn) ? "no" : consentOf(turn.message)),
    },
    rules: transferRules,
    answer: (turn, view) => answerQuestion(turn, view, limits),
    review: (slots, about) => reviewTransfer(slots, about, limits),
    async execute(task, context) {
      const wanted = entryOf(task, "executed", context);
      return outcomeOf(await record(wanted, context), wanted, task);
    },
    async withdraw(task, context) {
      const wanted = entryOf(task, "withdrawn", context);
      const held = await record(wanted, context);
      return held.status === "withdrawn" ? undefined : outcomeOf(held, wanted, task);
    },
    now,
    ...(maxFillTurns === undefined ? {} : { maxFillTurns }),
  });
  return createAgent({ card, tasks: { TRANSFER_TURN } });
}

function transferOf(slots: TransferSlots, limits: Limits, { caller }: TaskContext): Transfer {
  const { target, amount, currency = limits.currency, memo, date } = slots;
  return {
    target,
    amount_minor: String(minorOf(amount, currency)),
    currency,
    ...(memo === undefined ? {} : { memo }),
    ...(date === undefined ? {} : { date }),
    ...(caller === undefined ? {} : { by: `${caller.issuer}:${caller.subject}` }),
  };
}

function outcomeOf(held: Entry, wanted: Entry, { slots, locale }: Confirmed): Outcome {
  if (!isSameTransfer(held.transfer, wanted.transfer))
    return {
      ok: false,
      reason:
        locale === "ko" ? "같은 번호로 다른 이체가 등록되어 있습니다." : "another transfer has this id.",
    };
  if (held.status !== "executed")
    return { ok: false, reason: locale === "ko" ? "이미 취소된 이체입니다." : "it was cancelled before." };
  const { target, amount_minor, currency, memo, date } = held.transfer;
  return {
    ok: true,
    effect: {
      kind: "transfer",
      status: held.status,
      target,
      amount: slots.amount,
      amount_text: minorText(BigInt(amount_minor), digitsOf(currency) ?? 2),
      currency,
      ...(memo === undefined ? {} : { memo }),
      ...(date === undefined ? {} : { date }),
      at: held.at,
    },
  };
}
