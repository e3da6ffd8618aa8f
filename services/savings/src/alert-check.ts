import type { TaskContext, TaskDefinition, TaskRequest } from "@interlock/agent-kit";
import {
  type Alert,
  alertsSchema,
  type Constraint,
  constraintsSchema,
  judgeAlert,
  judgementSchema,
} from "@interlock/finops";
import type { DataSets } from "@interlock/finops/data";

type Inputs = {
  readonly constraints?: readonly Constraint[];
  readonly question?: string;
  readonly proposed: readonly Alert[];
};

const EXAMPLE: Inputs = {
  constraints: [
    { slot: "provider", op: "only", value: ["AWS"] },
    { slot: "budget", op: "set", value: 60_000, unit: "money" },
  ],
  proposed: [
    {
      id: "budget-aws-month",
      kind: "budget",
      metric: "effective",
      filter: [{ field: "provider", op: "only", values: ["AWS"] }],
      amount: 60_000,
      currency: "USD",
      period: { every: "month" },
      thresholds: [{ share: 1, of: "actual" }],
    },
  ],
};

/** The task that holds a budget to what was said, before somebody is asked and before it takes effect. */
export function alertCheckTask(dataSets: DataSets): TaskDefinition {
  return {
    description:
      "Judges whether a budget or an alert is exactly what was said: scope, amount, days and thresholds",
    inputs: {
      type: "object",
      required: ["proposed"],
      properties: {
        constraints: constraintsSchema,
        question: { type: "string", maxLength: 20_000 },
        proposed: alertsSchema,
      },
      additionalProperties: false,
    },
    outputs: judgementSchema,
    sample: () => EXAMPLE,
    examples: [EXAMPLE],
    async *run({ inputs }: TaskRequest<Inputs>, { caller }: TaskContext) {
      yield { type: "progress", message: "judged", completed: 0, total: 1 } as const;
      const data = await dataSets.of(caller?.tenant);
      const { constraints = [], question, proposed } = inputs;
      return judgeAlert({ constraints, question, proposed }, data.about, caller?.rows);
    },
  };
}
