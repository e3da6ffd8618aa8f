import { pick, type Random } from "./random.ts";

const list = (text: string): readonly string[] => text.split("|");

/** What goes before a request in the same sentence. */
const LEADS = list(
  "Small thing: …|Next: …|Another one: …|And another question, …|Since you are here, …|If you have a moment, …|When you get a chance, …|Before I forget: …|Apologies for the rush, but …|Excuse me, …|Forgive the silly question, …|Not sure this is the right place, but …|I was asked to find out: …|The team would like to know: …|My manager wants this: …|From the sales team: …|Sales asked: …|Finance asks: …|For the record, …|As discussed, …|As every week, …|Would you be so kind: …|Can you do this for me: …|Do me a favour and …|I'd be grateful for this: …|Here is what I need: …|What I would like: …|Same as yesterday: …|Right, …|Well, …|Alright then, …|Okay, next, …|Let me try again: …|Let me put it differently: …|In short: …|To start with, …|First of all, …|Yo, …|Morning! …|pls …|plz …|um, …|FYI, and then: …",
);

/** What people tell beside a request: reasons, deadlines, moods. It asks for nothing. */
const SIDES = list(
  "I have to leave at five.|We present it tomorrow.|The board meets on Monday.|There is a call with the customer at noon.|My train goes in ten minutes.|It is for a slide.|It's for the weekly report.|It goes into the minutes.|The steering committee is waiting for it.|The auditors are here this week.|Our director is nervous about this.|My colleague is on holiday, so it is my turn.|I am new here.|I am standing in for Maria.|I'm still learning how this works.|I was in a workshop all morning.|The last one was a bit long.|Short answer is fine.|No rush.|It is rather urgent.|Take your time.|Somebody in the meeting brought it up.|We argued about it at lunch.|The customers keep asking.|A dealer complained yesterday.|The competition is not asleep.|It was a difficult quarter.|Business is slow at the moment.|We had a good month.|The market has been strange lately.|I promised an answer by tonight.|I could not sleep because of it.|Nobody here could tell me.|I could not find it myself.|The spreadsheet gave up on me.|My laptop crashed, so once more.|I hope that makes sense.|I hope this is clear.|You did well last time.|That would help a lot.|That would make my day.|We only do this once a year.|We do this every month.|It came up again.|I know it is late.|Sorry for writing so late.|Sorry, it is a long message.|It will not take long, I think.|I am on my phone.|The connection is bad here.|I will pass it on to the others.|We will discuss it on Thursday.|They want to see it in writing.|I just came out of a meeting.|Two of us are looking at this.|The plant manager is in the room.|We are getting ready for the trade fair.|The new catalogue goes to print soon.|My boss is impatient.|Management is curious.",
);

/** What ends a message. */
const ENDS = list(
  "Thank you!|Thanks a million.|Thx|Cheers|Much appreciated.|Many thanks, Paul|Kind regards, Lena|Best, Omar|Regards\nFinance|Have a good day!|Talk soon.|ta|Thanks for your help.|Looking forward to it.|Let me know.|Would be great.|OK?|right?|if possible|if you can|when you have time|as soon as you can|today if possible|before lunch|quickly please|in a few words",
);

const LEADS_KO = list(
  "안녕하세요, …|저기요, …|실례지만 …|혹시 …|그리고 …|자, …|다음으로 …|죄송한데 …|바쁘신데 죄송하지만 …|팀장님이 물어보시는데, …|하나만 더요. …|간단한 건데, …",
);
const SIDES_KO = list(
  "곧 회의가 있어요.|내일 발표해야 합니다.|보고서에 넣을 거예요.|팀장님이 기다리고 계세요.|오늘 안에 답을 줘야 해요.|제가 이 일은 처음이라서요.|고객이 자꾸 물어봐요.|급한 건 아니에요.|조금 급해요.|어제도 물어봤는데요.|요즘 시장이 이상해요.|짧게 답해도 괜찮아요.",
);
const ENDS_KO = list("감사합니다.|고맙습니다!|부탁드려요.|수고하세요.|빨리요|가능하면 오늘요|알려주세요.");

const HANGUL = /[\uac00-\ud7a3]/;

/** The message within what people put around it: a lead, something that they tell, an end. */
export function framed(random: Random, text: string): string {
  const isKorean = HANGUL.test(text);
  const [leads, sides, ends] = isKorean ? [LEADS_KO, SIDES_KO, ENDS_KO] : [LEADS, SIDES, ENDS];
  const stopped = /[.!?…]$/.test(text) ? text : `${text}${pick(random, [".", ".", "", "\n"])}`;
  const choice = random();
  if (choice < 0.3) return pick(random, leads).replace("…", () => text);
  if (choice < 0.5) return `${pick(random, sides)} ${text}`;
  if (choice < 0.75) return `${stopped} ${pick(random, sides)}`;
  if (choice < 0.9) return `${stopped} ${pick(random, ends)}`;
  return `${pick(random, sides)} ${stopped} ${pick(random, ends)}`;
}

/** What people tell, by itself: it asks for nothing. */
export const SIDE_REMARKS: readonly string[] = [...SIDES, ...SIDES_KO];
