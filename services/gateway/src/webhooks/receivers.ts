import type { Webhook } from "../mesh/index.ts";
import type { Notice, NoticeType, PushPlace } from "../store/index.ts";
import { bodyOf, type Delivery, type ProposalText, TASKS } from "./body.ts";
import { DeliveryError, dead } from "./failure.ts";
import { keyOf, signedHeaders } from "./sign.ts";

/** One request to a receiver. */
export type Posted = { url: string; headers: Record<string, string>; body: string };

/** A receiver as it is now. */
export type Receiver = {
  /** Receivers of the same share have a number of requests under way together. */
  share: string;
  /** @param id of the delivery. @throws DeliveryError, or what {@link dead} makes */
  posted(id: string): Promise<Posted>;
};

/** One kind of receivers: who wants to hear of a notice, and how each is told. */
export type Receivers = {
  /** The deliveries of a notice. */
  of(tenant: string, notice: Notice): Promise<readonly Delivery[]>;
  /** @returns undefined where the receiver was removed: nobody misses the delivery. @throws what {@link dead} makes */
  find(delivery: Delivery): Promise<Receiver | undefined>;
};

export type DeclaredDeps = {
  /** As the manifest that counts now declares them. */
  declared: () => ReadonlyMap<string, Webhook>;
  /** What a variable, or the file that it names, holds. It is read for each request, so that a new secret needs no restart. */
  secret: (variable: string) => string | undefined;
  /** Where the console is, as its readers know it; absent: bodies have no links. */
  publicUrl: string | undefined;
  /** @param most characters of a proposal that is read */
  proposalOf: (tenant: string, approval: string, most: number) => Promise<ProposalText | undefined>;
};

const PROPOSAL_CHARACTERS = 256 * 1024;

/** The webhooks of the manifest: Standard Webhooks, signed with secrets of whoever operates the mesh. */
export function declaredReceivers({ declared, secret, publicUrl, proposalOf }: DeclaredDeps): Receivers {
  async function posted(webhook: Webhook, delivery: Delivery, id: string): Promise<Posted> {
    const { tenant, notice } = delivery;
    const keys = webhook.secrets.flatMap((variable) => {
      const held = secret(variable);
      return held === undefined ? [] : [keyOf(held)];
    });
    if (keys.length === 0) throw new DeliveryError("no_secret");
    const about =
      webhook.proposal && notice.approval !== undefined
        ? await proposalOf(tenant, notice.approval, PROPOSAL_CHARACTERS)
        : undefined;
    const body = bodyOf(delivery, publicUrl, about);
    const seconds = Math.floor(Date.now() / 1_000);
    const signed = signedHeaders({ id, body, seconds }, keys);
    return { url: webhook.url, headers: { "content-type": "application/json", ...signed }, body };
  }
  return {
    async of(tenant, notice) {
      const wanting = [...declared()].filter(([, one]) => isWanted(one, tenant, notice.type));
      return wanting.map(([webhook]) => ({ tenant, webhook, notice }));
    },
    async find(delivery) {
      const webhook = declared().get(delivery.webhook);
      if (webhook === undefined) throw dead("not_declared");
      return { share: delivery.webhook, posted: (id) => posted(webhook, delivery, id) };
    },
  };
}

export function isWanted({ events, tenants }: Webhook, tenant: string, type: NoticeType): boolean {
  return events.has(type) && (tenants === undefined || tenants.has(tenant));
}

/** Receivers that callers have named for their tasks. */
export type TaskReceivers = {
  /** Those who hear of a run. */
  of(tenant: string, run: string): Promise<readonly PushPlace[]>;
  /** What one is told; a code where it can never be; undefined where it was removed. */
  posted(tenant: string, place: PushPlace, notice: Notice): Promise<Posted | string | undefined>;
};

export function taskReceivers(tasks: TaskReceivers): Receivers {
  return {
    async of(tenant, notice) {
      const places = await tasks.of(tenant, notice.run);
      return places.map((push) => ({ tenant, webhook: TASKS, notice, push }));
    },
    async find({ tenant, notice, push }) {
      const posted = push && (await tasks.posted(tenant, push, notice));
      if (posted === undefined) return undefined;
      if (typeof posted === "string") throw dead(posted);
      const { url, headers, body } = posted;
      return {
        share: new URL(url).origin,
        posted: async (id) => ({ url, headers: { ...headers, "webhook-id": id }, body }),
      };
    },
  };
}
