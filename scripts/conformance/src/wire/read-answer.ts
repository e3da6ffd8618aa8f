import type { IncomingMessage } from "node:http";
import type { Answer, BodyEnd } from "./answer.ts";
import type { Ask, ReadLimits } from "./ask.ts";
import { LeakScanner } from "./canary.ts";
import { JsonObserver, NOT_JSON } from "./json-seen.ts";
import { StreamObserver } from "./stream-observer.ts";
import { Utf8Checker } from "./utf8.ts";

const LOOK_BYTES = 1024 * 1024;

/** Reads the body to its end, or until enough was seen. Never throws: a broken body is an observation. */
export async function readAnswer(
  response: IncomingMessage,
  ask: Ask,
  limitMs: number,
  sinceStart: () => number,
): Promise<Answer> {
  const status = response.statusCode ?? 0;
  const media = mediaOf(response);
  const asEvents = media === "events" || (ask.asked.endpoint === "stream" && isSuccess(status));
  const stream = asEvents ? new StreamObserver(ask.search, ask.limits.eventBytes, sinceStart()) : undefined;
  const json = new JsonObserver(ask.limits.bodyBytes);
  const scanner = new LeakScanner(ask.search);
  const utf8 = new Utf8Checker();
  const look = new Look(ask.look);
  let bytes = 0;

  const end = await drain(response, limitMs, ask.limits.closeMs, (part) => {
    ask.afterRead();
    bytes += part.length;
    utf8.push(part);
    look.push(part);
    if (stream === undefined) {
      json.push(part);
      scanner.push(part);
      return bytes > ask.limits.bodyBytes ? "size" : "go on";
    }
    stream.push(part, sinceStart());
    return afterEvents(stream, bytes, ask.limits);
  });
  if (end === "whole") look.end();

  return {
    kind: "answer",
    status,
    media,
    coded: !["", "identity"].includes(response.headers["content-encoding"] ?? ""),
    noTransform: /(^|,)\s*no-transform\s*(,|$)/i.test(response.headers["cache-control"] ?? ""),
    retryAfterMs: secondsOf(response.headers["retry-after"]),
    leakInHeader: ask.search(headerText(response)),
    leakInBody: scanner.found,
    end,
    utf8: end === "whole" ? utf8.end() : utf8.valid,
    json: end === "whole" ? json.end() : NOT_JSON,
    stream: stream?.end(sinceStart()),
    ms: sinceStart(),
  };
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function afterEvents(
  stream: StreamObserver,
  bytes: number,
  limits: ReadLimits,
): BodyEnd | "go on" | "closing" {
  if (stream.after) return "enough";
  if (stream.largestBytes > limits.eventBytes) return "size";
  if (bytes > limits.streamBytes) return "endless";
  return stream.terminal ? "closing" : "go on";
}

/** `take` decides after each chunk whether to go on. After "closing", the body must end within `closeMs`. */
async function drain(
  response: IncomingMessage,
  limitMs: number,
  closeMs: number,
  take: (part: Uint8Array) => BodyEnd | "go on" | "closing",
): Promise<BodyEnd> {
  let end: BodyEnd | undefined;
  const stopAfter = (ms: number, why: () => BodyEnd): NodeJS.Timeout =>
    setTimeout(() => {
      end ??= why();
      response.destroy();
    }, ms);
  let closing: NodeJS.Timeout | undefined;
  const limit = stopAfter(limitMs, () => (closing === undefined ? "time" : "enough"));
  try {
    for await (const part of response) {
      const next = take(part);
      if (next === "closing") closing ??= stopAfter(closeMs, () => "still open");
      else if (next !== "go on") return next;
    }
    return "whole";
  } catch {
    return end ?? "broken";
  } finally {
    clearTimeout(limit);
    clearTimeout(closing);
  }
}

/** Collects a small body for a probe that wants to see it. */
class Look {
  readonly #look: ((body: Buffer) => void) | undefined;
  #held: Uint8Array[] = [];
  #bytes = 0;

  constructor(look: ((body: Buffer) => void) | undefined) {
    this.#look = look;
  }

  push(part: Uint8Array): void {
    if (this.#look === undefined) return;
    this.#bytes += part.length;
    if (this.#bytes <= LOOK_BYTES) this.#held.push(part);
    else this.#held = [];
  }

  end(): void {
    if (this.#bytes <= LOOK_BYTES) this.#look?.(Buffer.concat(this.#held));
    this.#held = [];
  }
}

function mediaOf(response: IncomingMessage): Answer["media"] {
  const [essence = ""] = (response.headers["content-type"] ?? "").split(";");
  const name = essence.trim().toLowerCase();
  if (name === "") return "none";
  if (name === "text/event-stream") return "events";
  return name === "application/json" || /^application\/[^\s/]+\+json$/.test(name) ? "json" : "other";
}

function secondsOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,5}$/.test(text) ? Number(text) * 1000 : undefined;
}

/** Status message, headers and trailers. */
function headerText(response: IncomingMessage): string {
  return [response.statusMessage ?? "", ...response.rawHeaders, ...response.rawTrailers].join("\n");
}
