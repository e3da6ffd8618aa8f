import {
  type Agent,
  createAgent,
  type TaskContext,
  type TaskDefinition,
  TaskError,
  type TaskRequest,
} from "@interlock/agent-kit";
import {
  type AnomalyQuery,
  answerQuery,
  applySaid,
  artifactOf,
  barsOf,
  type Caller,
  type Constraint,
  type CostQuery,
  FinopsError,
  findAnomalies,
  inventoryOf,
  reportOf,
  type Said,
  tellAnomalies,
  tellCosts,
  tellInventory,
  type Words,
  wordsIn,
} from "@interlock/finops";
import type { DataSets, FocusData } from "@interlock/finops/data";
import {
  anomalyInputs,
  anomalyOutputs,
  card,
  inventoryInputs,
  inventoryOutputs,
  queryInputs,
  queryOutputs,
  reportInputs,
  reportOutputs,
} from "./card.ts";

export type CostParts = { readonly dataSets: DataSets };

type Inputs = {
  readonly query?: CostQuery;
  readonly constraints?: readonly Constraint[];
  readonly sensitivity?: AnomalyQuery["sensitivity"];
};

/** What a task works with: the caller's data, and the question with what was said of it. */
type Asked = {
  readonly data: FocusData;
  readonly said: Said;
  readonly caller: Caller;
  readonly words: Words;
  readonly context: TaskContext;
};
type Answer = { readonly summary: string; readonly [name: string]: unknown };

/** Groups that are listed where nobody says how many. Times are listed in full. */
const DEFAULT_TOP = 10;
const TIMES = new Set(["day", "week", "month", "quarter"]);

/** The agent of COST_QUERY, RESOURCE_INFO, ANOMALY and REPORT. */
export function costAgent({ dataSets }: CostParts): Agent {
  /** `without`: slots that the task cannot apply. */
  const task = (
    answer: (asked: Asked, inputs: Inputs) => Promise<Answer>,
    { without = [], ...definition }: Omit<TaskDefinition, "run" | "sample"> & { without?: readonly string[] },
  ): TaskDefinition => ({
    ...definition,
    sample: () => ({ query: {} }),
    async *run({ inputs }: TaskRequest<Inputs>, context: TaskContext) {
      yield { type: "progress", message: "charges", completed: 0, total: 1 } as const;
      try {
        const data = await dataSets.of(context.caller?.tenant);
        const caller = { rows: context.caller?.rows, signal: context.signal };
        const words = wordsIn(context.language);
        const { query = {}, constraints } = inputs;
        const said = await applySaid(data, { query, constraints }, caller, without);
        const { first_day, last_day } = data.about;
        context.provenance({ billing_data: { first_day, last_day } });
        const { summary, ...found } = await answer({ data, said, caller, words, context }, inputs);
        const { applied, not_applied } = said;
        const slots = [...new Set(not_applied.map(({ slot }) => slot))].join(", ");
        const told = slots === "" ? summary : `${summary}\n${words.notApplied(slots)}`;
        return { ...found, summary: told, applied, not_applied };
      } catch (error) {
        if (error instanceof FinopsError && error.code !== "QUERY_FAILED")
          throw new TaskError(error.code, error.message, error.details);
        throw error;
      }
    },
  });

  return createAgent({
    card,
    tasks: {
      COST_QUERY: task(costs, {
        description:
          "What was spent or used: by metric, groups, filters and period, compared with another one",
        inputs: queryInputs,
        outputs: queryOutputs,
        examples: [
          { query: { group_by: ["service"], period: "last_month", compare_to: "previous", top: 5 } },
        ],
      }),
      RESOURCE_INFO: task(inventory, {
        description: "Which resources there are, how they are tagged, and which are idle by their usage data",
        without: ["metric", "group_by", "compare_to", "order"],
        inputs: inventoryInputs,
        outputs: inventoryOutputs,
        examples: [{ query: { period: "last_30_days", top: 5 } }],
      }),
      ANOMALY: task(anomalies, {
        description: "What cost more or less than is usual, since when, and why: price, quantity or mix",
        without: ["metric", "compare_to", "order"],
        inputs: anomalyInputs,
        outputs: anomalyOutputs,
        examples: [{ query: { period: "last_90_days" } }],
      }),
      REPORT: task(report, {
        description: "A report: totals, trend, services, accounts, what was unusual, resources and tags",
        without: ["metric", "group_by", "compare_to", "order"],
        inputs: reportInputs,
        outputs: reportOutputs,
        examples: [{ query: { period: "last_month" } }],
      }),
    },
  });
}

async function costs({ data, said, caller, words, context }: Asked): Promise<Answer> {
  const { query } = said;
  const listed = query.top ?? (query.group_by?.every((name) => TIMES.has(name)) ? undefined : DEFAULT_TOP);
  const answer = await answerQuery(
    data,
    { ...query, ...(listed === undefined ? {} : { top: listed }) },
    caller,
  );
  for (const part of answer.parts)
    if (part.groups.length > 1)
      context.attach(artifactOf(barsOf(answer, part, words.metric[answer.query.metric])));
  return { ...answer, summary: tellCosts(answer, words) };
}

async function inventory({ data, said, caller, words }: Asked): Promise<Answer> {
  const answer = await inventoryOf(data, said.query, caller);
  return { ...answer, summary: tellInventory(answer, words) };
}

async function anomalies({ data, said, caller, words }: Asked, { sensitivity }: Inputs): Promise<Answer> {
  const answer = await findAnomalies(
    data,
    { ...said.query, ...(sensitivity ? { sensitivity } : {}) },
    caller,
  );
  return { ...answer, summary: tellAnomalies(answer, words) };
}

async function report({ data, said, caller, words, context }: Asked): Promise<Answer> {
  const steps = reportOf(data, said.query, words, caller);
  let step = await steps.next();
  while (!step.done) {
    await context.pause();
    step = await steps.next();
  }
  const { pictures, title, sections, rows } = step.value;
  for (const one of pictures) context.attach(artifactOf(one));
  const contents = words.report.contents(sections.map((one) => one.title).join(", "));
  const summary = [title, ...sections.slice(0, 1).map(({ text }) => text), contents].join("\n");
  return { title, sections, rows, restricted: step.value.restricted, summary };
}
