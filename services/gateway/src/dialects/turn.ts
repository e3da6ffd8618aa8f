import type { TurnAnswer, TurnEvent } from "@interlock/contracts";
import { decodeEvent, isRest, type RunEvent, type StoredEvent, splitEvent } from "../events/index.ts";
import { JsonText, writeJson } from "../json-text.ts";
import type { Dialect, Encoder, StreamOf } from "./dialect.ts";
import { largeStep, outputsOf } from "./outputs.ts";
import { turnCursor } from "./turn-cursor.ts";

/** For user interfaces that show a turn agent by agent: `AGENT_START`, `LLM_TOKEN`, …, and one `DONE`, last, whatever became of the turn. */
export const turnDialect: Dialect = { remembers: true, open: (stream) => new TurnEncoder(stream) };

/** When an EventSource comes back after its stream was cut off. */
const RETRY_MS = 1_000;

type Finished = Extract<RunEvent, { type: "step_finished" }>;

/** A step whose agent is at work. */
type Working = {
  agent: string;
  /** What it has generated so far, as the inside of a JSON string. */
  text?: string;
  /** Whether the kept text is incomplete. */
  truncated?: true;
};

class TurnEncoder implements Encoder {
  readonly #runId: string;
  readonly #labelOf: (agent: string) => string;
  /** By step. */
  readonly #working = new Map<string, Working>();
  #planned = false;
  /** The step of a run that has no other: the run's end, which follows at once, says where it leaves its dialogue. */
  #held: Finished | undefined;

  constructor({ runId, labelOf = (agent) => agent }: StreamOf) {
    this.#runId = runId;
    this.#labelOf = labelOf;
  }

  frame(event: StoredEvent, last: boolean): string {
    const done = last && isRest(event);
    const id = `id: ${turnCursor({ runId: this.#runId, seq: event.seq, done })}\n`;
    // Send the run's id first, so that even a reader that is cut off at once can resume.
    if (event.type === "run_started") return `${id}retry: ${RETRY_MS}\n\n`;
    const frames = this.#frames(event, last);
    return frames.map((frame, index) => (index === frames.length - 1 ? id : "") + frame).join("");
  }

  /** The frames of an event, without their ids. */
  #frames(event: StoredEvent, last: boolean): string[] {
    switch (event.type) {
      case "token":
        return this.#token(event.json);
      case "progress":
        return taskProgress(event.json);
      case "plan":
        this.#planned = true;
        return [];
      case "step_started":
      case "step_repair":
      case "step_finished":
      case "step_failed":
        return this.#step(largeStep(event) ?? decodeEvent(event.json));
      default: {
        const turn = last ? toTurnAnswer(decodeEvent(event.json)) : undefined;
        return turn ? this.#answer(turn) : [];
      }
    }
  }

  #step(event: RunEvent): string[] {
    switch (event.type) {
      case "step_started":
        return this.#begin(event.node, event.data.agent);
      case "step_repair": {
        const agent = this.#working.get(event.node)?.agent;
        return agent === undefined ? [] : this.#begin(event.node, agent);
      }
      case "step_failed": {
        const { node, data } = event;
        this.#working.delete(node);
        return [this.#agentDone(data.agent, { success: false })];
      }
      case "step_finished": {
        const { node, data } = event;
        // A result reused from an earlier run: no agent has started for it.
        const begun = this.#working.has(node) ? [] : this.#begin(node, data.agent);
        if (this.#planned) return [...begun, ...this.#finish(event)];
        this.#held = event;
        return begun;
      }
      default:
        return [];
    }
  }

  /** Announces an agent; a client then discards the text of its earlier round or attempt. */
  #begin(node: string, agent: string): string[] {
    this.#working.set(node, { agent });
    return [frameOf({ event: "AGENT_START", data: { agent, label: this.#labelOf(agent) } })];
  }

  /** @param turn what the turn came to, where the step is all of it */
  #finish({ node, data: { agent, outputs } }: Finished, turn?: TurnAnswer): string[] {
    const { text, truncated } = this.#working.get(node) ?? {};
    this.#working.delete(node);
    const stage = stageIn(outputs) ?? stageIn(turn?.state_snapshot);
    const done = this.#agentDone(agent, {
      success: true,
      ...(stage === undefined ? {} : { stage }),
      ...(outputs === undefined ? {} : { result: outputs }),
    });
    if (text === undefined) return [done];
    const action = turn?.next_action ?? "DONE";
    const more = truncated ? ',"truncated":true' : "";
    return [frame("LLM_DONE", `{"action":"${action}","message":"${text}"${more}}`), done];
  }

  #agentDone(agent: string, more: { success: boolean; stage?: string; result?: unknown }): string {
    return frameOf({ event: "AGENT_DONE", data: { agent, label: this.#labelOf(agent), ...more } });
  }

  /** The text is passed on as it lies in the log. */
  #token(json: string): string[] {
    const { node, data } = splitEvent(json);
    const text = data.slice(TEXT.length, -1);
    const working = this.#working.get(JSON.parse(node));
    if (working) keepText(working, text.slice(1, -1));
    return [frame("LLM_TOKEN", text)];
  }

  #answer(turn: TurnAnswer): string[] {
    const finished = this.#held ? this.#finish(this.#held, turn) : [];
    const stopped = [...this.#working.values()].map(({ agent }) =>
      this.#agentDone(agent, { success: false }),
    );
    return [...finished, ...stopped, frameOf({ event: "DONE", data: turn })];
  }
}

