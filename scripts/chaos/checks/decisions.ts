import type { Answer } from "../ledger.ts";
import type { Finding } from "./log.ts";

type Winner = { readonly decision: string; readonly by: string };

/** How an approval ended, according to the store and the log. */
export type Verdict = {
  readonly state: string;
  readonly winner: Winner | undefined;
  /** Number of decisions in the run's log. */
  readonly decided: number;
  readonly runState: string;
};

const DECISIONS: Readonly<Record<string, string>> = { approve: "approved", reject: "rejected" };

/** Checks that all answers about one approval agree with each other and with the store. */
export function checkDecisions(answers: readonly Answer[], verdict: Verdict): Finding[] {
  const findings: Finding[] = [];
  const find = (kind: string, detail: string) => findings.push({ kind, detail });
  const decisions = answers.filter(({ action }) => action !== "cancel");
  const won = new Set(decisions.filter(({ status }) => status === 200).map(({ operation }) => operation));
  if (won.size > 1) find("several decisions won", [...won].join(" "));
  const told = new Set<string>();
  for (const { action, status, body, user } of decisions) {
    if (status === 200) told.add(`${DECISIONS[action]} by ${user}`);
    else if (status === 409 && isWinner(body.winner))
      told.add(`${body.winner.decision} by ${body.winner.by}`);
    else if (status === 409) find("conflict without a winner", JSON.stringify(body.code));
    else if (status !== 0 && status !== 503) find("strange answer to a decision", `${status}`);
  }
  if (told.size > 1) find("contradictory answers", [...told].join(" | "));
  const { state, winner, decided, runState } = verdict;
  const stored = winner ? `${winner.decision} by ${winner.by}` : "";
  for (const text of told) if (text !== stored) find("answer and store differ", `${text}, stored ${stored}`);
  if (winner && winner.decision !== state)
    find("approval contradicts itself", `${state}, ${winner.decision}`);
  const shouldBe = state === "pending" || state === "cancelled" ? 0 : 1;
  if (decided !== shouldBe) find("approval and log differ", `${state} with ${decided} decisions in the log`);
  for (const { action, status } of answers) {
    if (action === "cancel" && status === 200 && runState !== "cancelled")
      find("acknowledged cancel lost", `the run is ${runState}`);
  }
  return findings;
}

function isWinner(value: unknown): value is Winner {
  return typeof value === "object" && value !== null && "decision" in value && "by" in value;
}
