import type { Caller } from "../caller.ts";
import { mayUse, type TurnDeps, type TurnRequest, takeTurn } from "../conversation/index.ts";
import { GatewayError } from "../errors.ts";
import {
  type ApiRequest,
  cancelWhenGone,
  headerOf,
  hopsOf,
  idempotencyOf,
  maxAgeOf,
  type SseStreams,
} from "../http/index.ts";
import type { Service } from "../mesh/index.ts";
import type { RunHandle } from "../runs/index.ts";

/** What the adapters of all protocols work with. */
export type PeerDeps = TurnDeps & {
  streams: SseStreams;
  /** Names this gateway to those that a request comes through. */
  gatewayId: string;
  /** The gateway's address as its callers know it; absent: the one that a request names. */
  publicUrl: string | undefined;
};

/** What a peer asks for, whatever protocol it speaks. */
export type Asked = Pick<
  TurnRequest,
  "message" | "sessionId" | "service" | "task" | "inputs" | "quiet" | "background" | "idempotency" | "notify"
>;

/**
 * Takes a peer's turn as the chat API takes one: a simple ask is cancelled when its client goes away, unless it runs in the background.
 * @throws GatewayError as {@link takeTurn} does
 */
export async function ask(request: ApiRequest, asked: Asked, deps: PeerDeps): Promise<RunHandle> {
  const { run, isPlan } = await begin(request, asked, deps);
  if (!isPlan && !asked.background && !run.replayed) cancelWhenGone(run, request.res);
  return run;
}

/**
 * Begins a peer's turn, with the identity, limits, guards, approvals, idempotency and log of the chat API.
 * @throws GatewayError as {@link takeTurn} does
 */
export async function begin(
  request: ApiRequest,
  asked: Asked,
  deps: PeerDeps,
): Promise<{ run: RunHandle; isPlan: boolean }> {
  const { req, res, caller, admitted, requestId } = request;
  const begun = await takeTurn(
    {
      idempotency: idempotencyOf(request),
      ...asked,
      caller,
      admitted,
      requestId,
      authorization: headerOf(req, "authorization"),
      hops: hopsOf(req, deps.gatewayId),
      maxAgeMs: maxAgeOf(req),
      trace: request.trace,
    },
    deps,
  );
  // A protocol may have begun its answer.
  if (!res.headersSent) res.setHeader("x-run-id", begun.run.id);
  return begun;
}

/** The services that a caller may use. */
export function servicesFor(caller: Caller, deps: PeerDeps): Service[] {
  return [...deps.mesh.services.values()].filter((service) => mayUse(caller, service, deps));
}

/** Where callers find the gateway. @throws GatewayError invalid_request */
export function originOf({ req }: Pick<ApiRequest, "req">, { publicUrl }: PeerDeps): string {
  if (publicUrl !== undefined) return publicUrl;
  const host = headerOf(req, "host") ?? "";
  const url = URL.parse(`http://${host}`);
  if (!url || url.host === "" || url.pathname !== "/")
    throw new GatewayError("invalid_request", "The Host header is not a host.");
  return url.origin;
}
