export { Decisions } from "./decide.ts";
export type { EventFeed, RunBatch } from "./event-feed.ts";
export type { Rested } from "./execute.ts";
export type { RunHandle } from "./handle.ts";
export { Holder } from "./holder.ts";
export type { LiveRun } from "./live-run.ts";
export { Planner } from "./plan.ts";
export { Queues } from "./queues.ts";
export { Runs, type StartOptions } from "./runs.ts";
