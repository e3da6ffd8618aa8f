import { findAnomalies } from "../src/anomaly/find.ts";
import { expectationOf } from "../src/bills/expect.ts";
import type { FocusData } from "../src/data/open.ts";
import { proposingAlert } from "../src/effects/propose-alert.ts";
import { inventoryOf } from "../src/inventory/inventory.ts";
import { answerQuery } from "../src/query/answer.ts";
import { wordsIn } from "../src/texts/language.ts";
import { tellAnomalies, tellCosts, tellInventory } from "../src/texts/tell.ts";
import { tellAlert } from "../src/texts/tell-alert.ts";
import { tellForecast } from "../src/texts/tell-forecast.ts";
import type { Question } from "./questions.ts";

/** A figure of the answer with what it is of; null: of all that was asked for. */
export type Told = readonly [key: string | null | undefined, value: number | undefined];

export type Answered = { readonly text: string; readonly told: readonly Told[] };

const WORDS = wordsIn();

/** Answers a question as the agent does, with the figures that bills can tell. */
export async function answerOf(data: FocusData, question: Question): Promise<Answered> {
  switch (question.task) {
    case undefined:
      return await ofCosts(data, question);
    case "RESOURCE_INFO": {
      const answer = await inventoryOf(data, question.query);
      const [part] = answer.parts;
      const told: Told[] = [
        ["idle", part?.idle.cost],
        ["untagged", part?.untagged.cost],
      ];
      return { text: tellInventory(answer, WORDS), told };
    }
    case "ANOMALY": {
      const answer = await findAnomalies(data, question.query);
      const told = answer.anomalies.map(({ keys, actual }): Told => [keys.service, actual]);
      return { text: tellAnomalies(answer, WORDS), told };
    }
    case "COST_FORECAST": {
      const answer = await endOf(expectationOf(data, question.query));
      const [part] = answer.parts;
      const told: Told[] = [
        ["so far", part?.total.actual],
        ["last month", part?.last_month ?? undefined],
      ];
      return { text: tellForecast(answer, WORDS), told };
    }
    case "ALERT_CONFIG": {
      const answer = await endOf(proposingAlert(data, question.query));
      const { past } = answer.review;
      const told: Told[] = [
        ["exceeded", past?.exceeded],
        ["most", past?.most],
      ];
      return { text: tellAlert(answer, WORDS), told };
    }
    default:
      return question satisfies never;
  }
}

async function ofCosts(
  data: FocusData,
  { query }: Extract<Question, { task?: undefined }>,
): Promise<Answered> {
  const answer = await answerQuery(data, query);
  const [part] = answer.parts;
  const [name = ""] = query.group_by ?? [];
  const told =
    query.group_by === undefined
      ? [[null, part?.total] as const]
      : (part?.groups ?? []).map(({ keys, names, value }): Told => [names?.[name] ?? keys[name], value]);
  return { text: tellCosts(answer, WORDS), told };
}

async function endOf<T>(steps: AsyncGenerator<unknown, T>): Promise<T> {
  for (let step = await steps.next(); ; step = await steps.next()) if (step.done) return step.value;
}
