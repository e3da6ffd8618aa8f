import type { Caller } from "../caller.ts";
import { principalOf } from "../caller.ts";
import { canonicalJson, sha256 } from "../canonical-json.ts";
import { newId } from "../ids.ts";
import type { NewAudit } from "../store/index.ts";

/** What the decision log keeps beside decisions. */
export type SecurityAct =
  /** Nobody was identified: no token, or one that is not accepted. */
  | "token_refused"
  /** The caller lacks the permission, or a page of another origin sent the request. */
  | "permission_refused"
  /** A role let the caller reach what another person owns. */
  | "foreign_access"
  /** Another version of the manifest was loaded. */
  | "manifest_reloaded"
  /** A delivery of a webhook was ordered again. */
  | "webhook_redelivered";

/** Who did what to which resource, from where. Holds ids, names and codes, never the content of a request. */
export type SecurityNote = {
  act: SecurityAct;
  /** Absent where nobody is identified. */
  caller?: Pick<Caller, "tenant" | "issuer" | "subject"> | undefined;
  /** The method and route, and the id of what they are about. */
  resource: string;
  /** The error's code. */
  code?: string | undefined;
  /** Name and code of what is behind it. */
  reason?: string | undefined;
  /** Of a token that was refused: the manifest's name of its issuer. */
  issuer?: string | undefined;
  /** The client's, where the request is at hand. */
  address?: string | undefined;
};

/** The log of acts without a known tenant, since a refused token proves none. It is no valid id, so no tenant has this name. */
const NO_TENANT = "@mesh";

export function tenantOf({ caller }: SecurityNote): string {
  return caller?.tenant ?? NO_TENANT;
}

/** Acts that agree in these fields are counted in one entry. Trying tokens at many routes of the API counts as one act. */
export function likenessOf(note: SecurityNote): string {
  const { act, caller, code, reason, issuer, address } = note;
  const by = caller ? principalOf(caller) : "";
  return JSON.stringify([
    act,
    by,
    code,
    reason,
    issuer,
    address,
    act === "token_refused" ? "" : note.resource,
  ]);
}

/** When acts that are written as one entry happened. */
export type Times = { count: number; first: Date; last: Date };

/** @param note undefined: acts that are counted without saying whose they were, since there are too many */
export function securityEntry(
  act: SecurityAct,
  note: SecurityNote | undefined,
  { count, first, last }: Times,
): NewAudit {
  const { caller, resource, code, reason, issuer, address } = note ?? {};
  const entry = {
    id: newId(),
    act,
    at: first.toISOString(),
    ...(count > 1 ? { count, until: last.toISOString() } : { count }),
    ...(note ? { resource } : { others: true }),
    ...(address === undefined ? {} : { from: address }),
    ...(caller ? { by: principalOf(caller) } : {}),
    ...(code === undefined ? {} : { code }),
    ...(reason === undefined ? {} : { reason }),
    ...(issuer === undefined ? {} : { issuer }),
  };
  return sealed(entry);
}

/** An entry's text and its digest. */
export function sealed(entry: object): NewAudit {
  const text = canonicalJson(entry);
  return { text, digest: sha256(text) };
}
