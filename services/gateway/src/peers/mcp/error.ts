import { type CallToolResult, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { GatewayError } from "../../errors.ts";
import { toGatewayError } from "../../http/index.ts";

/** JSON-RPC's own codes, by ours; the rest is the server's. */
const CODES: Readonly<Record<string, number>> = { invalid_json: -32700, invalid_request: -32600 };
const SERVER_ERROR = -32000;

/** The key in `_meta` of a failed call, beside what its text says. */
export const ERROR_META = "interlock/error";

/** An error in the form of JSON-RPC; `data` has the API's code. */
export function rpcError({ code, message, retryable, extra }: GatewayError): {
  code: number;
  message: string;
  data: object;
} {
  return { code: CODES[code] ?? SERVER_ERROR, message, data: { code, retryable, ...extra } };
}

/** The body of a request that was refused before the protocol read it. */
export function errorBody(error: GatewayError): object {
  return { jsonrpc: "2.0", id: null, error: rpcError(error) };
}

/** A call that failed, for the model that made it and for programs. */
export function failedCall({ code, message, retryable, extra, headers }: GatewayError): CallToolResult {
  const after = headers["retry-after"];
  return {
    isError: true,
    content: [{ type: "text", text: `${message} (${code})` }],
    _meta: {
      [ERROR_META]: {
        code,
        retryable,
        ...(after === undefined ? {} : { retry_after_s: Number(after) }),
        ...extra,
      },
    },
  };
}

export type Saying = <T>(work: () => Promise<T>) => Promise<T>;

/** Has work end with an error of the protocol, whatever it ends with. @param onFailure told of what failed inside of the gateway */
export function sayingSo(onFailure: (error: unknown) => void): Saying {
  return async (work) => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      const failure = toGatewayError(error);
      if (failure.code === "internal") onFailure(error);
      const { code, message, data } = rpcError(failure);
      throw new ProtocolError(code, message, data);
    }
  };
}

/** A name that means nothing, or nothing to this caller. */
export function unknown(what: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no such ${what}.`, {
    code: "not_found",
  });
}
