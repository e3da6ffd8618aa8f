/** A test may hold a step while it starts other gateways, which takes seconds on a busy machine. */
const LIMITS = { timeout_ms: 20_000, retries: 0, backoff_ms: 1 };

/**
 * A small pricing mesh, all of whose agents are at one address. `propose` is needed by the check, which is needed by what follows;
 * `explain` and `robustness` do not wait for each other.
 */
export function pricingMesh(url: string) {
  const agent = (task: string) => ({ url, tasks: { [task]: `Does ${task}.` }, limits: LIMITS });
  return {
    // Whatever a test binds its gateway to: all agents are here.
    egress: { allow: ["127.0.0.0/8"] },
    agents: {
      optimizer: agent("PRICE_OPTIMIZATION"),
      policy: agent("POLICY_CHECK"),
      explainer: agent("PRICE_EXPLANATION"),
      sensitivity: agent("SENSITIVITY_ANALYSIS"),
    },
    flows: {
      pricing: {
        steps: {
          optimize: {
            agent: "optimizer",
            task_type: "PRICE_OPTIMIZATION",
            inputs: "request.inputs",
            show: "outputs",
          },
          check: {
            agent: "policy",
            task_type: "POLICY_CHECK",
            needs: ["optimize"],
            inputs: { proposed: "steps.optimize.outputs.items" },
            show: { passed: "outputs.passed" },
            keep: { proposed: "inputs.proposed" },
            repair: {
              when: "outputs.passed == false && has(outputs.fixed_prices)",
              inputs: { proposed: "outputs.fixed_prices" },
              max_rounds: 2,
            },
          },
          explain: {
            agent: "explainer",
            task_type: "PRICE_EXPLANATION",
            needs: ["check"],
            inputs: { proposed: "steps.check.kept.proposed" },
          },
          robustness: {
            agent: "sensitivity",
            task_type: "SENSITIVITY_ANALYSIS",
            needs: ["check"],
            optional: true,
            inputs: { proposed: "steps.check.kept.proposed" },
          },
          report: {
            needs: ["check"],
            after: ["explain", "robustness"],
            render: [
              { text: "Passed: {steps.check.outputs.passed}" },
              "steps.explain.outputs.summary",
              "steps.robustness.outputs.summary",
            ],
          },
        },
        goals: {
          optimizer: ["optimize"],
          policy: ["check"],
          explainer: ["explain"],
          sensitivity: ["robustness"],
        },
        answer: "report",
      },
    },
    services: {
      optimizer: {
        agent: "optimizer",
        task_type: "PRICE_OPTIMIZATION",
        keywords: ["propose"],
        answer: "outputs.summary",
      },
      policy: { agent: "policy", task_type: "POLICY_CHECK", keywords: ["hierarch", "check"] },
      explainer: { agent: "explainer", task_type: "PRICE_EXPLANATION", keywords: ["explain", "driver"] },
      sensitivity: { agent: "sensitivity", task_type: "SENSITIVITY_ANALYSIS", keywords: ["robust"] },
      pricing: { flow: "pricing", keywords: ["full review"] },
    },
    endpoints: { "policy/check": { task_type: "POLICY_CHECK" } },
    general: "Ask for prices.",
    models: { default: "rules", allow: ["rules", "large", "small"], tasks: { optimizer: "large" } },
  };
}

/** What all agents of the mesh answer where a test does not care. */
export const GOOD_OUTPUTS = {
  PRICE_OPTIMIZATION: { items: [{ item_id: "A100" }], summary: "One price moves." },
  POLICY_CHECK: { passed: true, violations: [] },
  PRICE_EXPLANATION: { summary: "Cost drives it." },
  SENSITIVITY_ANALYSIS: { summary: "Robust." },
} as const;

export const COMPOSITE_ASK = "Propose Q1 prices that respect the hierarchy, then explain the drivers";
