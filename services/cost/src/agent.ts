import {
  type Agent,
  createAgent,
  type TaskContext,
  type TaskDefinition,
  TaskError,
  type TaskRequest,
} from "@interlock/agent-kit";
import {
  type AlertQuery,
  type AnomalyQuery,
  answerQuery,
  applyAhead,
  applyAlert,
  applySaid,
  artifactOf,
  barsOf,
  type Caller,
  type Constraint,
  type CostQuery,
  type ExpectQuery,
  expectationOf,
  FinopsError,
  findAnomalies,
  inventoryOf,
  proposingAlert,
  reportOf,
  type SaidAlert,
  tellAlert,
  tellAnomalies,
  tellCosts,
  tellForecast,
  tellInventory,
  type Words,
  wordsIn,
} from "@interlock/finops";
import type { DataSets, FocusData } from "@interlock/finops/data";
import { ForecastError } from "@interlock/finops/forecast";
import { actionCheckTask } from "./action-check.ts";
import {
  alertInputs,
  alertOutputs,
  anomalyInputs,
  anomalyOutputs,
  card,
  forecastInputs,
  forecastOutputs,
  inventoryInputs,
  inventoryOutputs,
  queryInputs,
  queryOutputs,
  reportInputs,
  reportOutputs,
} from "./card.ts";

export type CostParts = { readonly dataSets: DataSets };

type Inputs = {
  readonly query?: CostQuery &
    Pick<ExpectQuery, "budget" | "changes"> &
    Pick<AlertQuery, "every" | "amount" | "thresholds">;
  readonly constraints?: readonly Constraint[];
  readonly question?: string;
  readonly ahead?: true;
  readonly sensitivity?: AnomalyQuery["sensitivity"];
};

/** What a task works with: the caller's data, and the question with what was said of it. */
type Asked = {
  readonly data: FocusData;
  readonly said: SaidAlert;
  readonly caller: Caller;
  readonly words: Words;
  readonly context: TaskContext;
};
type Answer = { readonly summary: string; readonly [name: string]: unknown };

/** `without`: slots that the task cannot apply; `apply`: how it takes what was said, for what comes is asked otherwise than what was. */
type TaskOptions = Omit<TaskDefinition, "run" | "sample"> & {
  readonly without?: readonly string[];
  readonly apply?: (...asked: Parameters<typeof applyAhead>) => Promise<SaidAlert>;
  /** What every answer tells of, so that asking for it changes nothing. */
  readonly tells?: { readonly slot: string; readonly values: readonly string[] };
};

function isOnlyOf({ slot, op, value }: Constraint, told: NonNullable<TaskOptions["tells"]>): boolean {
  return (
    slot === told.slot && op !== "except" && [value].flat().every((one) => told.values.includes(String(one)))
  );
}

/** Groups that are listed where nobody says how many. Times are listed in full. */
const DEFAULT_TOP = 10;
const TIMES = new Set(["day", "week", "month", "quarter"]);

