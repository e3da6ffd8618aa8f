import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type CookieKind, readCookie, setCookie } from "./cookies.ts";

/** Answers with what it reads of a cookie, and sets it anew. */
const server = createServer((req, res) => {
  const [, kind, where] = (req.url ?? "").split("/");
  const secure = where === "tls";
  const value = readCookie(req, kind as CookieKind, secure);
  setCookie(res, kind as CookieKind, { secure, ...(req.method === "DELETE" ? {} : { value: "secret" }) });
  res.end(String(value));
});

let origin: string;

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
});

const asked = (path: string, cookie = "", method = "GET") =>
  fetch(origin + path, { method, headers: { cookie, connection: "close" } });

test.each([
  ["/session/tls", "__Host-interlock-session=secret; Path=/; HttpOnly; SameSite=Strict; Secure"],
  ["/sign-in/tls", "__Host-interlock-sign-in=secret; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=600"],
  ["/session/http", "interlock-session=secret; Path=/; HttpOnly; SameSite=Strict"],
  ["/sign-in/http", "interlock-sign-in=secret; Path=/; HttpOnly; SameSite=Lax; Max-Age=600"],
])("the cookie of %s is for this origin alone, and for no script", async (path, cookie) => {
  expect((await asked(path)).headers.getSetCookie()).toEqual([cookie]);
});

test("one that is removed has the same scope, and no value", async () => {
  const { headers } = await asked("/session/tls", "", "DELETE");
  expect(headers.getSetCookie()).toEqual([
    "__Host-interlock-session=; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=0",
  ]);
});

test.each([
  ["/session/tls", "a=b; __Host-interlock-session=own", "own"],
  ["/session/http", "interlock-session=own; a=b", "own"],
  // Over TLS, one without the prefix may be of another host of the same domain.
  ["/session/tls", "interlock-session=planted", "undefined"],
  ["/session/http", "__Host-interlock-session=planted", "undefined"],
  ["/session/tls", "__Host-interlock-session=own; __Host-interlock-session=planted", "undefined"],
  ["/session/http", "x-interlock-session=planted", "undefined"],
])("%s with %s reads %s", async (path, cookie, value) => {
  expect(await (await asked(path, cookie)).text()).toBe(value);
});
