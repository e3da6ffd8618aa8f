import { type AnswerTable, gatewayContract } from "@interlock/contracts";
import { JsonText } from "../json-text.ts";
import { membersOf, type Step } from "../mesh/index.ts";
import type { StepResult } from "../store/index.ts";
import type { Plan } from "./plan.ts";

/** Characters of JSON that an answer, its run's record and its last event may each have of tables. */
const MOST_CHARS = 64 * 1024;
/** A longer text is not parsed here: that would hold the event loop. */
const LONGEST_TEXT = 512 * 1024;

/**
 * The tables of an answer: `outputs.tables` of the agent that answers, or, where a step joins texts, of the steps that it needs. Rows that
 * would make the answer too large are left out; `total_rows` tells.
 */
export async function tablesOf(
  plan: Pick<Plan, "steps" | "answer">,
  results: Readonly<Record<string, StepResult>>,
): Promise<AnswerTable[]> {
  const answering = plan.steps.find(({ id }) => id === plan.answer?.step);
  const tables: AnswerTable[] = [];
  let left = MOST_CHARS;
  for (const id of sourcesOf(answering)) {
    for (const table of await tablesIn(results[id]?.outputs)) {
      const kept = cut({ node: id, ...table }, left);
      left -= JSON.stringify(kept).length;
      tables.push(kept);
      if (left <= 0) return tables;
    }
  }
  return tables;
}

function sourcesOf(step: Step | undefined): readonly string[] {
  if (step === undefined) return [];
  return step.kind === "render" ? step.needs : [step.id];
}

async function tablesIn(outputs: object | undefined): Promise<AnswerTable[]> {
  const given = await memberOf(outputs, "tables");
  if (!Array.isArray(given)) return [];
  return given.flatMap((table) => {
    const checked = gatewayContract.answerTable(table);
    return checked.ok ? [checked.value] : [];
  });
}

async function memberOf(outputs: object | undefined, name: string): Promise<unknown> {
  if (outputs === undefined) return undefined;
  if (!(outputs instanceof JsonText)) {
    const value: unknown = Object.hasOwn(outputs, name) ? Reflect.get(outputs, name) : undefined;
    return value instanceof JsonText ? parsed(value.text) : value;
  }
  return parsed((await membersOf(outputs)).get(name));
}

function parsed(text: string | undefined): unknown {
  return text === undefined || text.length > LONGEST_TEXT ? undefined : JSON.parse(text);
}

function cut(table: AnswerTable, most: number): AnswerTable {
  let size = JSON.stringify({ ...table, rows: [] }).length;
  const rows = [];
  for (const row of table.rows) {
    size += JSON.stringify(row).length + 1;
    if (size > most) break;
    rows.push(row);
  }
  return { ...table, rows };
}
