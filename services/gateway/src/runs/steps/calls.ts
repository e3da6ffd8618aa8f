import type { ToolCallRecord } from "@interlock/contracts";
import { UpstreamError } from "../../agents/index.ts";
import type { Artifact, Callee, CalleeResult, CalleeScope } from "../../callees/index.ts";
import { canonicalJson } from "../../canonical-json.ts";
import { artifactField, callField, type JournaledCall } from "../../store/index.ts";
import { type EndedAs, GEN_AI, tracing } from "../../telemetry/index.ts";
import { summaryOf } from "../lineage.ts";
import { announce } from "./announce.ts";
import { actorOf } from "./ask-agent.ts";
import { OutcomeUnknown } from "./failure.ts";
import { isOutcomeKnown, Patience, patiently } from "./patience.ts";
import type { StepDeps, StepScope } from "./step-kind.ts";

/** One call of a step. */
export type PlannedCall = {
  /** `step.round.call`: by it the call is journaled, and known to whoever is called. */
  key: string;
  node: string;
  round: number;
  args: Readonly<Record<string, unknown>>;
  parents: ToolCallRecord["parents"];
  effect?: "repeatable" | "once" | undefined;
  approvalId?: string | undefined;
  /** How long the call waits for its server. Absent: a moment, since somebody waits for the answer. */
  patience?: Patience | undefined;
};

const SHORT_MS = 3_000;

export function signatureOf(name: string, args: unknown): string {
  return `${name} ${canonicalJson(args)}`;
}

/**
 * Makes a call and journals what it came to in the same write as the event that tells of its end: a call that the journal has is not made
 * again, and an effect that must not happen twice is not begun twice.
 * @returns what it came to, a failure too
 * @throws OutcomeUnknown; the reason of the signal
 */
export async function makeCall(
  callee: Callee,
  call: PlannedCall,
  scope: StepScope,
  deps: Pick<StepDeps, "replication">,
): Promise<JournaledCall> {
  const { run, order, signal, calls, trace } = scope;
  const { key, node, args, effect } = call;
  const known = calls[key];
  if (known) return known;
  await announce({ id: key, effect, about: callee.about }, scope, deps);
  const timestamp = new Date().toISOString();
  const started = performance.now();
  const made = async (came: Came): Promise<JournaledCall> => {
    const { outcome, code, output, text, cached, artifacts = [] } = came;
    const record: ToolCallRecord = {
      ...about(callee, call),
      ...{ input: { ...args }, result_summary: summaryOf(output, text), outcome, timestamp, cached },
      duration_ms: Math.round(performance.now() - started),
      ...(code === undefined ? {} : { code }),
      ...(artifacts.length === 0 ? {} : { artifacts: artifacts.map(described) }),
    };
    // In the same write as the call that names them.
    for (const one of artifacts)
      run.note(artifactField(one.id), scope.lineage.writeArtifact(one, run.id, one.id));
    return await journalCall({ record, output, text, acts: !callee.reads, name: callee.name }, callee, scope);
  };
  const span = tracing?.span(`execute_tool ${callee.name}`, trace, {
    kind: callee.server === undefined ? "internal" : "client",
    attributes: {
      [GEN_AI.operation]: "execute_tool",
      [GEN_AI.tool]: callee.name,
      [GEN_AI.toolCall]: key,
    },
  });
  try {
    const within: CalleeScope = {
      ...{ caller: actorOf(order, run.keys.tenant), runId: run.id, key, effect, trace: span ?? trace },
      maxAgeMs: freshEnough(calls, order.maxAgeMs),
      room: roomIn(calls),
      // What was begun is recorded, even if the run is being stopped.
      signal: effect === undefined ? signal : UNENDED,
      onProgress: (progress) => run.append({ type: "progress", node, data: progress }),
    };
    const ask = () => callee.call(args, within);
    const { patience = new Patience({ effect, optional: true }, SHORT_MS) } = call;
    // What calls agents has a patience of its own.
    const calling = callee.server === undefined ? ask() : patiently(ask, { patience, signal });
    const result = await (span ? span.around(calling, codeOf) : calling);
    const { isError, outputs: output, text, cached, artifacts } = result;
    return await made({
      outcome: isError ? "error" : "ok",
      output,
      text,
      cached,
      ...(artifacts ? { artifacts } : {}),
    });
  } catch (error) {
    if (effect === undefined) signal.throwIfAborted();
    if (!(error instanceof UpstreamError)) throw error;
    if (effect === "once" && !isOutcomeKnown(error)) throw new OutcomeUnknown();
    return await made({ outcome: "failed", code: error.code, text: error.message, cached: "bypass" });
  }
}

