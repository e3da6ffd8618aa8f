import { randomUUID } from "node:crypto";

/** Ids on the wire and in keys. */
export const ID_PATTERN = /^[A-Za-z0-9_-]{1,64}$/;

export function newId(): string {
  return randomUUID().replaceAll("-", "");
}
