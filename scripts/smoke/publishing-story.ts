import { deepStrictEqual, fail, strictEqual } from "node:assert/strict";
import {
  ApiError,
  type ApprovalDetail,
  type ChatEvent,
  createClient,
  type Decided,
  type InterlockClient,
} from "@interlock/client";
import { Redis } from "ioredis";
import { PUBLISHING_ASK } from "../lib/asks.ts";
import { auditTenant } from "../lib/audit.ts";
import type { Mesh } from "../lib/mesh.ts";
import type { Outage } from "./outage.ts";

const TENANT = "default";
const APPROVERS = ["bo", "cy"] as const;

/** One plan whose effect needs an approval, followed through by its users on two gateways. Each step is a check. */
export class PublishingStory {
  readonly #mesh: Mesh;
  readonly #redis: Redis;
  #seen: readonly ChatEvent[] = [];
  #runId = "";
  #approval: ApprovalDetail | undefined;
  #decided: Decided | undefined;

  constructor(mesh: Mesh) {
    this.#mesh = mesh;
    this.#redis = new Redis(mesh.redisUrl, { maxRetriesPerRequest: null });
    this.#redis.on("error", () => undefined);
  }

  close(): void {
    this.#redis.disconnect();
  }

  /** Reads the ask's stream until the plan pauses, through an outage that comes when the first step has begun. */
  async pause(outage: Outage): Promise<string> {
    let cuts = 0;
    const client = this.#client(this.#mesh.url, "ann", "analyst", () => cuts++);
    const turn = client.chat(PUBLISHING_ASK, { sessionId: "story-1" });
    const events: ChatEvent[] = [];
    let struck: Promise<string> | undefined;
    for await (const event of turn) {
      events.push(event);
      if (event.type === "tool_call") struck ??= outage.strike();
    }
    const restart = (await struck) ?? fail("no step began");
    if (cuts === 0) fail("the outage did not cut the stream");
    const end = await turn.result;
    if (end.status !== "paused") fail(`the plan ended as ${end.status}`);
    isDense(events, 1);
    this.#seen = events;
    this.#runId = turn.runId ?? fail("the stream did not name its run");
    this.#approval = await this.#approver(0).approvals.get(end.approval.id);
    return restart;
  }

  async readAgain(): Promise<string> {
    const events = await this.#read("gateway-2", this.#middle);
    deepStrictEqual(events, this.#seen.slice(this.#middle));
    return `events ${this.#middle + 1} to ${this.#seen.length}`;
  }

  /** Approves on both gateways at once: one decision wins, the other gets 409 with the winner. A repeat gets the same answer. */
  async approveTwice(): Promise<string> {
    const { id, proposal_hash: proposalHash } = this.#approval ?? fail("there is no approval");
    const approve = (index: 0 | 1) =>
      this.#approver(index).approvals.decide(
        id,
        { decision: "approve", proposalHash },
        { idempotencyKey: `approve-${index}` },
      );
    const outcomes = await Promise.allSettled([approve(0), approve(1)]);
    const won = outcomes[0].status === "fulfilled" ? 0 : 1;
    const [winner, loser] = [outcomes[won], outcomes[1 - won]];
    if (winner?.status !== "fulfilled") throw winner?.reason;
    if (loser?.status !== "rejected") fail("both were told that they decided");
    const refusal: unknown = loser.reason;
    if (!(refusal instanceof ApiError)) throw refusal;
    strictEqual(refusal.status, 409);
    const { by, decision } = refusal.details.winner as Record<string, unknown>;
    deepStrictEqual({ by, decision }, { by: APPROVERS[won], decision: "approved" });
    deepStrictEqual(await approve(won), winner.value);
    this.#decided = winner.value;
    return `200 for ${APPROVERS[won]}, ${refusal.status} ${refusal.code} for ${APPROVERS[1 - won]}`;
  }

  async readToEnd(): Promise<string> {
    const events = await this.#read("gateway-2", this.#middle);
    isDense(events, this.#middle + 1);
    const ends = events.filter((event) => event.type === "end");
    const [end] = ends;
    if (ends.length !== 1 || end !== events.at(-1)) fail(`${ends.length} ends`);
    strictEqual(end?.status, "ok");
    const whole = await this.#read("gateway-1", 0);
    deepStrictEqual(whole.slice(this.#middle), events);
    // The events before the decision are unchanged, except that the pause is no longer the end.
    deepStrictEqual(whole.slice(0, this.#seen.length - 1), this.#seen.slice(0, -1));
    strictEqual(whole[this.#seen.length - 1]?.type, "rest");
    this.#seen = whole;
    return `${whole.length} events`;
  }

  async publishedOnce(): Promise<string> {
    const book = await this.#redis.xrange(`il:{${TENANT}}:book:price-book`, "-", "+");
    const effects = book.map(([, fields]) => fields[fields.indexOf("effect") + 1]);
    deepStrictEqual(effects, [`${this.#runId}:publish`]);
    return "1 entry in the price book";
  }

  async isKept(): Promise<string> {
    for (const index of [0, 1] as const) {
      deepStrictEqual(await this.#read(`gateway-${index + 1}`, 0), this.#seen);
      const asker = this.#client(this.#mesh.find(`gateway-${index + 1}`).url, "ann");
      strictEqual((await asker.runs.get(this.#runId)).state, "finished");
      const approval = await this.#approver(index).approvals.get(this.#approval?.id ?? "");
      deepStrictEqual([approval.state, approval.winner?.by], ["approved", this.#decided?.by]);
    }
    await this.publishedOnce();
    const { entries, problems } = await auditTenant(this.#redis, TENANT);
    deepStrictEqual({ entries, problems }, { entries: 2, problems: [] });
    return "run, log, approval, effect, and a decision log of 2 entries";
  }

  get #middle(): number {
    return Math.floor(this.#seen.length / 2);
  }

  #approver(index: 0 | 1): InterlockClient {
    return this.#client(this.#mesh.find(`gateway-${index + 1}`).url, APPROVERS[index], "pricing_approver");
  }

  async #read(replica: string, after: number): Promise<ChatEvent[]> {
    const { runs } = this.#client(this.#mesh.find(replica).url, "ann");
    const events: ChatEvent[] = [];
    for await (const event of runs.events(this.#runId, { after, dialect: "chat" })) events.push(event);
    return events;
  }

  #client(
    baseUrl: string,
    user: string,
    role = "analyst",
    onRetry: () => void = () => undefined,
  ): InterlockClient {
    return createClient({ baseUrl, token: () => this.#mesh.token({ user, roles: [role] }), onRetry });
  }
}

function isDense(events: readonly ChatEvent[], first: number): void {
  const seqs = events.map((event) => ("seq" in event ? event.seq : undefined));
  deepStrictEqual(
    seqs,
    events.map((_, index) => first + index),
  );
}
