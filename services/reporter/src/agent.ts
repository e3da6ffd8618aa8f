import { type Agent, createAgent, type TaskContext, TaskError, type TaskRequest } from "@interlock/agent-kit";
import { inLanguage, PricingError, type ReportInputs, type RulePack, reportSteps } from "@interlock/pricing";
import { card, inputsSchema, outputsSchema } from "./card.ts";
import { sampleReview } from "./sample.ts";

export type ReporterParts = { readonly rulePack: RulePack };

/** Items between two pauses: composing a line is little work. */
const PAUSE_EVERY = 500;

/** The agent of PRICING_REPORT. */
export function reporterAgent({ rulePack }: ReporterParts): Agent {
  async function* run({ inputs }: TaskRequest<ReportInputs>, { language, pause, provenance }: TaskContext) {
    provenance({ rule_pack: { name: rulePack.name, version: rulePack.version } });
    try {
      const steps = reportSteps(inLanguage(inputs, language), rulePack);
      let step = steps.next();
      for (let done = 1; !step.done; step = steps.next(), done++) if (done % PAUSE_EVERY === 0) await pause();
      yield { type: "progress", message: "composed", completed: 1, total: 1 } as const;
      return step.value;
    } catch (error) {
      if (error instanceof PricingError) throw new TaskError(error.code, error.message, error.details);
      throw error;
    }
  }

  return createAgent({
    card,
    tasks: {
      PRICING_REPORT: {
        description:
          "Composes the review of a proposal from the other agents' answers: its text, the prices that are to take effect, and what an approver sees",
        inputs: inputsSchema,
        outputs: outputsSchema,
        sample: sampleReview,
        examples: [sampleReview()],
        run,
      },
    },
  });
}