function codeOf(ended: EndedAs<CalleeResult>): string | undefined {
  if ("result" in ended) return ended.result.isError ? "tool_error" : undefined;
  return ended.error instanceof UpstreamError ? ended.error.reason : "cancelled";
}

const UNENDED = new AbortController().signal;

type Came = Pick<ToolCallRecord, "outcome" | "cached"> &
  Partial<Pick<CalleeResult, "artifacts">> & { code?: string; output?: unknown; text: string };

const described = ({ id, contentType, bytes }: Artifact) => ({ id, content_type: contentType, bytes });

/** Bytes of artifacts that a run keeps. */
const MOST_ARTIFACTS = 8 * 1024 * 1024;

function roomIn(calls: StepScope["calls"]): number {
  const kept = Object.values(calls).flatMap(({ record: { artifacts = [] } }) => artifacts);
  return MOST_ARTIFACTS - kept.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** A run does not read as it was what it has changed itself. @returns milliseconds that a kept result may be old */
function freshEnough(calls: StepScope["calls"], wantedMs: number | undefined): number | undefined {
  const ends = Object.values(calls).flatMap(({ acts, record: { timestamp, duration_ms: ms } }) =>
    acts ? Date.parse(timestamp) + ms : [],
  );
  if (ends.length === 0) return wantedMs;
  return Math.min(wantedMs ?? Number.POSITIVE_INFINITY, Math.max(0, Date.now() - Math.max(...ends)));
}

/** A call that is not made, and why. */
export async function refuseCall(
  callee: Pick<Callee, "name" | "about" | "server" | "reads">,
  call: PlannedCall,
  { outcome, code, text }: { outcome: "refused" | "invalid_arguments"; code: string; text: string },
  scope: StepScope,
): Promise<JournaledCall> {
  const known = scope.calls[call.key];
  if (known) return known;
  const timestamp = new Date().toISOString();
  const record: ToolCallRecord = {
    ...about(callee, call),
    ...{ input: { ...call.args }, result_summary: text.slice(0, 200), outcome, code, timestamp },
    ...{ duration_ms: 0, cached: "bypass" },
  };
  return await journalCall({ record, text, acts: false, name: callee.name }, callee, scope);
}

/** The result of an equal call of the same run. */
export async function repeatCall(
  callee: Callee,
  call: PlannedCall,
  { output, text, record: first }: JournaledCall,
  scope: StepScope,
): Promise<JournaledCall> {
  const known = scope.calls[call.key];
  if (known) return known;
  const { result_summary = "", outcome, code } = first;
  const record: ToolCallRecord = {
    ...about(callee, call),
    ...{ input: { ...call.args }, result_summary, outcome, timestamp: new Date().toISOString() },
    ...{ duration_ms: 0, cached: "run", ...(code === undefined ? {} : { code }) },
  };
  return await journalCall({ record, output, text, acts: false, name: callee.name }, callee, scope);
}

function about(
  { about: { agent, task_type }, server, name }: Pick<Callee, "about" | "server" | "name">,
  { key, node, round, parents, approvalId }: PlannedCall,
) {
  return {
    ...{ id: key, step: 1, node, round, parents },
    ...(server === undefined ? { tool_name: name, agent } : { tool_name: task_type, mcp_server: server }),
    ...(approvalId === undefined ? {} : { approval_id: approvalId }),
  };
}

async function journalCall(
  { name, ...ended }: Omit<JournaledCall, "signature"> & { name: string },
  { about: data }: Pick<Callee, "about">,
  { run, calls, lineage }: StepScope,
): Promise<JournaledCall> {
  const { record } = ended;
  const entry: JournaledCall = { ...ended, signature: signatureOf(name, record.input ?? {}) };
  const isOver = record.outcome === "ok" || record.outcome === "error";
  const event = isOver
    ? ({
        type: "step_finished",
        node: record.id,
        data: { ...data, status: "ok", duration_ms: record.duration_ms, warnings: [] },
      } as const)
    : ({
        type: "step_failed",
        node: record.id,
        data: { ...data, status: "error", code: record.code ?? "failed", error: NOT_MADE, optional: true },
      } as const);
  calls[record.id] = entry;
  const field = callField(record.id);
  if (run.journaled) await run.journal(field, lineage.write(entry, run.id, field), event);
  else await run.append(event);
  return entry;
}

/** Events are read by more people than results: what a tool says stays in the lineage. */
const NOT_MADE = "The call has no result.";
