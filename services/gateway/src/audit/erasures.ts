import { createHmac } from "node:crypto";
import type { ErasureAnswer } from "@interlock/contracts";
import { type Caller, principalOf } from "../caller.ts";
import { GatewayError } from "../errors.ts";
import { newId } from "../ids.ts";
import { type AuditLog, type ErasureStore, keysOf } from "../store/index.ts";
import { sealed } from "./entry.ts";

/** Whose data: a subject as one issuer knows them. */
export type ErasureRequest = { readonly subject: string; readonly issuer: string };

/** Erases what is kept of a person in the caller's tenant, and notes that in its decision log, without the person's name. */
export class Erasures {
  readonly #store: ErasureStore;
  readonly #log: Pick<AuditLog, "append">;

  constructor({ store, log }: { store: ErasureStore; log: Pick<AuditLog, "append"> }) {
    this.#store = store;
    this.#log = log;
  }

  /** @throws GatewayError conflict where runs of theirs are not over, store_unavailable */
  async erase(by: Caller, whose: ErasureRequest): Promise<ErasureAnswer> {
    const keys = keysOf(by.tenant);
    const owner = principalOf(whose);
    const open = await this.#store.openRuns(keys, owner);
    if (open > 0)
      throw new GatewayError(
        "conflict",
        `${open} runs of theirs are not over: cancel them, or wait for their end.`,
      );
    const digest = createHmac("sha256", await this.#store.digestKey(keys))
      .update(owner)
      .digest("hex");
    const id = newId();
    const at = new Date().toISOString();
    // First, so that nothing is erased without a record.
    await this.#log.append(keys, [
      sealed({
        id,
        act: "data_erased",
        at,
        by: principalOf(by),
        resource: "data of a subject",
        subject_digest: digest,
        count: 1,
      }),
    ]);
    return { erasure_id: id, subject_digest: digest, at, ...(await this.#store.erase(keys, owner)) };
  }
}
