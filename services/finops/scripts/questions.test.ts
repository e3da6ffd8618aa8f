import { readFileSync } from "node:fs";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type FocusData, openFocus, samplePlace } from "../src/data/index.ts";
import { answerOf } from "./answer-question.ts";
import { QUESTIONS, type Question } from "./questions.ts";
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

/** Sums of days that are numbers already, and not decimals. */
const isSum = ({ task }: Question): boolean => task !== undefined;
const near = (value: unknown) => expect.closeTo(Number(value), 6);

describe("the answer of the document is what SQL over the bills says", () => {
  test.each(QUESTIONS)("$asked", async (question) => {
    const { told } = await answerOf(data, question);
    const rows = (await bills.runAndReadAll(question.sql)).getRowObjectsJson();
    expect(rows.length).toBeGreaterThan(0);
    expect(told).toEqual(rows.map(({ key, value }) => [key, isSum(question) ? near(value) : Number(value)]));
  });
});

test("the document has these answers", async () => {
  const document = readFileSync(DOCUMENT, "utf8");
  expect(withAnswers(document, await answers(data))).toBe(document);
});
