import { createHash, randomUUID } from "node:crypto";
import type { SlotValues } from "./types.ts";

/**
 * What a user was asked to confirm. The id is a hash of the content, so that nothing else can be done under it, and it is the key under
 * which that is done once. The nonce tells two confirmations of equal content apart.
 */
export type Confirmation = { readonly id: string; readonly nonce: string };

export function confirmationOf(content: SlotValues): Confirmation {
  const nonce = randomUUID();
  return { id: idOf(nonce, content), nonce };
}

/** Whether the confirmation showed exactly this content. */
export function confirms({ id, nonce }: Confirmation, content: SlotValues): boolean {
  return id === idOf(nonce, content);
}

/** SHA-256 of the canonical JSON, in which members stand in the order of their names. */
function idOf(nonce: string, content: SlotValues): string {
  const slots = JSON.stringify(content, Object.keys(content).sort());
  return sha256(`{"nonce":${JSON.stringify(nonce)},"slots":${slots}}`);
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
