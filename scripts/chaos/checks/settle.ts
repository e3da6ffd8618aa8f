import type { Api } from "../api.ts";
import type { Ledger, RunFact } from "../ledger.ts";
import { approverOf, fresh, TENANTS } from "../load/load.ts";
import { answerOf } from "../load/scenario.ts";
import { inParallel, until } from "../pace.ts";
import type { World } from "../world.ts";
import { allRuns, leftovers, readState } from "./store.ts";

/** Time for a lease and a dead worker's claim to expire, and for the longest steps, on a busy machine. */
const BOUND_MS = 60_000;

const OVER = new Set(["finished", "failed", "cancelled"]);

/**
 * Waits until every acknowledged run has ended, and approves those that still wait for a decision. A run that does not end in time, or is
 * missing, is a violation.
 */
export async function settle(world: World, api: Api, ledger: Ledger): Promise<void> {
  await adopt(world, ledger);
  let open = [...ledger.runs.values()].filter(({ sealed }) => sealed === undefined);
  await until(async () => {
    const left: RunFact[] = [];
    await inParallel(open, 8, async (fact) => {
      const state = await stateOf(world, fact);
      if (state === undefined) lose(ledger, fact);
      else if (state === "paused") await approveFor(api, ledger, fact);
      if (state !== undefined && !OVER.has(state)) left.push(fact);
    });
    open = left;
    return open.length === 0;
  }, BOUND_MS);
  for (const fact of open) {
    const state = await stateOf(world, fact);
    ledger.violate("acknowledged run does not end", fact.id, `${fact.scenario}: ${state}`);
    // Counts it once: the next round does not wait for it again.
    fact.sealed = "";
  }
  await checkLeftovers(world, ledger);
}

/** Adds runs whose acceptance no client has learnt of: they must end like any other. */
async function adopt({ observer }: World, ledger: Ledger): Promise<void> {
  for (const tenant of TENANTS) {
    for (const id of await allRuns(observer, tenant)) {
      // Whose run it is nobody has learnt: an operator reads it.
      ledger.acknowledge(id, { user: "nobody", tenant, roles: ["operator"] }, "never answered");
    }
  }
}

/** Checks that the store's work indexes are empty: with no run under way, an entry would stay for ever. */
async function checkLeftovers({ observer }: World, ledger: Ledger): Promise<void> {
  for (const tenant of TENANTS) {
    let left: string[] = [];
    const empty = async () => {
      left = await leftovers(observer, tenant);
      return left.length === 0;
    };
    if (!(await until(empty, 10_000))) ledger.violate("left behind in the store", tenant, left.join(" "));
  }
}

function stateOf({ observer }: World, { id, caller }: RunFact): Promise<string | undefined> {
  return readState(observer, caller.tenant, id);
}

function lose(ledger: Ledger, fact: RunFact): void {
  ledger.violate("acknowledged run lost", fact.id, fact.scenario);
  ledger.runs.delete(fact.id);
}

/** Approves a run whose user lost the connection before deciding. */
async function approveFor(api: Api, ledger: Ledger, { id, caller }: RunFact): Promise<void> {
  const run = await api.settle("GET", `/runs/${id}`, caller);
  const approvalId = run.body.approval_id;
  if (typeof approvalId !== "string") return;
  const approver = approverOf(caller.tenant);
  const approval = await api.settle("GET", `/approvals/${approvalId}`, approver);
  if (approval.body.state !== "pending") return;
  const operation = fresh("late");
  const body = { decision: "approve", proposal_hash: approval.body.proposal_hash };
  const reply = await api.settle("POST", `/approvals/${approvalId}/decision`, approver, {
    body,
    key: operation,
  });
  ledger.answers.push(answerOf(id, "approve", approver, operation, reply, approvalId));
}
