import { Asks, type AsksOptions, type AsksResult } from "./asks.ts";
import { type ConversationsOptions, type ConversationsResult, converse } from "./conversations.ts";
import { Decisions, type DecisionsOptions, type PausesResult, type ResumesResult } from "./decisions.ts";
import { type HeldResult, HeldStreams } from "./held-streams.ts";
import type { Job } from "./job.ts";
import { type PlanTiming, timePlans } from "./plans.ts";
import { type PostsResult, postDocument } from "./posts.ts";
import { Streams, type StreamsOptions, type StreamsResult } from "./streams.ts";

/** What can be asked of the load process. One thing of a kind at a time. */
export class Commands {
  #asks: Job<AsksResult> | undefined;
  #streams: Job<StreamsResult> | undefined;
  #held: HeldStreams | undefined;
  #decisions: Decisions | undefined;

  beginAsks(options: AsksOptions): void {
    this.#asks = new Asks(options);
  }

  beginStreams(options: StreamsOptions): void {
    this.#streams = new Streams(options);
  }

  /** Counting begins. */
  record(): void {
    this.#asks?.record();
    this.#streams?.record();
  }

  finishAsks(): Promise<AsksResult> {
    const asks = begun(this.#asks);
    this.#asks = undefined;
    return asks.finish();
  }

  finishStreams(): Promise<StreamsResult> {
    const streams = begun(this.#streams);
    this.#streams = undefined;
    return streams.finish();
  }

  openHeld(url: string, count: number, readers: "own" | "second"): Promise<HeldResult> {
    this.#held ??= new HeldStreams(url);
    return this.#held.open(count, readers);
  }

  heldState(): HeldResult {
    return begun(this.#held).state();
  }

  closeHeld(): void {
    this.#held?.close();
    this.#held = undefined;
  }

  pauseRuns(options: DecisionsOptions): Promise<PausesResult> {
    this.#decisions = new Decisions(options);
    return this.#decisions.pause();
  }

  approveRuns(): Promise<ResumesResult> {
    return begun(this.#decisions).approve();
  }

  converse(options: ConversationsOptions): Promise<ConversationsResult> {
    return converse(options);
  }

  timePlans(url: string, message: string, runs: number): Promise<PlanTiming[]> {
    return timePlans(url, message, runs);
  }

  postDocument(url: string, path: string, file: string, times: number): Promise<PostsResult> {
    return postDocument(url, path, file, times);
  }
}

function begun<T>(job: T | undefined): T {
  if (job === undefined) throw new Error("nothing of that kind was begun");
  return job;
}
