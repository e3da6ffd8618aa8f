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

  test("let others reach the gateway only with a password for its store", () => {
    expect(() => readConfig({ HOST: "0.0.0.0" })).toThrow(ConfigError);
    expect(() => readConfig({ HOST: "0.0.0.0", REDIS_URL: "redis://:password@redis" })).toThrow("REDIS_URL");
    const REDIS_URL = "redis://gateway:3f9a1c77d2e04b58@redis";
    expect(readConfig({ HOST: "0.0.0.0", REDIS_URL })).toMatchObject({ redisUrl: REDIS_URL });
    expect(readConfig({ HOST: "0.0.0.0", ALLOW_INSECURE_STORE: "1" }).host).toBe("0.0.0.0");
  });

  test.each([
    ["PORT", "80a"],
    ["METRICS_PORT", "x"],
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
