import { Redis } from "ioredis";
import { keysOf } from "../../src/store/keys.ts";
import { GOOD_OUTPUTS, pricingMesh } from "./mesh.ts";
import { answering, type Call, failing } from "./stand-in.ts";

export const PROPOSED = [
  { item_id: "A100", price: 12 },
  { item_id: "A200", price: 15 },
];
export const CURRENT = [
  { item_id: "A100", price: 10 },
  { item_id: "A200", price: 14 },
];

/** The rule of the publishing flow: two pricing leads, four eyes, edits that the policy has to pass. */
export const RULE = {
  proposal: "steps.optimize.outputs.items",
  show: { before: "request.inputs.items", robustness: "steps.robustness.outputs" },
  roles: ["pricing-lead"],
  four_eyes: true,
  expires_in_s: 3_600,
  edit: {
    keys: ["item_id"],
    set: "price",
    schema: { type: "array", items: { type: "object", required: ["item_id", "price"] } },
    check: {
      agent: "policy",
      task_type: "POLICY_CHECK",
      inputs: { proposed: "proposal" },
      accept: "outputs.passed",
    },
  },
};

/** The mesh of the plans, with a flow `publishing` whose last step is an effect that waits for an approval. */
export function publishingMesh(url: string, rule: object = RULE) {
  const mesh = pricingMesh(url);
  const publishing = {
    steps: {
      optimize: { agent: "optimizer", task_type: "PRICE_OPTIMIZATION", inputs: "request.inputs" },
      robustness: {
        agent: "sensitivity",
        task_type: "SENSITIVITY_ANALYSIS",
        needs: ["optimize"],
        optional: true,
        inputs: {},
      },
      publish: {
        needs: ["optimize"],
        after: ["robustness"],
        publish: { prices: "approval.proposal" },
        to: "price-book",
        // Most tests publish without inputs; sample.test.ts has what happens without this.
        allow_sample: true,
        approval: rule,
      },
      report: {
        needs: ["optimize"],
        after: ["publish"],
        render: {
          first: [{ text: "Published: {steps.publish.outputs.published}." }, { literal: "Proposed." }],
        },
      },
    },
    goals: { publishing: ["robustness", "publish"] },
    answer: "report",
  };
  return {
    ...mesh,
    endpoints: { ...mesh.endpoints, "price-book": { book: "price-book" } },
    flows: { ...mesh.flows, publishing },
    services: {
      ...mesh.services,
      publishing: { flow: "publishing", keywords: ["publish"], orders: { en: ["publish"] } },
    },
  };
}

/** What the agents of the publishing flow answer where a test does not care. */
export const PUBLISHING = {
  PRICE_OPTIMIZATION: answering({ items: PROPOSED }),
  SENSITIVITY_ANALYSIS: answering(GOOD_OUTPUTS.SENSITIVITY_ANALYSIS),
  // The policy refuses what costs more than 20, and cannot work with what is no number.
  POLICY_CHECK: (call: Call) => {
    const { proposed = [] } = call.body.inputs as { proposed?: { price: number }[] };
    if (proposed.some(({ price }) => typeof price !== "number"))
      return failing("INVALID_INPUTS", "No price is a text.")(call);
    return answering({ passed: proposed.every(({ price }) => price <= 20) })(call);
  },
};

export type BookEntry = {
  effect: string;
  payload: {
    run_id: string;
    step: string;
    approval_id: string | null;
    approved_by: string | null;
    payload: unknown;
  };
};

/** Looks into the store, as nobody but a test does. */
export class StoreView {
  readonly redis: Redis;

  constructor(url: string) {
    this.redis = new Redis(url);
  }

  /** What was published for a run. */
  async published(runId: string, tenant = "default"): Promise<BookEntry[]> {
    const entries = await this.redis.xrange(keysOf(tenant).book("price-book"), "-", "+");
    const all = entries.map(([, [, effect = "", , payload = "null"]]) => ({
      effect,
      payload: JSON.parse(payload),
    }));
    return all.filter(({ payload }) => payload.run_id === runId);
  }

  stop(): void {
    this.redis.disconnect();
  }
}
