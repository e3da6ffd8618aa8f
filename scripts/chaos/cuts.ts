import { createClient, InterlockError } from "@interlock/client";
import { ask, tokenOf } from "./api.ts";
import type { Caller, Ledger } from "./ledger.ts";
import { fresh } from "./load/load.ts";
import { inParallel } from "./pace.ts";
import { FaultProxy } from "./proxy/fault-proxy.ts";
import type { Gateway, World } from "./world.ts";

const CALLER: Caller = { user: "cutter", tenant: "north", roles: [] };
const HEADERS = { connection: "close" };

/** Consecutive failures after which the gateway's circuit breaker opens: a success must come before. */
const FAILURES_IN_A_ROW = 4;

type Scope = { world: World; ledger: Ledger };

/** All offsets, or about `most` evenly spread ones. Always includes the last 40 bytes, which hold the terminal event's end. */
function offsets(length: number, most: number): number[] {
  const step = Math.max(1, Math.floor(length / most));
  return Array.from({ length }, (_, at) => at).filter((at) => at % step === 0 || at > length - 40);
}

/** Cuts an agent's stream at every offset. A run whose agent's stream was cut must not succeed. */
export async function cutAgentStreams({ world, ledger }: Scope, most: number): Promise<void> {
  await Promise.all(
    world.gateways.map(async (gateway, lane) => {
      const whole = await askFrail(gateway, Number.POSITIVE_INFINITY);
      if (whole.outcome !== "ok") return ledger.violate("truncation", gateway.name, "the whole stream fails");
      const mine = offsets(whole.forwarded.length, most).filter((at) => at % world.gateways.length === lane);
      for (const [index, at] of mine.entries()) {
        if (index % FAILURES_IN_A_ROW === 0) await askFrail(gateway, Number.POSITIVE_INFINITY);
        const { outcome, forwarded } = await askFrail(gateway, at);
        // Judged by the forwarded bytes, because ids and durations vary in length.
        const isWhole = /event: final\ndata: [^\n]+\n\n/.test(forwarded.toString());
        if (!isWhole && outcome === "ok")
          ledger.violate("cut agent stream passed for whole", gateway.name, `${at}`);
        if (outcome === "none") ledger.violate("cut agent stream without an answer", gateway.name, `${at}`);
        ledger.count("agent stream cut at an offset");
      }
    }),
  );
}

/** Sends a simple ask to the agent behind the proxy that cuts its answer. */
async function askFrail(
  { url, toFrail }: Gateway,
  at: number,
): Promise<{ outcome: "ok" | "error" | "none"; forwarded: Buffer }> {
  const cut = toFrail.cutReply(at, (request) => request.includes("POST /agents/run/"));
  const body = { message: "frail", session_id: fresh("cut"), inputs: { ms: 0, beats: 2 } };
  const { status, body: answer } = await ask(url, "POST", "/chat?stream=true", CALLER, { body });
  toFrail.disarm();
  toFrail.cut();
  const text = String(answer.text ?? "");
  const failed = /"code":"upstream_\w+"/.test(text);
  const ended = text.includes('"done":true');
  return { outcome: ended && status === 200 ? (failed ? "error" : "ok") : "none", forwarded: await cut };
}

/** Cuts a gateway's stream at every offset. The SDK must deliver the same events by reconnecting, or report the cut if it may not. */
export async function cutGatewayStreams({ world, ledger }: Scope, most: number): Promise<void> {
  const [gateway] = world.gateways;
  if (!gateway) return;
  const body = { message: "work", session_id: fresh("cut"), inputs: { ms: 10, beats: 3 } };
  const { body: answer } = await ask(gateway.url, "POST", "/chat", CALLER, { body });
  const runId = String(answer.thread_id);
  const whole = await read(gateway.url, runId, false);
  if (whole.error !== undefined) return ledger.violate("truncation", runId, whole.error);
  const lanes = 4;
  const proxies = await Promise.all(
    Array.from({ length: lanes }, () => FaultProxy.start(Number(new URL(gateway.url).port))),
  );
  try {
    const length = await lengthThrough(proxies[0], runId);
    await inParallel(proxies, lanes, async (proxy, lane) => {
      for (const at of offsets(length, most).filter((_, index) => index % lanes === lane)) {
        await cutOnce(proxy, runId, at, whole.events, ledger);
        ledger.count("client stream cut at an offset");
      }
    });
  } finally {
    await Promise.all(proxies.map((proxy) => proxy.close()));
  }
}

function isEvents(request: Buffer): boolean {
  return request.includes("/events");
}

async function cutOnce(
  proxy: FaultProxy,
  runId: string,
  at: number,
  events: readonly string[],
  ledger: Ledger,
): Promise<void> {
  const url = `http://127.0.0.1:${proxy.port}`;
  const plainCut = proxy.cutReply(at, isEvents);
  const plain = await read(url, runId, false);
  const forwarded = (await plainCut).toString();
  const isWhole = /event: run_finished\ndata: [^\n]+\n\n/.test(forwarded);
  if (plain.error === undefined && !isWhole) ledger.violate("cut stream passed for whole", runId, `${at}`);
  const healedCut = proxy.cutReply(at, isEvents);
  const healed = await read(url, runId, true);
  await healedCut;
  if (healed.error !== undefined || healed.events.join("\n") !== events.join("\n"))
    ledger.violate("cut stream not healed", runId, `${at}: ${healed.error ?? "other events"}`);
}

async function lengthThrough(proxy: FaultProxy | undefined, runId: string): Promise<number> {
  if (!proxy) return 0;
  const forwarded = proxy.cutReply(Number.POSITIVE_INFINITY, isEvents);
  await read(`http://127.0.0.1:${proxy.port}`, runId, false);
  proxy.cut();
  return (await forwarded).length;
}

async function read(
  baseUrl: string,
  runId: string,
  heal: boolean,
): Promise<{ events: string[]; error?: string }> {
  const quick = { maxAttempts: 5, maxElapsedMs: 5_000, minDelayMs: 1, maxDelayMs: 10 };
  const policy = heal ? quick : (false as const);
  const client = createClient({
    baseUrl,
    headers: HEADERS,
    token: () => tokenOf(CALLER),
    retry: policy,
    reconnect: policy,
  });
  const events: string[] = [];
  try {
    for await (const event of client.runs.events(runId)) events.push(JSON.stringify(event));
    return { events };
  } catch (error) {
    return { events, error: error instanceof InterlockError ? error.code : "unknown" };
  }
}
