import { consentOf } from "@interlock/agent-kit";
import { holdDialogue, type TestAgent } from "@interlock/agent-kit/testing";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { startTransfer, type TestLedger, testLedger } from "../test/agent.ts";
import { EN_STOP, KO_STOP } from "./reading/lexicon.ts";

/** Each of the runs takes three turns over HTTP. */
const LONG = 120_000;

let ledger: TestLedger;
let agent: TestAgent;
beforeAll(async () => {
  ledger = testLedger();
  agent = await startTransfer(ledger);
});
afterAll(() => agent.close());

/** "Fine" is a yes, whoever is called so, and "ah, yes" is one. */
const isConsent = (name: string, yes: string): boolean =>
  [name, `${name} ${yes}`].some((said) => consentOf(said) !== undefined);

const syllable = fc
  .tuple(fc.constantFrom(..."bdfgklmnprstvz"), fc.constantFrom("a", "e", "i", "o", "u"))
  .map((letters) => letters.join(""));
const invented = fc
  .tuple(fc.array(syllable, { minLength: 2, maxLength: 3 }), fc.constantFrom("", "n", "x", "rk"))
  .map(([syllables, end]) => capital(syllables.join("") + end))
  // "Begin" is nobody's name: what is asked next still shows Anna.
  .filter((name) => name !== "Anna" && !isConsent(name, "yes") && !EN_STOP.has(name.toLowerCase()));
const englishName = fc.oneof(
  { weight: 3, arbitrary: invented },
  { weight: 2, arbitrary: fc.tuple(invented, invented).map((names) => names.join(" ")) },
  fc.constantFrom(
    "my sister",
    "my older brother",
    "the landlord",
    "our plumber",
    "Dr. Okafor",
    "Mrs. Petrova",
  ),
);
const english = fc.constantFrom<(name: string) => string>(
  (x) => x,
  (x) => `no, ${x}`,
  (x) => `No. ${x}.`,
  (x) => `no, to ${x}`,
  (x) => `to ${x}`,
  (x) => `not Anna, ${x}`,
  (x) => `${x}, not Anna`,
  (x) => `not Anna but ${x}`,
  (x) => `not to Anna, to ${x}`,
  (x) => `${x} instead`,
  (x) => `${x} instead of Anna`,
  (x) => `instead of Anna, ${x}`,
  (x) => `I meant ${x}`,
  (x) => `I meant to say ${x}`,
  (x) => `I said ${x}`,
  (x) => `make it ${x}`,
  (x) => `make that ${x} please`,
  (x) => `change that to ${x}`,
  (x) => `change the recipient to ${x}`,
  (x) => `replace Anna with ${x}`,
  (x) => `sorry, ${x}`,
  (x) => `${x}, sorry`,
  (x) => `oops, it should be ${x}`,
  (x) => `it should go to ${x}`,
  (x) => `it's for ${x}`,
  (x) => `no, for ${x}`,
  (x) => `yes, but to ${x}`,
  (x) => `yes, ${x}`,
  (x) => `ok but ${x} gets it`,
  (x) => `${x} should get it`,
  (x) => `the name is ${x}`,
  (x) => `use ${x}`,
  (x) => `rather ${x} than Anna`,
  (x) => `give it to ${x}`,
  (x) => `pay ${x} instead`,
  (x) => `wrong person, ${x}`,
  (x) => `hmm, wasn't it ${x}`,
  (x) => `recipient: ${x}`,
  (x) => `please send that to ${x}'s account`,
);

const koreanPart = fc
  .array(fc.constantFrom(..."가나다라마바사아자차카타파하규뮤쀼삐뿌쪼꾸낑봉룡"), {
    minLength: 2,
    maxLength: 4,
  })
  .map((syllables) => syllables.join(""))
  .filter((name) => name !== "민수" && !isConsent(name, "네") && !KO_STOP.has(name));
const koreanName = fc.oneof(
  { weight: 3, arbitrary: koreanPart },
  { weight: 2, arbitrary: fc.tuple(koreanPart, koreanPart).map((parts) => parts.join(" ")) },
  invented,
  fc.constantFrom(
    "영희",
    "김영희",
    "우리 누나",
    "엄마",
    "팀장님",
    "김 과장님",
    "박서준 대리님",
    "옆집 아저씨",
  ),
);
const korean = fc.constantFrom<(name: string) => string>(
  (x) => x,
  (x) => `${x}한테`,
  (x) => `${x}에게요`,
  (x) => `아니 ${x}`,
  (x) => `아니 ${x}한테`,
  (x) => `아니요, ${x}한테 보내 주세요`,
  (x) => `민수 말고 ${x}`,
  (x) => `민수 말고 ${x}한테`,
  (x) => `민수가 아니라 ${x}`,
  (x) => `민수한테 말고 ${x}한테`,
  (x) => `${x}로 바꿔 줘`,
  (x) => `${x}으로 변경해 주세요`,
  (x) => `받는 사람을 ${x}로 바꿔 줘`,
  (x) => `받는 사람은 ${x}야`,
  (x) => `${x}라고 했잖아`,
  (x) => `${x}한테라니까`,
  (x) => `네 근데 ${x}한테`,
  (x) => `응 ${x}한테 보내`,
  (x) => `${x} 맞아`,
  (x) => `${x}로 해 줘`,
  (x) => `미안 ${x}야`,
  (x) => `잘못 말했어 ${x}`,
  (x) => `내가 말한 건 ${x}야`,
);

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Says the correction, then yes: the old recipient gets nothing, for another one is shown or there is nothing to say yes to. */
async function neverPaysTheOld(order: string, old: string, correction: string, yes: string): Promise<void> {
  const talk = holdDialogue(agent, "TRANSFER_TURN");
  await talk.say(order);
  const corrected = await talk.say(correction);
  expect(corrected.state.stage).not.toBe("EXECUTED");
  const { state } = await talk.say(yes);
  const paid = state.stage === "EXECUTED" ? (state.slots as { target?: string }).target : undefined;
  expect(paid).not.toBe(old);
}

test(
  "no correction of an English recipient lets the money go to the old one",
  async () => {
    await fc.assert(
      fc.asyncProperty(english, englishName, fc.boolean(), async (form, name, isLower) => {
        const said = form(name);
        await neverPaysTheOld("send 50 dollars to Anna", "Anna", isLower ? said.toLowerCase() : said, "yes");
      }),
      { numRuns: 150 },
    );
  },
  LONG,
);

test(
  "no correction of a Korean recipient lets the money go to the old one",
  async () => {
    await fc.assert(
      fc.asyncProperty(korean, koreanName, (form, name) =>
        neverPaysTheOld("민수에게 5만원", "민수", form(name), "네"),
      ),
      { numRuns: 150 },
    );
  },
  LONG,
);
