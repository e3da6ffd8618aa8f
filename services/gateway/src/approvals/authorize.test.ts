import { describe, expect, test } from "@jest/globals";
import type { Caller } from "../caller.ts";
import { isOwnWork, type Ruled, refuseStale } from "./authorize.ts";

const ruled = (more: Partial<Ruled> = {}): Ruled => ({
  flow: "pricing",
  step: "publish",
  roles: [],
  requestedBy: "ann",
  editors: ["kim"],
  fourEyes: true,
  ...more,
});
const caller = (subject: string, more: Partial<Caller> = {}): Caller => ({
  ...{ tenant: "t", issuer: "idp", subject, roles: [] },
  ...more,
});

test("four eyes: one subject is one person, whoever vouches for it", () => {
  for (const issuer of ["idp", "another", "local"]) {
    expect(isOwnWork(ruled(), caller("ann", { issuer }))).toBe(true);
    expect(isOwnWork(ruled(), caller("kim", { issuer }))).toBe(true);
    expect(isOwnWork(ruled(), caller("lee", { issuer }))).toBe(false);
  }
});

describe("a decision with a maximum age", () => {
  const NOW_MS = 1_700_000_000_500;
  const at = (secondsAgo: number) => caller("lee", { authenticatedAt: 1_700_000_000 - secondsAgo });

  test("is made by those who proved within it who they are", () => {
    expect(() => refuseStale(ruled({ maxAgeS: 300 }), at(0), NOW_MS)).not.toThrow();
    expect(() => refuseStale(ruled({ maxAgeS: 300 }), at(299), NOW_MS)).not.toThrow();
    expect(() => refuseStale(ruled(), at(1e9), NOW_MS)).not.toThrow();
    expect(() => refuseStale(ruled(), caller("lee"), NOW_MS)).not.toThrow();
  });

  test.each([
    ["later", at(300)],
    ["never", caller("lee")],
  ])("is refused to who did it %s", (_, who) => {
    expect(() => refuseStale(ruled({ maxAgeS: 300 }), who, NOW_MS)).toThrow(
      expect.objectContaining({
        code: "unauthorized",
        headers: {
          "www-authenticate": expect.stringMatching(/insufficient_user_authentication.*max_age="300"$/),
        },
      }),
    );
  });
});