function keepText(working: Working, more: string): void {
  const { text = "", truncated } = working;
  working.text = text;
  if (truncated || text.length + more.length > MOST_TEXT) working.truncated = true;
  else working.text += more;
}

/** The outcome of a turn; undefined for an event after which its run goes on. */
export function toTurnAnswer({ type, data }: RunEvent): TurnAnswer | undefined {
  switch (type) {
    case "run_finished": {
      const { message, dialogue, sample, ui_hint } = data;
      return {
        message,
        next_action: dialogue?.next_action ?? (ui_hint ? "ASK" : "DONE"),
        ui_hint: { buttons: [...(ui_hint?.buttons ?? [])] },
        state_snapshot: dialogue?.state ?? {},
        ...(sample ? { sample } : {}),
        ...outputsOf(data),
      };
    }
    case "run_paused": {
      const { message, approval, sample, ui_hint } = data;
      const state_snapshot = { stage: "WAITING_APPROVAL", approval };
      const more = sample ? { sample } : {};
      const buttons = [...(ui_hint?.buttons ?? [])];
      return { message, next_action: "CONFIRM", ui_hint: { buttons }, state_snapshot, ...more };
    }
    case "run_failed":
      return unanswered(data.message, data.code, data.retryable);
    case "run_parked":
      return unanswered(data.message, data.code, false);
    case "run_cancelled":
      return unanswered(data.message, "cancelled", false);
    default:
      return undefined;
  }
}

function unanswered(message: string, code: string, retryable: boolean): TurnAnswer {
  const error = { code, retryable };
  return { message, next_action: "ASK", ui_hint: { buttons: [] }, state_snapshot: {}, error };
}

/** How a token's data begins; it has no other member. */
const TEXT = '{"text":';

/** Characters of an agent's text that are repeated when it is whole. */
const MOST_TEXT = 64 * 1024;

/** Progress of more characters is not parsed: it is frequent, and parsing takes time. */
const MOST_PARSED = 64 * 1024;

function taskProgress(json: string): string[] {
  const { data } = splitEvent(json);
  if (data.length > MOST_PARSED || !data.includes('"task_progress"')) return [];
  const { index, total, slots } = membersOf(membersOf(JSON.parse(data)).task_progress);
  if (!isCount(index) || !isCount(total)) return [];
  return [frameOf({ event: "TASK_PROGRESS", data: { index, total, slots: { ...membersOf(slots) } } })];
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1;
}

/** Where a dialogue stands. */
function stageIn(value: unknown): string | undefined {
  const { stage } = value instanceof JsonText ? {} : membersOf(value);
  return typeof stage === "string" ? stage : undefined;
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function frameOf({ event, data }: TurnEvent): string {
  // The outputs of an agent may be text.
  const isText = event === "AGENT_DONE" && data.result instanceof JsonText;
  return frame(event, isText ? writeJson({ ...data }) : JSON.stringify(data));
}

function frame(event: TurnEvent["event"], json: string): string {
  return `event: ${event}\ndata: ${json}\n\n`;
}
