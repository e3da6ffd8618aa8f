import type { Agent } from "@interlock/agent-kit";
import { startAgent } from "@interlock/agent-kit/testing";
import { explainerAgent } from "@interlock/explainer/agent";
import { optimizerAgent } from "@interlock/optimizer/agent";
import { policyAgent } from "@interlock/policy/agent";
import {
  type Explanation,
  formatFor,
  type ItemProposal,
  type PolicyResult,
  type PricingInputs,
  type ProposedItem,
  type RulePack,
  type SensitivityReport,
} from "@interlock/pricing";
import { datasetsUnder, sampleInputs } from "@interlock/pricing/datasets";
import { pictureIn } from "@interlock/pricing/pictures";
import { sensitivityAgent } from "@interlock/sensitivity/agent";
import { pageOf, type Section, type Table } from "./page.ts";
import { svgOf } from "./render.ts";

export type ReportParts = {
  /** As DATASETS_DIR. */
  readonly datasets: string | undefined;
  readonly rulePack: RulePack;
  /** ISO 8601. */
  readonly now: string;
};

type Answer<T> = {
  readonly outputs: T;
  readonly warnings: readonly string[];
  readonly artifacts: readonly string[];
};

/** Rows of a table; the answers themselves have all. */
const MOST_ROWS = 100;

/**
 * Asks the four pricing agents about the inputs and writes their answers, tables and pictures as one page.
 * @param inputs undefined: the sample
 * @throws Error with the agent's message if one of them refuses
 */
export async function reportOf(inputs: PricingInputs | undefined, parts: ReportParts): Promise<string> {
  const given = inputs ?? sampleInputs();
  const shared = { datasets: datasetsUnder(parts.datasets), rulePack: parts.rulePack, sample: sampleInputs };
  const proposal = await ask<{ items: ItemProposal[]; summary: string }>(
    optimizerAgent(shared),
    "PRICE_OPTIMIZATION",
    given,
  );
  const proposed: ProposedItem[] = proposal.outputs.items.map(({ item_id, tiers }) => ({ item_id, tiers }));
  const { objective: _, ...rules } = given;
  const policy = await ask<PolicyResult>(policyAgent(shared), "POLICY_CHECK", { ...rules, proposed });
  const reasons = await ask<Explanation>(explainerAgent(shared), "PRICE_EXPLANATION", { ...given, proposed });
  const risk = await ask<SensitivityReport>(sensitivityAgent(shared), "SENSITIVITY_ANALYSIS", {
    ...given,
    proposed,
  });
  const format = formatFor(given);
  const sections: Section[] = [
    await sectionOf("Proposed prices", proposal, [pricesTable(proposal.outputs.items, format)]),
    await sectionOf("Rules", policy, [violationsTable(policy.outputs)]),
    await sectionOf("Why", reasons, [reasonsTable(reasons.outputs)]),
    await sectionOf("How sure", risk, [riskTable(risk.outputs, format)]),
  ];
  const name = given.catalogue === undefined ? "Prices" : `Prices: ${given.catalogue}`;
  const { name: pack, version } = parts.rulePack;
  const note = inputs === undefined ? " This is the sample, not your data." : "";
  return pageOf(name, `Made ${parts.now} under rule pack ${pack} ${version}.${note}`, sections);
}

async function ask<T>(agent: Agent, taskType: string, inputs: object): Promise<Answer<T>> {
  const running = await startAgent(agent);
  try {
    const { body } = await running.sync({ task_type: taskType, mode: "LIVE", inputs });
    if (body.ok !== true) {
      const reason = "error" in body ? body.error?.message : undefined;
      throw new Error(`${taskType}: ${reason ?? "no answer"}`);
    }
    return { outputs: body.outputs as T, warnings: body.warnings ?? [], artifacts: body.artifacts ?? [] };
  } finally {
    await running.close();
  }
}

async function sectionOf(
  title: string,
  { outputs, warnings, artifacts }: Answer<{ summary: string }>,
  tables: readonly Table[],
): Promise<Section> {
  const pictures: string[] = [];
  for (const artifact of artifacts) {
    const spec = pictureIn(artifact);
    if (spec) pictures.push(await svgOf(spec));
  }
  return { title, text: outputs.summary, tables, pictures, warnings };
}

function cut(table: Table): Table {
  const more = table.rows.length - MOST_ROWS;
  if (more <= 0) return table;
  return {
    ...table,
    caption: `${table.caption} (the first ${MOST_ROWS} of ${table.rows.length} rows)`,
    rows: table.rows.slice(0, MOST_ROWS),
  };
}

type Format = ReturnType<typeof formatFor>;

function pricesTable(items: readonly ItemProposal[], format: Format): Table {
  return cut({
    caption: "Prices and profit per period",
    head: ["Item", "Tier", "Stopped by", "Today", "Proposed", "Change", "Profit today", "Profit expected"],
    textColumns: 3,
    rows: items.flatMap(({ item_id, tiers }) =>
      Object.entries(tiers).map(([name, tier]) => [
        ...[item_id, name, tier.binding.join(", ") || "–"],
        ...[format.price(tier.current_price), format.price(tier.price), format.signedShare(tier.change_pct)],
        ...[format.money(tier.current.profit), format.money(tier.expected.profit)],
      ]),
    ),
  });
}

function violationsTable({ current, proposed }: PolicyResult): Table {
  const rows = [
    ...current.violations.map(({ item_id, message }) => ["today", item_id, message]),
    ...(proposed?.violations ?? []).map(({ item_id, message }) => ["proposed", item_id, message]),
  ];
  return cut({ caption: "Violations", head: ["Prices", "Item", "What breaks"], textColumns: 3, rows });
}

function reasonsTable({ items }: Explanation): Table {
  return cut({
    caption: "Reasons",
    head: ["Item", "Tier", "Reason"],
    textColumns: 3,
    rows: items.flatMap(({ item_id, tiers }) =>
      Object.entries(tiers).map(([name, { narrative }]) => [item_id, name, narrative]),
    ),
  });
}

function riskTable({ items, objective }: SensitivityReport, format: Format): Table {
  return cut({
    caption: `Change of ${objective} per period against today's prices, over all draws`,
    head: ["Item", "Better than today in", "5% quantile", "Median", "95% quantile"],
    textColumns: 1,
    rows: items.map(({ item_id, robustness, difference_band }) => [
      item_id,
      robustness.score === null ? "same in all draws" : format.share(robustness.score, 3),
      format.signedMoney(difference_band.p5),
      format.signedMoney(difference_band.p50),
      format.signedMoney(difference_band.p95),
    ]),
  });
}
