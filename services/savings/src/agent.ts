import { type Agent, createAgent, type TaskContext, TaskError, type TaskRequest } from "@interlock/agent-kit";
import { FinopsError } from "@interlock/finops";
import type { DataSets } from "@interlock/finops/data";
import { planning, SavingsError, type SavingsPlan, type SavingsRequest } from "@interlock/finops/savings";
import { alertCheckTask } from "./alert-check.ts";
import { card, inputsSchema, outputsSchema } from "./card.ts";
import { type BillsInputs, fromBills } from "./from-bills.ts";
import { type SavingsInputs, sampleInputs } from "./inputs.ts";
import { summaryOf } from "./summary.ts";

export type SavingsParts = {
  readonly enabled?: boolean;
  /** The bills that are judged where a request brings nothing of its own. */
  readonly dataSets: DataSets;
};

/** The agent of SAVINGS, which proposes, and of ALERT_CHECK, which judges what the cost agent proposes: nobody judges his own proposal. */
export function savingsAgent({ enabled = true, dataSets }: SavingsParts): Agent {
  async function* run({ inputs }: TaskRequest<SavingsInputs | BillsInputs>, context: TaskContext) {
    if (!enabled) throw new TaskError("SAVINGS_OFF", "Recommendations are switched off here.");
    yield { type: "progress", message: "judging" } as const;
    try {
      return "resources" in inputs
        ? await ofInputs(inputs, context)
        : await ofBills(await fromBills(dataSets, inputs, context), context);
    } catch (error) {
      const isKnown = error instanceof FinopsError && error.code !== "QUERY_FAILED";
      if (error instanceof SavingsError || isKnown)
        throw new TaskError(error.code, error.message, error.details);
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
        sample: () => ({ query: {} }),
        examples: [{ query: { kinds: ["idle", "commitment"] } }, sampleInputs()],
        run,
      },
      ALERT_CHECK: alertCheckTask(dataSets),
    },
  });
}

async function ofInputs(inputs: SavingsInputs, context: TaskContext) {
  const { currency = "USD", language = context.language, ...request } = inputs;
  const plan = await planOf(request, context);
  return { summary: summaryOf(plan, { currency, language }), currency, ...plan, actions: actionsOf(plan) };
}

async function ofBills(basis: Awaited<ReturnType<typeof fromBills>>, context: TaskContext) {
  const { request, kinds, not_judged, ...about } = basis;
  const plan = await planOf({ ...request, kinds }, context);
  const isOfCommitments = kinds.includes("commitment");
  const all = { ...plan, not_judged: [...plan.not_judged, ...(isOfCommitments ? not_judged : [])] };
  context.provenance({ billing_data: { first_day: about.period.from, last_day: about.period.to } });
  return {
    ...about,
    kinds,
    ...all,
    summary: summaryOf(all, { currency: about.currency, language: context.language, basis }),
    actions: actionsOf(all, basis.top),
  };
}

async function planOf(request: SavingsRequest, context: TaskContext): Promise<SavingsPlan> {
  const steps = planning(request);
  let next = steps.next();
  for (; !next.done; next = steps.next()) await context.pause();
  return next.value;
}

/** What an approval is asked for: each change with what it saves, or those that save most. Tags are no change of what is paid. */
function actionsOf({ recommendations }: SavingsPlan, top = recommendations.length) {
  const saving = recommendations.filter(({ monthly_saving }) => monthly_saving > 0);
  const most = new Set(saving.toSorted((a, b) => b.monthly_saving - a.monthly_saving).slice(0, top));
  return saving
    .filter((one) => most.has(one))
    .map(({ id, action, monthly_saving, joint_saving, confidence, risk }) => ({
      id,
      ...action,
      monthly_saving,
      joint_saving,
      confidence,
      risk,
    }));
}
