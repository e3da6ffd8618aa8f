import type { FeedbackAverages, FeedbackRequest, FeedbackView } from "@interlock/contracts";
import type { Caller } from "../caller.ts";
import { GatewayError } from "../errors.ts";
import { decodeEnd } from "../events/index.ts";
import type { Access } from "../identity/index.ts";
import type { RunRecord, Runs } from "../runs/index.ts";
import { type FeedbackStore, keysOf, type PageCursor, type Rating } from "../store/index.ts";

export type FeedbackDeps = {
  access: Access;
  runs: Pick<Runs, "find">;
  store: FeedbackStore;
};

/** What users say of their turns, and what operators make of it. */
export class Feedback {
  readonly #deps: FeedbackDeps;

  constructor(deps: FeedbackDeps) {
    this.#deps = deps;
  }

  /**
   * Keeps what the user of a turn says of it, in the place of what they said before.
   * @throws GatewayError not_found, forbidden (it is somebody else's turn), conflict (there is no answer yet)
   */
  async give(caller: Caller, said: Omit<FeedbackRequest, "user_id">): Promise<FeedbackView> {
    const { access, runs, store } = this.#deps;
    const record = await runs.find(caller, said.turn_id);
    if (record.sessionId !== said.session_id) throw new GatewayError("not_found");
    if (!access.may(caller, "use", { kind: "session", owner: record.owner }))
      throw new GatewayError("forbidden", "A turn is rated by whoever asked for it.");
    if (record.terminal === undefined)
      throw new GatewayError("conflict", "The turn is not over.", { extra: { state: record.state } });
    const view: FeedbackView = {
      ...said,
      user_id: caller.subject,
      intent: record.order.intent,
      tools: toolsOf(record),
      timestamp: new Date().toISOString(),
    };
    await store.put(keysOf(caller.tenant), view);
    return view;
  }

  /** The tenant's, latest first, and averages over all that is kept. @throws GatewayError forbidden */
  async list(
    caller: Caller,
    page: { limit: number; before?: PageCursor | undefined },
  ): Promise<{ feedback: FeedbackView[]; averages: FeedbackAverages; next?: PageCursor }> {
    const { access, store } = this.#deps;
    if (access.scopeOf(caller) !== "tenant")
      throw new GatewayError("forbidden", "Feedback is for those who may read all sessions of the tenant.");
    const keys = keysOf(caller.tenant);
    const [{ feedback, ...next }, ratings] = await Promise.all([store.list(keys, page), store.ratings(keys)]);
    return { feedback, averages: averagesOf(ratings), ...next };
  }
}

/** The names of the tools that were called for a run: those of servers, and the tasks of agents. */
function toolsOf({ terminal }: RunRecord): string[] {
  if (terminal === undefined) return [];
  const { tools_used, tool_lineage = [] }: { tools_used: string[]; tool_lineage?: { tool_name: string }[] } =
    decodeEnd(terminal).data;
  return [...new Set([...tools_used, ...tool_lineage.map(({ tool_name }) => tool_name)])];
}

function averagesOf(ratings: readonly Rating[]): FeedbackAverages {
  const [tools, intents] = [new Sums(), new Sums()];
  let sum = 0;
  for (const { rating, tools: called, intent } of ratings) {
    sum += rating;
    intents.add(intent, rating);
    for (const tool of called) tools.add(tool, rating);
  }
  const count = ratings.length;
  return {
    count,
    ...(count === 0 ? {} : { average: rounded(sum / count) }),
    by_tool: tools.averages(),
    by_intent: intents.averages(),
  };
}

class Sums {
  readonly #sums = new Map<string, { count: number; sum: number }>();

  add(name: string, rating: number): void {
    const { count, sum } = this.#sums.get(name) ?? { count: 0, sum: 0 };
    this.#sums.set(name, { count: count + 1, sum: sum + rating });
  }

  /** Most ratings first. */
  averages(): { name: string; count: number; average: number }[] {
    const all = [...this.#sums].map(([name, { count, sum }]) => ({
      name,
      count,
      average: rounded(sum / count),
    }));
    return all.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
  }
}

function rounded(average: number): number {
  return Math.round(100 * average) / 100;
}
