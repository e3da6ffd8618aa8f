import type { IncomingMessage } from "node:http";
import { expect, test } from "@jest/globals";
import { readConfig } from "../config.ts";
import { clientAddress } from "./client-address.ts";

function addressOf(remoteAddress: string, forwarded?: string): string {
  const { trustedProxies } = readConfig({ TRUSTED_PROXIES: "10.0.0.0/8, 192.0.2.7,2001:db8::/32" });
  const req = { socket: { remoteAddress }, headers: { "x-forwarded-for": forwarded } };
  return clientAddress(trustedProxies)(req as unknown as IncomingMessage);
}

test.each([
  ["a client without a proxy", "198.51.100.1", undefined, "198.51.100.1"],
  ["a client that sends the header itself", "198.51.100.1", "203.0.113.9", "198.51.100.1"],
  ["a client behind a proxy", "10.1.2.3", "203.0.113.9", "203.0.113.9"],
  ["a client behind two proxies", "10.1.2.3", "203.0.113.9, 192.0.2.7", "203.0.113.9"],
  ["a client that lies to a proxy", "10.1.2.3", "198.51.100.77, 203.0.113.9", "203.0.113.9"],
  ["a client that names a proxy", "10.1.2.3", "10.9.9.9, 203.0.113.9", "203.0.113.9"],
  ["what is no address", "10.1.2.3", "203.0.113.9, unknown", "10.1.2.3"],
  ["an address with a port", "10.1.2.3", "203.0.113.9:4711", "203.0.113.9"],
  ["a mapped address", "::ffff:10.1.2.3", "::ffff:203.0.113.9", "203.0.113.9"],
  ["IPv6", "2001:db8::1", "[2001:dead::2]:443", "2001:dead::2"],
  ["IPv6 without a port", "10.1.2.3", "2001:dead::443", "2001:dead::443"],
  ["proxies alone", "10.1.2.3", "10.4.5.6", "10.4.5.6"],
  ["a proxy that says nothing", "10.1.2.3", undefined, "10.1.2.3"],
])("%s", (_, remote, forwarded, expected) => {
  expect(addressOf(remote, forwarded)).toBe(expected);
});

test.each(["10.0.0.0/33", "10.0.0", "proxy.example", "10.0.0.0/8/8", "::/129", "10.0.0.0/x"])(
  "TRUSTED_PROXIES=%s is refused",
  (list) => expect(() => readConfig({ TRUSTED_PROXIES: list })).toThrow("TRUSTED_PROXIES"),
);
