import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { SettingError, secretOf, storeOf } from "./settings.ts";

let dir: string;
const file = (name: string, text: string): string => {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
};

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "interlock-settings-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** The message with which a setting is refused. */
function refusal(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof SettingError) return error.message;
    throw error;
  }
  return "";
}

describe("a secret", () => {
  test("comes from the variable, or from a file without the newline at its end", () => {
    expect(secretOf({}, "KEY")).toBeUndefined();
    expect(secretOf({ KEY: "one" }, "KEY")).toBe("one");
    for (const end of ["", "\n", "\r\n"])
      expect(secretOf({ KEY_FILE: file("key", `two words\nand lines${end}`) }, "KEY")).toBe(
        "two words\nand lines",
      );
    expect(secretOf({ KEY: "", KEY_FILE: file("key", "two") }, "KEY")).toBe("two");
  });

  test("is refused where it is ambiguous or missing: the message names the variable alone", () => {
    const path = file("marker-path", "marker-content");
    const refusals = [
      refusal(() => secretOf({ KEY: "marker-value", KEY_FILE: path }, "KEY")),
      refusal(() => secretOf({ KEY_FILE: join(dir, "marker-missing") }, "KEY")),
      refusal(() => secretOf({ KEY_FILE: dir }, "KEY")),
      refusal(() => secretOf({ KEY_FILE: file("marker-empty", "\n") }, "KEY")),
    ];
    for (const message of refusals) {
      expect(message).toContain("KEY_FILE");
      expect(message).not.toMatch(/marker|tmp/);
    }
  });
});

describe("a service that others can reach", () => {
  const reached = { host: "0.0.0.0" };

  test.each([
    "redis://redis:6379",
    "redis://user@redis",
    "redis://:password@redis",
    "redis://user:Password@redis",
    "redis+sentinel://:changeme@a,b/mesh",
    "rediss+cluster://gateway:gateway@a",
    "redis://:short@redis",
  ])("is refused with %s, unless that is asked for", (REDIS_URL) => {
    expect(refusal(() => storeOf({ REDIS_URL }, reached))).toMatch(/REDIS_URL has (no|a weak) password/);
    expect(storeOf({ REDIS_URL, ALLOW_INSECURE_STORE: "1" }, reached)?.url).toBe(REDIS_URL);
    for (const host of ["127.0.0.1", "localhost", "::1"])
      expect(storeOf({ REDIS_URL }, { host })?.url).toBe(REDIS_URL);
  });

  test("takes a password that is none of the known ones, and no Redis at all", () => {
    const REDIS_URL = "rediss://gateway:3f9a1c77d2e04b58@redis:6379";
    expect(storeOf({ REDIS_URL }, reached)).toEqual({ url: REDIS_URL, tls: {} });
    expect(storeOf({}, reached)).toBeUndefined();
    expect(refusal(() => storeOf({}, { ...reached, fallback: "redis://127.0.0.1" }))).toContain("REDIS_URL");
  });
});

describe("TLS", () => {
  test("takes the texts of the files", () => {
    const [REDIS_CA_FILE, REDIS_CERT_FILE, REDIS_KEY_FILE] = ["ca", "cert", "key"].map((name) =>
      file(name, `${name} text\n`),
    );
    const env = { REDIS_URL: "rediss://redis", REDIS_CA_FILE, REDIS_CERT_FILE, REDIS_KEY_FILE };
    expect(storeOf(env, { host: "::1" })?.tls).toEqual({ ca: "ca text", cert: "cert text", key: "key text" });
    const half = { ...env, REDIS_KEY_FILE: undefined };
    expect(refusal(() => storeOf(half, { host: "::1" }))).toContain("REDIS_KEY_FILE");
    const plain = { ...env, REDIS_URL: "redis://redis" };
    expect(refusal(() => storeOf(plain, { host: "::1" }))).toContain("rediss");
  });
});
