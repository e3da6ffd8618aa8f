import { describe, expect, test } from "@jest/globals";
import type { Caller } from "../caller.ts";
import { isOwnWork, refuseStale } from "./authorize.ts";

const WORK = { requestedBy: "ann", editors: ["kim"] };
const caller = (subject: string, more: Partial<Caller> = {}): Caller => ({
  ...{ tenant: "t", issuer: "idp", subject, roles: [] },
  ...more,
});

test("four eyes: one subject is one person, whoever vouches for it", () => {
  for (const issuer of ["idp", "another", "local"]) {
    expect(isOwnWork(WORK, caller("ann", { issuer }))).toBe(true);
    expect(isOwnWork(WORK, caller("kim", { issuer }))).toBe(true);
    expect(isOwnWork(WORK, caller("lee", { issuer }))).toBe(false);
  }
});

describe("a decision with a maximum age", () => {
  const NOW_MS = 1_700_000_000_500;
  const at = (secondsAgo: number) => caller("lee", { authenticatedAt: 1_700_000_000 - secondsAgo });

  test("is made by those who proved within it who they are", () => {
    expect(() => refuseStale({ maxAgeS: 300 }, at(0), NOW_MS)).not.toThrow();
    expect(() => refuseStale({ maxAgeS: 300 }, at(299), NOW_MS)).not.toThrow();
    expect(() => refuseStale({}, at(1e9), NOW_MS)).not.toThrow();
    expect(() => refuseStale({}, caller("lee"), NOW_MS)).not.toThrow();
  });

  test.each([
    ["later", at(300)],
    ["never", caller("lee")],
  ])("is refused to who did it %s", (_, who) => {
    expect(() => refuseStale({ maxAgeS: 300 }, who, NOW_MS)).toThrow(
      expect.objectContaining({
        code: "unauthorized",
        headers: {
          "www-authenticate": expect.stringMatching(/insufficient_user_authentication.*max_age="300"$/),
        },
      }),
    );
  });
});
