import { approvals } from "./approvals.ts";
import { ask1, ask32, everysec } from "./asks.ts";
import { conversations } from "./conversations.ts";
import { fullStore } from "./full-store.ts";
import { largePlan } from "./large-plan.ts";
import { mcp } from "./mcp.ts";
import type { Measure } from "./measure.ts";
import { models } from "./models.ts";
import { idle, open10k } from "./open-streams.ts";
import { optimizer } from "./optimizer.ts";
import { peers } from "./peers.ts";
import { plans } from "./plans.ts";
import { replicas } from "./replicas.ts";
import { search } from "./search.ts";
import { secured } from "./secured.ts";
import { spoken } from "./spoken.ts";
import { start } from "./start.ts";
import { burst, paced } from "./streams.ts";
import { tools } from "./tools.ts";
import { traced, tracingOff } from "./traced.ts";
import { understand } from "./understand.ts";

/** In the order of execution: measures that share a gateway come first. */
export const MEASURES: readonly Measure[] = [
  ask1,
  ask32,
  everysec(ask32),
  burst,
  paced,
  everysec(paced),
  mcp,
  peers,
  approvals,
  conversations,
  idle,
  open10k,
  replicas,
  secured,
  traced,
  tracingOff,
  fullStore,
  search,
  spoken,
  models,
  plans,
  largePlan,
  optimizer,
  understand,
  tools,
  start,
];

/** @throws Error for an unknown name */
export function measuresNamed(names: readonly string[] = MEASURES.map(({ name }) => name)): Measure[] {
  return names.map((name) => {
    const found = MEASURES.find((measure) => measure.name === name);
    if (!found) {
      const known = MEASURES.map((measure) => measure.name).join(", ");
      throw new Error(`there is no measure "${name}", only ${known}`);
    }
    return found;
  });
}
