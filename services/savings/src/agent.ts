import { type Agent, createAgent, type TaskContext, TaskError, type TaskRequest } from "@interlock/agent-kit";
import { planning, SavingsError } from "@interlock/finops/savings";
import { card, inputsSchema, outputsSchema } from "./card.ts";
import { type SavingsInputs, sampleInputs } from "./inputs.ts";
import { summaryOf } from "./summary.ts";

/** The agent of SAVINGS. It proposes: whoever carries an action out asks for an approval. */
export function savingsAgent({ enabled = true }: { readonly enabled?: boolean } = {}): Agent {
  async function* run({ inputs }: TaskRequest<SavingsInputs>, context: TaskContext) {
    if (!enabled) throw new TaskError("SAVINGS_OFF", "Recommendations are switched off here.");
    const { currency = "USD", language = context.language, ...request } = inputs;
    yield { type: "progress", message: "judging" } as const;
    try {
      const steps = planning(request);
      let next = steps.next();
      for (; !next.done; next = steps.next()) await context.pause();
      const plan = next.value;
      return { summary: summaryOf(plan, { currency, language }), currency, ...plan };
    } catch (error) {
      if (error instanceof SavingsError) throw new TaskError(error.code, error.message, error.details);
      throw error;
    }
  }

  return createAgent({
    card,
    tasks: {
      SAVINGS: {
        description: "What to change about cloud spend, what each change saves, and what they save together",
        inputs: inputsSchema,
        outputs: outputsSchema,
        sample: sampleInputs,
        run,
      },
    },
  });
}
