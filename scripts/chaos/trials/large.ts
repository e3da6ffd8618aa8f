import { ask } from "../api.ts";
import { fresh } from "../load/load.ts";
import { probe } from "./probe.ts";
import type { Trial } from "./trial.ts";

const PLANS = 3;
const ITEMS = 10_000;

/**
 * Plans of ten thousand items, several at once, and bodies of the largest size. How long `/healthz` takes meanwhile is reported and not
 * judged, since it depends on what else uses the cores; the gateways' own stalls are judged.
 */
export const largePlans: Trial = {
  name: "plans of 10,000 items, large bodies",
  async run({ world, api, ledger, size }) {
    const caller = { user: "large", tenant: "north", roles: [] };
    const probes = world.gateways.map(({ url }) => probe(url));
    const items = Array.from({ length: ITEMS }, (_, n) => ({
      item_id: `ITEM-${n}`,
      tiers: {
        new: { price: n + 0.5, note: "x".repeat(200) },
        used: { price: n / 3, bounds: { min: 1, max: 2 } },
      },
    }));
    const inputs = { ms: 50, beats: 1, gate: false, items };
    const plans = Array.from({ length: PLANS * size }, async () => {
      const stream = api.client(caller, "large plan").chat("change", { sessionId: fresh("s"), inputs });
      return (await stream.result).status;
    });
    const text = "x".repeat(7 * 1024 * 1024);
    const bodies = Array.from({ length: 5 * size }, async (_, at) => {
      const body = { message: "work", session_id: fresh("s"), inputs: { ms: 0, text } };
      const replica = api.replicas[at % api.replicas.length] ?? "";
      return (await ask(replica, "POST", "/chat", caller, { body, timeoutMs: 30_000 })).status;
    });
    const good = (await Promise.all(plans)).filter((status) => status === "ok").length;
    // The worker takes no text: 422. A gateway may be busy: 503.
    const odd = (await Promise.all(bodies)).filter((status) => ![200, 400, 422, 502, 503].includes(status));
    const longest = Math.max(...(await Promise.all(probes.map((stop) => stop()))));
    ledger.count("large bodies", plans.length + bodies.length);
    if (good < plans.length)
      ledger.violate("plan failed", "large", `${plans.length - good} of ${plans.length}`);
    if (odd.length > 0) ledger.violate("large body", "answered with", odd.join(" "));
    return [
      ["large plans that ended ok", `${good} of ${plans.length}`],
      ["longest answer of /healthz meanwhile", `${Math.round(longest)} ms`],
    ];
  },
};
