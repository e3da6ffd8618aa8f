import { expect, test } from "@jest/globals";
import injectionScorer from "../../guards/injection/scorer.json" with { type: "json" };
import { injectionDetector, readScorer } from "../language/index.ts";
import { guard } from "./guard.ts";

const detectInjection = injectionDetector(readScorer(injectionScorer));

/** Hears a message in a session in which something was said before; how often that was read. */
async function reads(message: string): Promise<number> {
  let count = 0;
  const said = async () => {
    count += 1;
    return ["Show the prices of the pump."];
  };
  const request = {
    message,
    caller: { tenant: "acme", issuer: "local", subject: "ann", roles: [] },
    sessionId: "one",
    requestId: "one",
  };
  const deps = { runs: { draining: false }, sessions: { said }, detectInjection, onInjection: () => {} };
  await guard({ request }, { ...deps, maxMessageChars: 4000 });
  return count;
}

test("a plain ask reads no session", async () => {
  for (const message of ["What is the optimal price?", "How did the margin of the pump develop?"])
    expect(await reads(message)).toBe(0);
});

test("a message that could be the end of an attack is judged with what was said before", async () => {
  expect(await reads("What do the instructions say about it?")).toBe(1);
});
