import type { Turn, View } from "@interlock/agent-kit";
import { CORRECTS } from "./reading/doubts.ts";
import { type Limits, mostOf, shownAmount, type TransferSlots } from "./slots.ts";

type Topic = "limit" | "amount" | "target" | "date" | "memo" | "queue" | "all";

const TOPICS: readonly (readonly [Topic, RegExp])[] = [
  [
    "limit",
    /how much can i|what(?:'s| is) the (?:limit|maximum|most)|\blimit\b.*\?|한도|최대\s?(?:얼마|금액)|얼마까지/i,
  ],
  [
    "queue",
    /how many (?:are |transfers |more |are there |do i have )*(?:left|remaining|more|waiting|to go)|what(?:'s| is| else is) (?:left|next|remaining)|몇\s?(?:건|개)(?:이|가|나)?\s?(?:더\s?)?(?:남|있|이야|이지|야|지)|(?:다음|남은)\s?(?:거|건|것)(?:은|는)?\s?(?:뭐|누구|얼마)/i,
  ],
  [
    "amount",
    /how much(?: money| again| exactly)? ?(?:was|is|were|did|do|am|are|will|have|$|\?)|what(?:'s| is| was) the (?:amount|sum|total)|how much\??$|which amount|얼마(?:였|더라|지|야|예요|에요|이에요|라고|인가|인지|죠|를?\s?(?:보내|보낸|이체)|나?\s?(?:보내|보낸)|\?|$)|금액(?:이|은)?\s?(?:뭐|얼마)/i,
  ],
  [
    "target",
    /\bwho(?:m)?(?:'s| is| was| am| are| were| did| do| will| again|\?|$)|what(?:'s| is| was) the (?:recipient|name)|to whom|누구(?:였|더라|한테|에게|지|야|예요|라고|인가|죠|\?|$)|받는\s?(?:사람|분)(?:이|은)?\s?누구|수취인(?:이|은)?\s?누구/i,
  ],
  [
    "date",
    /\bwhen(?:'s| is| was| will| did| does|\?|$)|what(?:'s| is| was) the date|which day|언제(?:였|더라|지|야|예요|라고|로|인가|죠|\?|$|\s?(?:보내|가|이체))/i,
  ],
  ["memo", /what(?:'s| is| was| does) the (?:memo|note)|메모(?:가|는|를|에)?\s?(?:뭐|뭐라고|어떻게)/i],
  [
    "all",
    /what (?:do you have|have you got|did i say|was it|are we|am i sending|is it)(?: so far)?|so far\??$|\b(?:status|summary|details)\b\s*\??$|where (?:are|were) we|show (?:me )?(?:it|that|the details)|뭐\s?(?:보내|였)|어디까지|내용\s?(?:확인|보여|알려|다시)|다시\s?(?:알려|보여|말해)|요약|상태/i,
  ],
];

/** Answers what is asked about the transfer itself from the state: "How much was it?" Undefined for anything else. */
export function answerQuestion(
  { message, stage, locale }: Turn<TransferSlots>,
  view: View<TransferSlots>,
  limits: Limits,
): string | undefined {
  const topic = TOPICS.find(([, pattern]) => pattern.test(message))?.[0];
  // "No, Dr. Who" corrects, whatever it is that "who" matches.
  if (stage === "READY" && CORRECTS.test(message) && !/\?\s*$/.test(message)) return undefined;
  if (topic === undefined || (stage === "INIT" && topic !== "limit")) return undefined;
  const ko = locale === "ko";
  const unknown = ko ? "아직 말씀하지 않으셨습니다." : "You haven't told me that yet.";
  switch (topic) {
    case "limit": {
      const currency = view.slots.currency ?? limits.currency;
      const most = shownAmount(mostOf(currency, limits), currency, locale);
      return ko ? `한 번에 최대 ${most}까지 보낼 수 있습니다.` : `At most ${most} in one transfer.`;
    }
    case "queue":
      return ko
        ? `이 건 다음에 ${view.queue.length}건이 남아 있습니다.`
        : `${view.queue.length} more after this one.`;
    case "all":
      return view.summary === "" ? unknown : `${view.summary}.`;
    case "date":
      return view.slots.date ?? (ko ? "날짜를 정하지 않아 바로 보냅니다." : "No day is set: right away.");
    default: {
      const shown = view.shown(topic);
      if (shown === "") return unknown;
      const words = {
        amount: ["The amount is", "금액은"],
        target: ["The recipient is", "받는 분은"],
        memo: ["The memo is", "메모는"],
      };
      const [en, korean] = words[topic];
      return ko ? `${korean} ${shown}입니다.` : `${en} ${shown}.`;
    }
  }
}
