import type { Dialect } from "../../dialects/index.ts";
import type { GatewayError } from "../../errors.ts";
import { decodeEvent, isRest } from "../../events/index.ts";
import type { RunRecord } from "../../runs/index.ts";
import { beside } from "../beside.ts";
import { CUT, type Outcome, outcomeOf } from "../outcome.ts";
import { modelOf } from "./service.ts";

/** Before a run's id in the id of its response. */
export const PREFIX = "resp_";

/** What a response says of its request. */
export type ResponseHead = {
  runId: string;
  sessionId: string;
  /** Milliseconds since 1970. */
  createdAt: number;
  model: string;
  background: boolean;
  metadata: Readonly<Record<string, string>>;
  previous?: string;
};

type State = Outcome | "queued" | "in_progress";

/** A response as Open Responses has it. What a service cannot be told has the value that means nothing. */
export function responseOf(head: ResponseHead, state: State): object {
  const status = statusOf(state);
  const isOver = typeof state === "object" && state.kind !== "paused";
  return {
    id: PREFIX + head.runId,
    object: "response",
    created_at: seconds(head.createdAt),
    completed_at: isOver && status === "completed" ? seconds(Date.now()) : null,
    status,
    incomplete_details: status === "incomplete" ? { reason: "approval_required" } : null,
    error: typeof state === "object" && state.kind === "failed" ? failureOf(state.error) : null,
    model: head.model,
    previous_response_id: head.previous ?? null,
    instructions: null,
    output: typeof state === "object" && state.kind !== "failed" ? [messageOf(head, state.text)] : [],
    tools: [],
    tool_choice: "auto",
    parallel_tool_calls: true,
    max_tool_calls: null,
    text: { format: { type: "text" } },
    truncation: "disabled",
    temperature: 1,
    top_p: 1,
    presence_penalty: 0,
    frequency_penalty: 0,
    top_logprobs: 0,
    max_output_tokens: null,
    reasoning: null,
    usage: typeof state === "object" ? usageOf(state) : null,
    store: true,
    background: head.background,
    service_tier: "default",
    safety_identifier: null,
    prompt_cache_key: null,
    metadata: { ...head.metadata },
    ...(typeof state === "object" && state.kind !== "failed" ? { interlock: beside(state, head) } : {}),
  };
}

/** @param outcome where the run rests */
export function recordedResponse(record: RunRecord, outcome: Outcome | undefined): object {
  const { id: runId, sessionId, createdAt, order } = record;
  const model = modelOf(order.service);
  const head = { runId, sessionId, createdAt, model, background: false, metadata: {} };
  return responseOf(head, outcome ?? (record.state === "queued" ? "queued" : "in_progress"));
}

/**
 * Frames of one event of the log have numbers of their own range, so that a number says which event a reader has, also where the run has
 * rested in between.
 */
const FRAMES_AN_EVENT = 16;

/** The last event that a reader has all of. @param number of the last frame that the reader has */
export function eventsAfter(number: number): number {
  return Math.floor(number / FRAMES_AN_EVENT);
}

/** A response as a stream. Its text comes at once, with the end: what agents generate before is no part of it. @param after the number of the last frame that the reader has */
export function responseEvents({
  response: head,
  origin,
  after,
}: {
  response: ResponseHead;
  origin: string;
  after: number;
}): Dialect {
  let told = after;
  const write = (seq: number, events: readonly (readonly [type: string, data: object])[]): string => {
    let text = "";
    for (const [index, [type, data]] of events.entries()) {
      const sequence_number = (seq - 1) * FRAMES_AN_EVENT + index;
      if (sequence_number <= after) continue;
      told = sequence_number;
      text += `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number, ...data })}\n\n`;
    }
    return text;
  };
  return {
    untold: true,
    open: () => ({
      frame(event, last) {
        if (event.type === "run_started") {
          const response = responseOf(head, "in_progress");
          return write(event.seq, [
            ["response.created", { response }],
            ["response.in_progress", { response }],
          ]);
        }
        const outcome = last && isRest(event) ? outcomeOf(decodeEvent(event.json), origin) : undefined;
        return outcome ? `${write(event.seq, endOf(head, outcome))}data: [DONE]\n\n` : "";
      },
      cut: () =>
        write(Math.floor(told / FRAMES_AN_EVENT) + 2, [["error", { ...failureOf(CUT), param: null }]]),
    }),
  };
}

function endOf(head: ResponseHead, outcome: Outcome): [type: string, data: object][] {
  const response = responseOf(head, outcome);
  if (outcome.kind === "failed") return [["response.failed", { response }]];
  const { text } = outcome;
  const item = messageOf(head, text);
  const at = { item_id: item.id, output_index: 0, content_index: 0 };
  const [part] = item.content;
  return [
    [
      "response.output_item.added",
      { output_index: 0, item: { ...item, status: "in_progress", content: [] } },
    ],
    ["response.content_part.added", { ...at, part: { ...part, text: "" } }],
    ["response.output_text.delta", { ...at, delta: text, logprobs: [] }],
    ["response.output_text.done", { ...at, text, logprobs: [] }],
    ["response.content_part.done", { ...at, part }],
    ["response.output_item.done", { output_index: 0, item }],
    [outcome.kind === "paused" ? "response.incomplete" : "response.completed", { response }],
  ];
}

function statusOf(state: State): string {
  if (typeof state === "string") return state;
  switch (state.kind) {
    case "answered":
      return "completed";
    case "paused":
      return "incomplete";
    case "failed":
      return state.cancelled ? "cancelled" : "failed";
    default:
      return state satisfies never;
  }
}

function messageOf({ runId }: ResponseHead, text: string) {
  return {
    id: `msg_${runId}`,
    type: "message",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text, annotations: [], logprobs: [] }],
  };
}

/** What models used for the run: nothing where none was asked. */
function usageOf(outcome: Outcome): object {
  const used = outcome.kind === "answered" ? outcome.data.usage : undefined;
  const { input_tokens = 0, cached_input_tokens = 0, output_tokens = 0, reasoning_tokens = 0 } = used ?? {};
  return {
    input_tokens,
    input_tokens_details: { cached_tokens: cached_input_tokens },
    output_tokens,
    output_tokens_details: { reasoning_tokens },
    total_tokens: input_tokens + output_tokens,
  };
}

const failureOf = ({ code, message }: GatewayError): { code: string; message: string } => ({ code, message });
const seconds = (ms: number): number => Math.floor(ms / 1000);
