import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { agentWith, TASK, textOf } from "../agents/agent.ts";
import { checks } from "../src/checks/index.ts";
import type { Evidence, Exchange } from "../src/evidence.ts";
import { judge } from "../src/judge.ts";
import type { Answer } from "../src/wire/answer.ts";
import { leakSearch, newCanary } from "../src/wire/canary.ts";
import { JsonObserver } from "../src/wire/json-seen.ts";
import { StreamObserver } from "../src/wire/stream-observer.ts";
import { Utf8Checker } from "../src/wire/utf8.ts";
import { brokenRules, SHORT } from "./observing.ts";

const MIB = 1024 * 1024;
const REQUEST_ID = "conformance-1";
const search = leakSearch(newCanary((below) => below - 1));
const plain = agentWith();
const run = {
  endpoint: "stream",
  requestId: REQUEST_ID,
  taskType: TASK,
  inputs: {},
  body: {},
  headers: {},
} as const;

/** A recorded stream, and the same with the two other line ends. */
const recorded = textOf(plain.stream(run));
const RECORDINGS = [
  ["LF", recorded],
  ["CRLF", recorded.replaceAll("\n", "\r\n")],
  ["CR", recorded.replaceAll("\n", "\r")],
] as const;

const SEEN: Omit<Answer, "json" | "stream" | "utf8" | "media"> = {
  kind: "answer",
  status: 200,
  coded: false,
  noTransform: true,
  retryAfterMs: undefined,
  leakInHeader: undefined,
  leakInBody: undefined,
  end: "whole",
  ms: 1,
};

function evidenceOf(endpoint: "sync" | "stream", reply: Answer): Evidence {
  const asked = { endpoint, what: "a valid run request", requestId: REQUEST_ID, taskType: TASK } as const;
  const exchange: Exchange = { probe: endpoint, asked, reply };
  return {
    exchanges: [exchange],
    leftOut: new Map(),
    card: undefined,
    inputsFrom: "sample",
    sameAnswer: undefined,
    eventBytes: MIB,
    bounds: SHORT,
  };
}

function only(group: string) {
  return checks.filter(({ rule }) => rule.startsWith(group));
}

function judgeStream(chunks: readonly Uint8Array[]): string[] {
  const stream = new StreamObserver(search, MIB, 0);
  const utf8 = new Utf8Checker();
  for (const chunk of chunks) {
    stream.push(chunk, 0);
    utf8.push(chunk);
  }
  const empty = new JsonObserver(MIB).end();
  const answer = { ...SEEN, media: "events", json: empty, stream: stream.end(0), utf8: utf8.end() } as const;
  return brokenRules(judge(evidenceOf("stream", answer), only("AC1-STREAM")));
}

function judgeSync(chunks: readonly Uint8Array[]): string[] {
  const json = new JsonObserver(MIB);
  const utf8 = new Utf8Checker();
  for (const chunk of chunks) {
    json.push(chunk);
    utf8.push(chunk);
  }
  const answer = { ...SEEN, media: "json", json: json.end(), stream: undefined, utf8: utf8.end() } as const;
  return brokenRules(judge(evidenceOf("sync", answer), only("AC1-SYNC")));
}

function pieces(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, at) => bytes.subarray(places[at], end));
}

const chunkings = fc.array(fc.nat(), { maxLength: 40 });

describe.each(RECORDINGS)("a recorded stream with %s", (_name, text) => {
  const bytes = Buffer.from(text);

  test("stays good, however it is cut into chunks", () => {
    fc.assert(fc.property(chunkings, (cuts) => expect(judgeStream(pieces(bytes, cuts))).toEqual([])));
  });

  test("fails, wherever it ends too early", () => {
    // A CR ends the last line, so the LF that follows it adds nothing.
    const end = text.endsWith("\r\n") ? bytes.length - 1 : bytes.length;
    for (let at = 0; at < end; at++) expect(judgeStream([bytes.subarray(0, at)])).not.toEqual([]);
  });
});

describe("a recorded sync answer", () => {
  const bytes = Buffer.from(JSON.stringify({ ...plain.result(run), note: "½ – \u{1f600}" }));

  test("stays good, however it is cut into chunks", () => {
    fc.assert(fc.property(chunkings, (cuts) => expect(judgeSync(pieces(bytes, cuts))).toEqual([])));
  });

  test("fails, wherever it ends too early", () => {
    for (let at = 0; at < bytes.length; at++) expect(judgeSync([bytes.subarray(0, at)])).not.toEqual([]);
  });
});

test("a stream of any bytes is judged without a fault, and never passes by chance", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 })), (chunks) => {
      expect(judgeStream(chunks)).not.toEqual([]);
    }),
  );
});
