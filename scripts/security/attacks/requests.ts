import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import type { Area, Attack } from "../attack.ts";
import { raw, rawText, requestText, verdict } from "../http.ts";
import type { World } from "../world.ts";

const hostOf = ({ url }: World): string => new URL(url).host;
const tokenOf = ({ issuer }: World): string => `Authorization: ${issuer.as("ann").authorization}`;

/** A request as text: `lines` follow Host and Authorization. */
const text = (world: World, line: string, lines: readonly string[] = [], body = ""): string =>
  requestText(line, [`Host: ${hostOf(world)}`, tokenOf(world), ...lines], body);

const SECOND = "GET /api/v1/agents HTTP/1.1\r\nHost: smuggled.example\r\n\r\n";

function sent(name: string, expected: string, bytes: (world: World) => string | Buffer): Attack {
  const run = (world: World) => raw(world.url, bytes(world));
  return expected === REFUSED
    ? { name, expected, accepts: /^(?:closed|40\d [a-z_]+|501)$/, run }
    : { name, expected, run };
}

/** With which code, or without any, does not matter. */
const REFUSED = "closed or refused";

const JSON_TYPE = "Content-Type: application/json";
const CHAT = "POST /api/v1/chat HTTP/1.1";

export const REQUESTS: Area = {
  title: "requests",
  attacks: [
    sent("a length and chunks (CL.TE)", "400 invalid_request", (world) =>
      text(world, CHAT, [JSON_TYPE, "Content-Length: 6", "Transfer-Encoding: chunked"], `0\r\n\r\n${SECOND}`),
    ),
    sent("chunks and a length (TE.CL)", "400 invalid_request", (world) =>
      text(
        world,
        CHAT,
        [JSON_TYPE, "Transfer-Encoding: chunked", "Content-Length: 4"],
        `5c\r\n${SECOND}\r\n0\r\n\r\n`,
      ),
    ),
    sent("two lengths", "400 invalid_request", (world) =>
      text(world, CHAT, [JSON_TYPE, "Content-Length: 2", "Content-Length: 40"], `{}${SECOND}`),
    ),
    sent("a length with a sign", "400 invalid_request", (world) =>
      text(world, CHAT, [JSON_TYPE, "Content-Length: +2"], `{}${SECOND}`),
    ),
    sent("a length in hex", "400 invalid_request", (world) =>
      text(world, CHAT, [JSON_TYPE, "Content-Length: 0x2"], `{}${SECOND}`),
    ),
    sent("chunked twice", "400 invalid_request", (world) =>
      text(world, CHAT, [JSON_TYPE, "Transfer-Encoding: chunked, chunked"], "0\r\n\r\n"),
    ),
    sent("chunked with a tab", "400 invalid_request", (world) =>
      text(world, CHAT, [JSON_TYPE, "Transfer-Encoding:\tchunked", "Content-Length: 2"], "{}"),
    ),
    sent("an unknown transfer coding", "400 invalid_request", (world) =>
      text(world, CHAT, [JSON_TYPE, "Transfer-Encoding: xchunked"], "0\r\n\r\n"),
    ),
    sent("a space before the colon", "400 invalid_request", (world) =>
      text(world, CHAT, [JSON_TYPE, "Content-Length : 2"], "{}"),
    ),
    sent("a folded header", "400 invalid_request", (world) =>
      text(world, "GET /api/v1/runs HTTP/1.1", ["X-A: 1", " folded: 2"]),
    ),
    sent("a bare line feed in a header", "400 invalid_request", (world) =>
      text(world, "GET /api/v1/runs HTTP/1.1", ["X-A: 1\nX-Forwarded-For: 10.0.0.1"]).replace(
        "1\nX",
        "1\n\nX",
      ),
    ),
    sent("a null byte in a header", "400 invalid_request", (world) =>
      text(world, "GET /api/v1/runs HTTP/1.1", ["X-A: a\0b"]),
    ),
    sent("a chunk size that overflows", "400 invalid_request", (world) =>
      text(world, CHAT, [JSON_TYPE, "Transfer-Encoding: chunked"], "FFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n"),
    ),
    sent("two hosts", "400 invalid_request", (world) =>
      text(world, "GET /api/v1/runs HTTP/1.1", ["Host: evil.example"]),
    ),
    sent("no host", "400 invalid_request", () => "GET /api/v1/runs HTTP/1.1\r\n\r\n"),
    sent("HTTP/0.9", "400 invalid_request", () => "GET /api/v1/runs\r\n\r\n"),
    sent(
      "HTTP/2 without leave",
      REFUSED,
      (world) => `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${text(world, "GET / HTTP/1.1")}`,
    ),
    sent("CONNECT", REFUSED, (world) => text(world, "CONNECT 169.254.169.254:80 HTTP/1.1")),
    sent("an absolute target elsewhere", "404 not_found", (world) =>
      text(world, "GET http://169.254.169.254/latest/meta-data/ HTTP/1.1", ["Connection: close"]),
    ),
    sent("TRACE", REFUSED, (world) => text(world, "TRACE /api/v1/runs HTTP/1.1", ["Connection: close"])),
    sent("64 KB of headers", "431 headers_too_large", (world) =>
      text(world, "GET /api/v1/runs HTTP/1.1", [`X-A: ${"a".repeat(65_536)}`]),
    ),
    sent("ten thousand headers", "431 headers_too_large", (world) =>
      text(
        world,
        "GET /api/v1/runs HTTP/1.1",
        Array.from({ length: 10_000 }, (_, n) => `X-${n}: 1`),
      ),
    ),
    {
      name: "a header that overrides the method",
      expected: "405 method_not_allowed",
      run: ({ url, issuer }) =>
        verdict(`${url}/api/v1/agents`, {
          method: "POST",
          body: {},
          headers: { ...issuer.as("ann"), "x-http-method-override": "GET" },
        }),
    },
    {
      name: "headers that rewrite the path",
      expected: "404 not_found",
      run: ({ url, issuer }) =>
        verdict(`${url}/api/v1/nothing`, {
          headers: {
            ...issuer.as("ann"),
            "x-original-url": "/api/v1/agents",
            "x-rewrite-url": "/api/v1/agents",
          },
        }),
    },
    {
      name: "a request id that adds a header",
      expected: "no such header",
      run: async (world) => {
        const answer = await rawText(
          world.url,
          text(world, "GET /healthz HTTP/1.1", ["X-Request-Id: a%0d%0aSet-Cookie:x=1", "Connection: close"]),
        );
        return /set-cookie/i.test(answer) ? answer : "no such header";
      },
    },
    {
      name: "headers that never end",
      expected: "cut, and others are served",
      async run(world) {
        const sockets = Array.from({ length: 100 }, () => {
          const { hostname, port } = new URL(world.url);
          const socket = connect(Number(port), hostname).on("error", () => undefined);
          socket.write(`GET /api/v1/runs HTTP/1.1\r\nHost: ${hostOf(world)}\r\n`);
          return socket;
        });
        const cut = Promise.all(
          sockets.map((socket) => new Promise<void>((resolve) => void socket.once("close", () => resolve()))),
        );
        const dripping = setInterval(() => {
          for (const socket of sockets) if (!socket.destroyed) socket.write("X-A: 1\r\n");
        }, 1_000);
        const other = await verdict(`${world.url}/api/v1/agents`, { headers: world.issuer.as("ann") });
        const ended = await Promise.race([cut.then(() => true), setTimeout(30_000, false)]);
        clearInterval(dripping);
        for (const socket of sockets) socket.destroy();
        return other === "200" && ended
          ? "cut, and others are served"
          : `${other}, ${ended ? "cut" : "held"}`;
      },
    },
    {
      name: "a body that trickles",
      expected: "408 request_timeout",
      async run(world) {
        const { hostname, port } = new URL(world.url);
        const socket = connect(Number(port), hostname).on("error", () => undefined);
        let answer = "";
        socket.on("data", (chunk) => (answer += String(chunk)));
        socket.write(text(world, CHAT, [JSON_TYPE, "Content-Length: 100000"], "{"));
        const closed = new Promise<void>((resolve) => void socket.once("close", () => resolve()));
        const dripping = setInterval(() => socket.destroyed || socket.write(" "), 500);
        await Promise.race([closed, setTimeout(70_000)]);
        clearInterval(dripping);
        socket.destroy();
        const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? "no answer";
        const code = /"code":"(\w+)"/.exec(answer)?.[1] ?? "";
        return `${status} ${code}`.trim();
      },
    },
    {
      name: "pipelined requests are answered in order, each by its own token",
      expected: "200, 401 unauthorized",
      run: (world) =>
        raw(
          world.url,
          text(world, "GET /api/v1/agents HTTP/1.1") +
            requestText("GET /api/v1/agents HTTP/1.1", [`Host: ${hostOf(world)}`]),
        ),
    },
  ],
};
