import { type Dialect, largeStep, progressText } from "../../dialects/index.ts";
import {
  decodeEvent,
  isRest,
  type RunEvent,
  type StoredEvent,
  splitEvent,
  toolName,
} from "../../events/index.ts";
import { JsonText } from "../../json-text.ts";
import { beside } from "../beside.ts";
import { CUT, type Outcome, outcomeOf } from "../outcome.ts";
import {
  type Event,
  failure,
  finishedEvent,
  framesOf,
  type Head,
  interruptOf,
  startedEvent,
} from "./frames.ts";
import { changesOf, type State } from "./state.ts";

type Of<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>;

/**
 * A run as a stream of AG-UI. Text comes at once, with the end: what agents generate before is no part of it.
 * @param before the state of the conversation before the turn; @param after with it
 * @param resumed the approval that the run waited for; what was before that was told already
 */
export function agUiEvents(
  about: Head & { before?: State | undefined; after?: State | undefined; resumed?: string },
): Dialect {
  return {
    untold: true,
    open({ runId }) {
      const stream = new Stream(runId, about);
      return {
        frame: (event, last) => framesOf(stream.eventsOf(event, last)),
        cut: () => framesOf(stream.cut()),
      };
    },
  };
}

class Stream {
  readonly #run: string;
  readonly #about: Parameters<typeof agUiEvents>[0];
  /** The calls of the steps that are under way, by step. */
  readonly #open = new Map<string, string>();
  #isStarted = false;
  #isPassed: boolean;
  #calls = 0;

  constructor(run: string, about: Parameters<typeof agUiEvents>[0]) {
    this.#run = run;
    this.#about = about;
    this.#isPassed = about.resumed === undefined;
  }

