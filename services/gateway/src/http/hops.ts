import type { IncomingMessage } from "node:http";
import { GatewayError } from "../errors.ts";
import { ID_PATTERN } from "../ids.ts";
import { headerOf } from "./request.ts";

/** The gateways that a request came through, first the one that the user spoke to. Each adds its own id when it asks another one. */
const HEADER = "interlock-hops";

/** Most gateways that a request may pass through. */
const MAX_HOPS = 4;

/** @throws GatewayError loop_detected; invalid_request where the header is not a list of ids */
export function hopsOf(req: IncomingMessage, gatewayId: string): readonly string[] {
  const header = headerOf(req, HEADER);
  if (header === undefined) return NONE;
  const hops = header.split(",").map((hop) => hop.trim());
  if (!hops.every((hop) => ID_PATTERN.test(hop)))
    throw new GatewayError("invalid_request", "Interlock-Hops is not a list of gateways' ids.");
  if (hops.includes(gatewayId) || hops.length > MAX_HOPS) throw new GatewayError("loop_detected");
  return hops;
}

const NONE: readonly string[] = [];