/** The agent of COST_QUERY, COST_FORECAST, RESOURCE_INFO, ANOMALY, REPORT and ALERT_CONFIG, and of ACTION_CHECK, which judges what the savings agent proposes. */
export function costAgent({ dataSets }: CostParts): Agent {
  const task = (
    answer: (asked: Asked, inputs: Inputs) => Promise<Answer>,
    { without = [], apply = applySaid, tells, ...definition }: TaskOptions,
  ): TaskDefinition => ({
    ...definition,
    sample: () => ({ query: {} }),
    async *run({ inputs }: TaskRequest<Inputs>, context: TaskContext) {
      yield { type: "progress", message: "charges", completed: 0, total: 1 } as const;
      try {
        const data = await dataSets.of(context.caller?.tenant);
        const caller = { rows: context.caller?.rows, signal: context.signal };
        const words = wordsIn(context.language);
        const { query = {}, question, ahead } = inputs;
        const constraints = (inputs.constraints ?? []).filter(({ slot }) => !ahead || slot !== "period");
        const all = await apply(data, { query, constraints, question }, caller, without);
        const isTold = (one: Constraint) => tells !== undefined && isOnlyOf(one, tells);
        const said = {
          ...all,
          applied: [...all.applied, ...all.not_applied.filter(isTold)],
          not_applied: all.not_applied.filter((one) => !isTold(one)),
        };
        const { first_day, last_day } = data.about;
        context.provenance({ billing_data: { first_day, last_day } });
        const { summary, ...found } = await answer({ data, said, caller, words, context }, inputs);
        const { applied, not_applied } = said;
        const slots = [...new Set(not_applied.map(({ slot }) => slot))].join(", ");
        const told = slots === "" ? summary : `${summary}\n${words.notApplied(slots)}`;
        return { ...found, summary: told, applied, not_applied };
      } catch (error) {
        if ((error instanceof FinopsError && error.code !== "QUERY_FAILED") || error instanceof ForecastError)
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
      COST_FORECAST: task(forecast, {
        description:
          "What a period will cost, with 80 and 95 % bands, by which method, and the chance that a budget is exceeded",
        without: ["metric", "group_by", "compare_to", "order", "top"],
        apply: applyAhead,
        inputs: forecastInputs,
        outputs: forecastOutputs,
        examples: [{ query: { period: "next_month", budget: { amount: 150_000 } } }],
      }),
      RESOURCE_INFO: task(inventory, {
        description: "Which resources there are, how they are tagged, and which are idle by their usage data",
        without: ["metric", "group_by", "compare_to", "order"],
        tells: { slot: "saving_kind", values: ["idle", "untagged"] },
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
      ALERT_CONFIG: task(alertConfig, {
        description:
          "A budget or an alert as it would be created: scope, amount, period, thresholds, and the chance that it is exceeded",
        without: ["metric", "compare_to", "order", "top"],
        apply: applyAlert,
        inputs: alertInputs,
        outputs: alertOutputs,
        examples: [{ query: { amount: { amount: 150_000 }, every: "month" } }],
      }),
      ACTION_CHECK: actionCheckTask(dataSets),
    },
  });
}

async function costs({ data, said, caller, words, context }: Asked): Promise<Answer> {
  const { query } = said;
  const group_by = query.group_by ?? (isOfOneService(query) ? [] : ["service"]);
  const isSeries = group_by.every((name) => TIMES.has(name));
  const top = query.top ?? (isSeries ? undefined : DEFAULT_TOP);
  const answer = await answerQuery(
    data,
    { ...query, group_by, ...(top === undefined ? {} : { top }) },
    caller,
  );
  for (const part of answer.parts)
    if (part.groups.length > 1)
      context.attach(artifactOf(barsOf(answer, part, words.metric[answer.query.metric])));
  return { ...answer, summary: tellCosts(answer, words) };
}

/** What is of one service is not told by service. */
function isOfOneService({ filter = [] }: CostQuery): boolean {
  return filter.some(({ field, op, values }) => field === "service" && op === "only" && values.length === 1);
}

async function forecast({ data, said, caller, words, context }: Asked, { query }: Inputs): Promise<Answer> {
  const budget = said.budget ?? query?.budget;
  const { filter, period } = said.query;
  const steps = expectationOf(
    data,
    {
      ...(filter ? { filter } : {}),
      ...(period ? { period } : {}),
      ...(budget ? { budget } : {}),
      ...(query?.changes ? { changes: query.changes } : {}),
    },
    caller,
  );
  const answer = await finished(steps, context);
  return { ...answer, summary: tellForecast(answer, words) };
}

/** Proposes, and creates nothing: that is an effect, behind an approval. */
async function alertConfig(
  { data, said, caller, words, context }: Asked,
  { query }: Inputs,
): Promise<Answer> {
  const { filter, period } = said.query;
  const { budget: amount = query?.amount, every = query?.every, thresholds = query?.thresholds } = said;
  const steps = proposingAlert(
    data,
    {
      ...(filter ? { filter } : {}),
      ...(period ? { period } : {}),
      ...(every ? { every } : {}),
      ...(amount ? { amount } : {}),
      ...(thresholds ? { thresholds } : {}),
    },
    caller,
  );
  const answer = await finished(steps, context);
  return { ...answer, summary: tellAlert(answer, words) };
}

/** Lets other requests go on between the pieces of a long computation. */
async function finished<T>(steps: AsyncGenerator<unknown, T>, { pause }: TaskContext): Promise<T> {
  for (let step = await steps.next(); ; step = await steps.next()) {
    if (step.done) return step.value;
    await pause();
  }
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
  const answer = await finished(reportOf(data, said.query, words, caller), context);
  const { pictures, title, sections, rows, restricted } = answer;
  for (const one of pictures) context.attach(artifactOf(one));
  const contents = words.report.contents(sections.map((one) => one.title).join(", "));
  const summary = [title, ...sections.slice(0, 1).map(({ text }) => text), contents].join("\n");
  return { title, sections, rows, restricted, summary };
}
