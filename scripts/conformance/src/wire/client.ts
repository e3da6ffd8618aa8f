import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import { request as httpsRequest } from "node:https";
import type { NoAnswer, Reply } from "./answer.ts";
import type { Ask } from "./ask.ts";
import { readAnswer } from "./read-answer.ts";
import { troubleOf } from "./trouble.ts";

const MAX_HEADER_BYTES = 16 * 1024;

/** Sends one request on a new connection. Never throws, never follows a redirect, and always ends in time. */
export async function exchange(ask: Ask): Promise<Reply> {
  const startedMs = performance.now();
  const sinceStart = (): number => performance.now() - startedMs;
  const request = open(ask);
  const clock = setTimeout(() => request.destroy(new Error("time")), ask.limitMs);
  try {
    const response = await answerTo(request, ask);
    // Half-closing lets the agent notice that the client leaves, while the check can still observe the agent.
    if (ask.hangUp === true) request.socket?.end();
    const leftMs = Math.max(1, ask.limitMs - sinceStart());
    clearTimeout(clock);
    return await readAnswer(response, ask, leftMs, sinceStart);
  } catch (error) {
    const trouble = sinceStart() >= ask.limitMs ? OUT_OF_TIME : troubleOf(error);
    return { kind: "none", ...trouble, ms: sinceStart() };
  } finally {
    clearTimeout(clock);
    request.destroy();
  }
}

const OUT_OF_TIME: Pick<NoAnswer, "why" | "words"> = { why: "time", words: "no answer came in time" };

function open(ask: Ask): ClientRequest {
  const { url, method, headers = {}, body } = ask;
  const secure = url.protocol === "https:";
  const options: RequestOptions = {
    method,
    agent: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    headers: {
      accept: ask.asked.endpoint === "stream" ? "text/event-stream, application/json" : "application/json",
      "accept-encoding": "identity",
      "user-agent": "interlock-conformance",
      ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }),
      ...headers,
    },
  };
  const request = secure ? httpsRequest(url, options) : httpRequest(url, options);
  request.end(body);
  return request;
}

async function answerTo(request: ClientRequest, { connectMs }: Ask): Promise<IncomingMessage> {
  const connecting = setTimeout(() => request.destroy(connectTimeout()), connectMs);
  request.once("socket", (socket) => socket.once("connect", () => clearTimeout(connecting)));
  request.once("upgrade", (_, socket) => socket.destroy());
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    request.once("response", resolve);
    // Several errors may follow each other. The first counts; the others need a listener too.
    request.on("error", reject);
    request.once("close", () => reject(new Error("closed")));
  });
  return answered.finally(() => clearTimeout(connecting));
}

function connectTimeout(): Error {
  return Object.assign(new Error("connect"), { code: "CONNECT_TIMEOUT" });
}
