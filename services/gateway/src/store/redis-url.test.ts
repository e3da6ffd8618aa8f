import { expect, test } from "@jest/globals";
import { readRedisUrl, redisEndpoints } from "./redis-url.ts";

const A = { host: "a", port: 6_379 };

test.each([
  ["redis://127.0.0.1:6379/3", { kind: "server", access: {} }],
  ["rediss://u:p@host", { kind: "server", access: { tls: {} } }],
  ["redis+cluster://a", { kind: "cluster", nodes: [A], access: {} }],
  ["redis://a,b:7000", { kind: "cluster", nodes: [A, { host: "b", port: 7_000 }], access: {} }],
  [
    "rediss+cluster://u:p%40@a",
    { kind: "cluster", nodes: [A], access: { username: "u", password: "p@", tls: {} } },
  ],
  [
    "redis+sentinel://:p@a,b:1/mesh",
    {
      kind: "sentinel",
      name: "mesh",
      nodes: [
        { host: "a", port: 26_379 },
        { host: "b", port: 1 },
      ],
      access: { password: "p" },
    },
  ],
])("%s says where Redis is", (text, place) => {
  expect(readRedisUrl(text)).toEqual(place);
});

test.each([
  "http://a",
  "redis://",
  "redis+sentinel://a",
  "redis+cluster://a/0",
  "redis://a,,b",
  "redis+odd://a",
])("%s is refused", (text) => {
  expect(readRedisUrl(text)).toBeUndefined();
});

test.each([
  ["redis://127.0.0.1/3", [{ host: "127.0.0.1", port: 6_379 }]],
  ["rediss://u:p@host:7000", [{ host: "host", port: 7_000 }]],
  ["redis://a,b:7000", [A, { host: "b", port: 7_000 }]],
  ["redis+sentinel://a/mesh", [{ host: "a", port: 26_379 }]],
])("%s names its servers", (text, servers) => {
  expect(redisEndpoints(text)).toEqual(servers);
});
