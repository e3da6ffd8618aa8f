import type { IncomingMessage } from "node:http";
import { type BlockList, isIP } from "node:net";
import { headerOf } from "./request.ts";

/** The address of the client that sent a request; empty where its connection is gone. */
export type AddressOf = (req: IncomingMessage) => string;

const MAPPED = /^::ffff:(?=\d+\.)/i;
/** An entry of `X-Forwarded-For` with a port, or in brackets. */
const WITH_PORT = /^(?:\[(?<v6>[^\]]+)\]|(?<v4>[\d.]+))(?::\d{1,5})?$/;

/**
 * The client's address is that of the connection, unless a listed proxy opened it. Each proxy appends the address of its peer to
 * `X-Forwarded-For`, so from the right the first address that is no listed proxy is the client's. Everything before it was sent by the
 * client and proves nothing.
 */
export function clientAddress(proxies: BlockList): AddressOf {
  const isProxy = (address: string): boolean => {
    const family = isIP(address);
    return family !== 0 && proxies.check(address, family === 6 ? "ipv6" : "ipv4");
  };
  return (req) => {
    let address = (req.socket.remoteAddress ?? "").replace(MAPPED, "");
    if (!isProxy(address)) return address;
    const forwarded = headerOf(req, "x-forwarded-for")?.split(",") ?? [];
    for (const entry of forwarded.reverse()) {
      const named = addressIn(entry.trim());
      if (isIP(named) === 0) return address;
      address = named.replace(MAPPED, "");
      if (!isProxy(address)) return address;
    }
    return address;
  };
}

function addressIn(entry: string): string {
  const { v4, v6 } = WITH_PORT.exec(entry)?.groups ?? {};
  return v4 ?? v6 ?? entry;
}
