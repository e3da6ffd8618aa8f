import type { NoAnswer } from "./answer.ts";

/** Node's error codes in plain words. Error messages are never shown, because they may quote the agent. */
const CONNECTING: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there (connection refused)",
  ENOTFOUND: "the host name is not known",
  EAI_AGAIN: "the host name could not be looked up",
  EHOSTUNREACH: "there is no way to that host",
  ENETUNREACH: "there is no way to that network",
  EADDRNOTAVAIL: "there is no such address",
  ETIMEDOUT: "no connection was made in time",
  CONNECT_TIMEOUT: "no connection was made in time",
  ERR_SSL_WRONG_VERSION_NUMBER: "it does not speak TLS (try http)",
  EPROTO: "it does not speak TLS (try http)",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed (set NODE_EXTRA_CA_CERTS)",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate's issuer is not trusted (set NODE_EXTRA_CA_CERTS)",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate's issuer is not trusted (set NODE_EXTRA_CA_CERTS)",
  CERT_HAS_EXPIRED: "its certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host",
};

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** When several addresses were tried, Node reports an AggregateError. Its first error is used. */
function innermost(error: unknown): unknown {
  return error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error;
}

export function troubleOf(error: unknown): Pick<NoAnswer, "why" | "words"> {
  const code = codeOf(error) || codeOf(innermost(error));
  const connecting = CONNECTING[code];
  if (connecting !== undefined) return { why: "connect", words: connecting };
  if (code === "HPE_HEADER_OVERFLOW") return { why: "broken", words: "its header is larger than 16 KiB" };
  if (code.startsWith("HPE_")) return { why: "broken", words: "what it sent is not an HTTP answer" };
  return { why: "broken", words: "the connection was closed without an answer" };
}
