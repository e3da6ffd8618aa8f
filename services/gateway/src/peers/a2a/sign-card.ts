import { canonicalJson } from "../../canonical-json.ts";
import type { SigningKeys } from "../../identity/index.ts";

export type CardSigner = {
  keys: Pick<SigningKeys, "signDetached">;
  /** Where its readers find the keys. Never from a request: whoever sends one would choose what the mesh vouches for. */
  jku: string;
};

/** A card with the mesh's signature: a JWS whose payload is the card itself, in canonical form. */
export function signedCard(card: object, { keys, jku }: CardSigner): object {
  const signature = keys.signDetached(canonicalJson(withoutEmpty(card) ?? {}), { typ: "JOSE", jku });
  return { ...card, signatures: [signature] };
}

/** Without what the protocol's libraries leave out of the canonical form: empty texts, lists and objects, and what has only those. */
function withoutEmpty(value: unknown): unknown {
  if (value === "" || value === null) return undefined;
  if (typeof value !== "object") return value;
  if (Array.isArray(value)) {
    const elements = value.flatMap((one) => withoutEmpty(one) ?? []);
    return elements.length > 0 ? elements : undefined;
  }
  const members = Object.entries(value).flatMap(([name, member]) => {
    const kept = withoutEmpty(member);
    return kept === undefined ? [] : [[name, kept]];
  });
  return members.length > 0 ? Object.fromEntries(members) : undefined;
}
