import { type TaskContext, type TaskDefinition, TaskError, type TaskRequest } from "@interlock/agent-kit";
import { constraintsSchema, FinopsError, judgeActions, judgementSchema } from "@interlock/finops";
import type { DataSets } from "@interlock/finops/data";

type Inputs = Parameters<typeof judgeActions>[1];

const EXAMPLE: Inputs = {
  constraints: [{ slot: "saving_kind", op: "only", value: ["idle"] }],
  proposed: [{ type: "stop", target: "111122223333/app/4a31", parameters: {} }],
};

const text = { type: "string", maxLength: 2048 } as const;

/** The task that holds actions on savings to what was said, before somebody is asked and before they are handed over. */
export function actionCheckTask(dataSets: DataSets): TaskDefinition {
  return {
    description: "Judges whether actions on savings are what was said, and about what the bills have",
    inputs: {
      type: "object",
      required: ["proposed"],
      properties: {
        constraints: constraintsSchema,
        question: { type: "string", maxLength: 20_000 },
        judged: {
          type: "object",
          required: ["from", "to"],
          properties: { from: text, to: text },
          description: "The days that they were judged by",
        },
        proposed: {
          type: "array",
          maxItems: 20_000,
          items: {
            type: "object",
            required: ["type", "target", "parameters"],
            properties: { type: text, target: text, parameters: { type: "object" } },
          },
        },
      },
      additionalProperties: false,
    },
    outputs: judgementSchema,
    sample: () => EXAMPLE,
    examples: [EXAMPLE],
    async *run({ inputs }: TaskRequest<Inputs>, { caller, signal }: TaskContext) {
      yield { type: "progress", message: "judged", completed: 0, total: 1 } as const;
      try {
        const data = await dataSets.of(caller?.tenant);
        const { constraints = [], question, judged, proposed } = inputs;
        return await judgeActions(
          data,
          { constraints, question, judged, proposed },
          { rows: caller?.rows, signal },
        );
      } catch (error) {
        if (error instanceof FinopsError && error.code !== "QUERY_FAILED")
          throw new TaskError(error.code, error.message, error.details);
        throw error;
      }
    },
  };
}
