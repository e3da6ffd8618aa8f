import { readFileSync } from "node:fs";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type FocusData, openFocus, samplePlace } from "../src/data/index.ts";
import { answerQuery } from "../src/query/answer.ts";
import { QUESTIONS } from "./questions.ts";
import { answers, DOCUMENT, withAnswers } from "./write-answers.ts";

let data: FocusData;
/** The sample's file, asked without anything of the library. */
let bills: DuckDBConnection;
let instance: DuckDBInstance;
beforeAll(async () => {
  data = await openFocus(samplePlace);
  instance = await DuckDBInstance.create();
  bills = await instance.connect();
  await bills.run(`CREATE VIEW bills AS SELECT * FROM read_parquet('${samplePlace}')`);
});
afterAll(() => {
  data.close();
  bills.closeSync();
  instance.closeSync();
});

describe("the answer of the document is what SQL over the bills says", () => {
  test.each(QUESTIONS)("$asked", async ({ query, sql }) => {
    const { parts } = await answerQuery(data, query);
    const [part] = parts;
    const told =
      query.group_by === undefined
        ? [[null, part?.total]]
        : part?.groups.map(({ keys, names, value }) => {
            const [name = ""] = query.group_by ?? [];
            return [names?.[name] ?? keys[name], value];
          });
    const rows = (await bills.runAndReadAll(sql)).getRowObjectsJson();
    expect(rows.length).toBeGreaterThan(0);
    expect(told).toEqual(rows.map(({ key, value }) => [key, Number(value)]));
  });
});

test("the document has these answers", async () => {
  const document = readFileSync(DOCUMENT, "utf8");
  expect(withAnswers(document, await answers(data))).toBe(document);
});
