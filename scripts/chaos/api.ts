import { createClient, type Fetch, type InterlockClient } from "@interlock/client";
import { localToken } from "../lib/local-issuer.ts";
import type { Caller, Dialect, Ledger } from "./ledger.ts";
import type { Random } from "./random.ts";

export type Reply = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

export type RequestOptions = { body?: object; key?: string; timeoutMs?: number };

/** Placeholder that is replaced by the address of a replica. */
const MESH = "http://mesh.invalid";

export function tokenOf({ user, tenant, roles }: Caller): Promise<string> {
  return localToken({ user, tenant, roles: ["analyst", ...roles] });
}

async function headersOf(caller: Caller): Promise<Record<string, string>> {
  return { authorization: `Bearer ${await tokenOf(caller)}` };
}

/** Sends one request to one replica, once. Status 0 means that no answer came, so the request may or may not have taken effect. */
export async function ask(
  replica: string,
  method: "GET" | "POST",
  path: string,
  caller: Caller,
  { body, key, timeoutMs = 10_000 }: RequestOptions = {},
): Promise<Reply> {
  const headers = await headersOf(caller);
  if (body) headers["content-type"] = "application/json";
  if (key !== undefined) headers["idempotency-key"] = key;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const init: RequestInit = { method, headers, signal };
    if (body) init.body = JSON.stringify(body);
    const response = await fetch(`${replica}/api/v1${path}`, init);
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    return { status: response.status, body: isJson ? JSON.parse(text) : { text } };
  } catch (error) {
    return { status: 0, body: { error: Error.isError(error) ? error.name : "unknown" } };
  }
}

/** The API through a random replica, as behind a balancer, for callers that retry. */
export class Api {
  readonly replicas: readonly string[];
  readonly #ledger: Ledger;
  readonly #random: Random;

  constructor(replicas: readonly { readonly url: string }[], ledger: Ledger, random: Random) {
    this.replicas = replicas.map(({ url }) => url);
    this.#ledger = ledger;
    this.#random = random;
  }

  replica(): string {
    return this.#random.pick(this.replicas);
  }

  /** Repeats a request with its idempotency key until it has a final answer. Only for requests that may be repeated. */
  async settle(
    method: "GET" | "POST",
    path: string,
    caller: Caller,
    options: RequestOptions & { patienceMs?: number } = {},
  ): Promise<Reply> {
    const deadline = Date.now() + (options.patienceMs ?? 40_000);
    for (let pause = 100; ; pause = Math.min(pause * 1.5, 1_000)) {
      const reply = await ask(this.replica(), method, path, caller, options);
      const wait =
        reply.status === 0 || reply.status === 503 || reply.body.code === "idempotency_in_progress";
      if (!wait || Date.now() > deadline) return reply;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /** The client SDK over all replicas. The ledger records the runs that it learns of, and their events as received. */
  client(caller: Caller, scenario: string): InterlockClient {
    const patience = { maxAttempts: 60, maxElapsedMs: 60_000, minDelayMs: 100, maxDelayMs: 1_000 };
    return createClient({
      baseUrl: MESH,
      token: () => tokenOf(caller),
      fetch: async (url, init) => this.#tapped(url, await this.#send(url, init), caller, scenario),
      requestTimeoutMs: 8_000,
      idleTimeoutMs: 12_000,
      retry: patience,
      reconnect: patience,
    });
  }

  readonly #send: Fetch = async (url, init) => {
    const [first = "", second] = this.#random.shuffled(this.replicas);
    const send = (replica: string) => fetch(url.replace(MESH, replica), init);
    try {
      return await send(first);
    } catch (error) {
      if (second === undefined || !isRefused(error)) throw error;
      return await send(second);
    }
  };

  #tapped(url: string, response: Response, caller: Caller, scenario: string): Response {
    const runId = response.headers.get("x-run-id");
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
    if (!response.body || !runId || !isStream) return response;
    this.#ledger.acknowledge(runId, caller, scenario);
    const dialect: Dialect = url.includes("/chat?") || url.includes("dialect=chat") ? "chat" : "run";
    const tap = framesTap((seq, data) => this.#ledger.saw(runId, dialect, seq, data));
    return new Response(response.body.pipeThrough(tap), response);
  }
}

function isRefused(error: unknown): boolean {
  const cause = Error.isError(error) ? error.cause : undefined;
  return Error.isError(cause) && "code" in cause && cause.code === "ECONNREFUSED";
}

const FRAME = /^id: (\d+)\n(?:event: \w+\n)?data: (.*)$/s;

function framesTap(onEvent: (seq: number, data: string) => void): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  let rest = "";
  return new TransformStream({
    transform(chunk, controller) {
      rest += decoder.decode(chunk, { stream: true });
      const frames = rest.split("\n\n");
      rest = frames.pop() ?? "";
      // Recorded before the reader gets them, so that the ledger has every event that a reader has.
      for (const frame of frames) {
        const [, seq, data] = FRAME.exec(frame) ?? [];
        if (seq !== undefined && data !== undefined) onEvent(Number(seq), data);
      }
      controller.enqueue(chunk);
    },
  });
}

/** The events of a finished stream, as text by seq. */
export async function replay(
  replica: string,
  caller: Caller,
  runId: string,
  dialect: Dialect,
  after = 0,
): Promise<{ status: number; events: [seq: number, data: string][] }> {
  const headers = { ...(await headersOf(caller)), ...(after > 0 ? { "last-event-id": String(after) } : {}) };
  const response = await fetch(`${replica}/api/v1/runs/${runId}/events?dialect=${dialect}`, {
    headers,
    signal: AbortSignal.timeout(20_000),
  });
  const events: [number, string][] = [];
  for (const frame of (await response.text()).split("\n\n")) {
    const [, seq, data] = FRAME.exec(frame) ?? [];
    if (seq !== undefined && data !== undefined) events.push([Number(seq), data]);
  }
  return { status: response.status, events };
}