  eventsOf(event: StoredEvent, last: boolean): Event[] {
    const isEnd = last && isRest(event);
    if (!this.#isPassed && !isEnd) {
      this.#isPassed = event.type === "run_paused" && pausesFor(event, this.#about.resumed);
      return [];
    }
    const started = this.#isStarted ? [] : this.#start();
    return [...started, ...(isEnd ? this.#end(event) : this.#told(event))];
  }

  /** The stream ends before the run rests. */
  cut(): Event[] {
    return [failure(CUT)];
  }

  #start(): Event[] {
    const { before, after } = this.#about;
    this.#isStarted = true;
    const changes = before && after ? changesOf(before, after) : [];
    return [
      startedEvent(this.#about, this.#run),
      ...(before ? [{ type: "STATE_SNAPSHOT", snapshot: before }] : []),
      ...(changes.length > 0 ? [{ type: "STATE_DELTA", delta: changes }] : []),
    ];
  }

  #told(event: StoredEvent): Event[] {
    switch (event.type) {
      case "progress": {
        const node = String(JSON.parse(splitEvent(event.json).node));
        return [
          {
            type: "ACTIVITY_SNAPSHOT",
            messageId: `${this.#run}-${node}-progress`,
            activityType: "PROGRESS",
            content: { step: node, text: progressText(event.json) },
          },
        ];
      }
      case "step_started":
      case "step_finished":
      case "step_failed":
        return this.#step(largeStep(event) ?? decodeEvent(event.json));
      default:
        return [];
    }
  }

  #step(event: RunEvent): Event[] {
    switch (event.type) {
      case "step_started":
        return this.#begin(event);
      case "step_finished": {
        // A result of an earlier run: nobody was asked.
        const begun = this.#open.has(event.node) ? [] : this.#begin(event);
        return [...begun, ...this.#finish(event.node, resultOf(event))];
      }
      case "step_failed": {
        const { code, error } = event.data;
        const begun = this.#open.has(event.node) ? [] : this.#begin(event);
        return [...begun, ...this.#finish(event.node, { error: { code, message: error } })];
      }
      default:
        return [];
    }
  }

  /** A step that is tried again goes on. */
  #begin({ node, data }: Of<"step_started" | "step_finished" | "step_failed">): Event[] {
    if (this.#open.has(node)) return [];
    this.#calls += 1;
    const toolCallId = `${this.#run}-${node}-${this.#calls}`;
    this.#open.set(node, toolCallId);
    return [
      { type: "STEP_STARTED", stepName: node },
      { type: "TOOL_CALL_START", toolCallId, toolCallName: toolName(data.task_type) },
      // What a step is asked with is not in the log.
      { type: "TOOL_CALL_ARGS", toolCallId, delta: "{}" },
      { type: "TOOL_CALL_END", toolCallId },
    ];
  }

  #finish(node: string, result: object): Event[] {
    const toolCallId = this.#open.get(node) ?? "";
    this.#open.delete(node);
    return [
      {
        type: "TOOL_CALL_RESULT",
        messageId: `${toolCallId}-result`,
        toolCallId,
        role: "tool",
        content: JSON.stringify(result),
      },
      { type: "STEP_FINISHED", stepName: node },
    ];
  }

  #end(event: StoredEvent): Event[] {
    const outcome = outcomeOf(decodeEvent(event.json), this.#about.origin);
    if (!outcome) return [failure(CUT)];
    const stopped = [...this.#open.keys()].flatMap((node) =>
      this.#finish(node, { error: { code: "cancelled" } }),
    );
    return [...stopped, ...this.#outcome(outcome)];
  }

  #outcome(outcome: Outcome): Event[] {
    const finished = (fields: object) => finishedEvent(this.#about, fields);
    if (outcome.kind === "failed")
      return [outcome.cancelled ? finished({ outcome: { type: "cancelled" } }) : failure(outcome.error)];
    const messageId = `${this.#run}-${outcome.kind}`;
    const text = [
      { type: "TEXT_MESSAGE_START", messageId, role: "assistant" },
      ...(outcome.text === "" ? [] : [{ type: "TEXT_MESSAGE_CONTENT", messageId, delta: outcome.text }]),
      { type: "TEXT_MESSAGE_END", messageId },
    ];
    const result = beside(outcome, { runId: this.#run, sessionId: this.#about.threadId });
    if (outcome.kind === "paused") {
      const { approval, link, data } = outcome;
      const expiresAt = new Date(Date.now() + approval.expires_in_s * 1000).toISOString();
      const interrupt = interruptOf({
        id: approval.id,
        hash: approval.proposal_hash,
        message: data.message,
        more: { roles: approval.roles, url: link },
        expiresAt,
      });
      return [...text, finished({ result, outcome: { type: "interrupt", interrupts: [interrupt] } })];
    }
    const { dialogue, outputs, usage } = outcome.data;
    const state = dialogue
      ? [{ type: "STATE_DELTA", delta: [{ op: "add", path: "/dialogue", value: dialogue }] }]
      : [];
    return [
      ...state,
      ...text,
      finished({
        result: { ...result, ...(outputs ? { outputs } : {}) },
        // Each call has its result, so none is pending: clients of earlier versions refuse to be told so.
        outcome: { type: "success" },
        ...(usage ? { usage: [usageOf(usage)] } : {}),
      }),
    ];
  }
}

function pausesFor({ json }: StoredEvent, approvalId: string | undefined): boolean {
  const event = decodeEvent(json);
  return event.type === "run_paused" && event.data.approval.id === approvalId;
}

/** Outputs that are large are left to the run's own log. */
function resultOf({ run_id, data: { outputs, warnings, taken_from } }: Of<"step_finished">): object {
  const isLarge = outputs instanceof JsonText;
  return {
    ...(outputs === undefined ? {} : { outputs: isLarge ? `GET /api/v1/runs/${run_id}/events` : outputs }),
    ...(warnings.length > 0 ? { warnings } : {}),
    ...(taken_from === undefined ? {} : { taken_from }),
  };
}

function usageOf(usage: NonNullable<Of<"run_finished">["data"]["usage"]>): object {
  const { input_tokens, output_tokens, cached_input_tokens: cached, reasoning_tokens: reasoning } = usage;
  return {
    inputTokens: input_tokens,
    outputTokens: output_tokens,
    totalTokens: input_tokens + output_tokens,
    ...(cached === undefined ? {} : { cachedInputTokens: cached }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
  };
}
