import { type Agent, createAgent, type TaskContext, TaskError, type TaskRequest } from "@interlock/agent-kit";
import {
  aboutCatalogue,
  applyPaused,
  failuresOf,
  inLanguage,
  type PolicyInputs,
  PricingError,
  policySteps,
  type RulePack,
  says,
} from "@interlock/pricing";
import { artifactOf, policyPictures } from "@interlock/pricing/pictures";
import { card, inputsSchema, outputsSchema } from "./card.ts";
import { orderCheckTask } from "./order-check.ts";

export type PolicyParts = { readonly rulePack: RulePack; readonly sample: () => PolicyInputs };

/** Checked items between two progress events. */
const REPORT_EVERY = 500;
/** Checked items between two pauses, in which other requests are served and the run can be cancelled. */
const PAUSE_EVERY = 20;

/** The agent of POLICY_CHECK and ORDER_CHECK. */
export function policyAgent({ rulePack, sample }: PolicyParts): Agent {
  async function* run(
    { inputs: asked, sample: isSample }: TaskRequest<PolicyInputs>,
    { attach, language, pause, provenance }: TaskContext,
  ) {
    const given = inLanguage(asked, language);
    provenance({ rule_pack: { name: rulePack.name, version: rulePack.version } });
    try {
      const constrained = await applyPaused(given, { pack: rulePack, pause, without: ["objective"] });
      const { inputs } = constrained;
      const { applied, notApplied, top } = constrained.effects(inputs.proposed);
      const steps = policySteps(inputs, rulePack, { top, isMove: says(given, "price_move") });
      let step = steps.next();
      for (; !step.done; step = steps.next()) {
        const { checked, total } = step.value;
        if (checked % PAUSE_EVERY === 0) await pause();
        if (checked % REPORT_EVERY === 0 || checked === total) {
          yield { type: "progress", message: "checked", completed: checked, total } as const;
        }
      }
      for (const one of policyPictures(inputs, step.value)) attach(artifactOf(one));
      const failures = [...failuresOf(constrained.errors), ...step.value.failures];
      return aboutCatalogue({ ...step.value, failures, applied, not_applied: notApplied }, inputs, isSample);
    } catch (error) {
      if (error instanceof PricingError) throw new TaskError(error.code, error.message, error.details);
      throw error;
    }
  }

  return createAgent({
    card,
    tasks: {
      POLICY_CHECK: {
        description: "Judges prices by the rule pack and names the nearest prices that keep every rule",
        inputs: inputsSchema,
        outputs: outputsSchema,
        sample,
        examples: [{ prices: { new: 100, exchange: 98 }, region: "EMEA" }],
        run,
      },
      ORDER_CHECK: orderCheckTask(rulePack),
    },
  });
}
