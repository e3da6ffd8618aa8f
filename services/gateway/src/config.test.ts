import { describe, expect, test } from "@jest/globals";
import { ConfigError, readConfig } from "./config.ts";

describe("the settings", () => {
  test("have defaults that work on one machine", () => {
    expect(readConfig({})).toMatchObject({
      host: "127.0.0.1",
      port: 8080,
      redisUrl: "redis://127.0.0.1:6379",
      meshFile: "mesh.yaml",
      unsafeNoFencing: false,
    });
  });

  test("take an empty variable for an absent one", () => {
    expect(readConfig({ PORT: "", HOST: "", REDIS_URL: "" })).toMatchObject({
      port: 8080,
      host: "127.0.0.1",
    });
  });

  test("keep room for at least one body of the largest size", () => {
    const MAX_BODY_BYTES = String(100 * 1024 * 1024);
    expect(readConfig({ MAX_BODY_BYTES }).maxBodiesBytes).toBe(Number(MAX_BODY_BYTES));
    expect(() => readConfig({ MAX_BODY_BYTES, MAX_BODIES_BYTES: "1000000" })).toThrow("MAX_BODIES_BYTES");
  });

  test("keep no more turns raw than make a session long", () => {
    expect(readConfig({ MAX_CONTEXT_TURNS: "2" }).memoryKeepRecentTurns).toBe(2);
    expect(() => readConfig({ MAX_CONTEXT_TURNS: "2", MEMORY_KEEP_RECENT_TURNS: "3" })).toThrow(
      "MEMORY_KEEP_RECENT_TURNS",
    );
  });

  test.each([
    ["PORT", "80a"],
    ["PORT", "-1"],
    ["PORT", "65536"],
    ["MAX_RUNS", "0"],
    ["SHUTDOWN_GRACE_MS", "1.5"],
    ["REDIS_URL", "http://secret"],
  ])("refuse %s=%s by its name, without its value", (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(ConfigError);
    expect(() => readConfig({ [name]: value })).toThrow(name);
    expect(() => readConfig({ [name]: value })).not.toThrow("secret");
  });
});

test("a proxy is one that is named here, never one of the environment's usual names", () => {
  expect(readConfig({ HTTP_PROXY: "http://p:1", ALL_PROXY: "http://p:1" }).egressProxy).toBeUndefined();
  expect(readConfig({ EGRESS_PROXY: "http://u:p@proxy:3128" }).egressProxy).toBe("http://u:p@proxy:3128");
  for (const text of ["proxy:3128", "socks5://proxy", "http://proxy/path", "http://proxy?x"])
    expect(() => readConfig({ EGRESS_PROXY: text })).toThrow(ConfigError);
});
