import type { TraceContext } from "@interlock/contracts";
import type { ActingCaller } from "../caller.ts";
import type { Artifact } from "./tool-artifacts.ts";

/** What a callee is, as the events of a run name it. */
export type CalleeAbout = { agent: string; task_type: string };

/** One call: on whose behalf, for what, and how long it counts. */
export type CalleeScope = {
  caller: ActingCaller;
  runId: string;
  /** The call's key in the run's journal: `step.round.call`. */
  key: string;
  /** Where the call belongs. */
  trace: TraceContext;
  signal: AbortSignal;
  /** The call may change something, and is sent at most once, or may be sent again under its key. */
  effect?: "repeatable" | "once" | undefined;
  /** Milliseconds that a kept result may be old; absent: as old as the callee allows. */
  maxAgeMs?: number | undefined;
  /** Bytes of artifacts that the run may still keep. */
  room: number;
  /** Is told how far the call is. @returns back-pressure */
  onProgress?: ((progress: object) => Promise<void> | undefined) | undefined;
};

export type CalleeResult = {
  outputs: object;
  /** The same for readers of text. */
  text: string;
  warnings: readonly string[];
  /** What of the result is no text. */
  artifacts?: readonly Artifact[];
  /** What was called says itself that it failed. */
  isError: boolean;
  cached: "hit" | "miss" | "shared" | "bypass";
};

/**
 * What a step can call, whatever protocol it speaks. Admission, retries, connections and tracing are behind it; whether the call may be
 * made, and how often, is the run's.
 */
export type Callee = {
  /** The name by which manifests and models know it. */
  name: string;
  about: CalleeAbout;
  description: string;
  /** JSON Schema of the arguments. */
  parameters: object;
  /** The MCP server behind it. */
  server?: string;
  /** It changes nothing. */
  reads: boolean;
  /** What it changes waits for approvals of its own: the call itself needs none. */
  gatesItself?: boolean;
  /** @returns what is wrong with the arguments, in the schema's words */
  judge(args: unknown, signal: AbortSignal): Promise<string | undefined>;
  /** @throws UpstreamError; the reason of the signal */
  call(args: Readonly<Record<string, unknown>>, scope: CalleeScope): Promise<CalleeResult>;
};
