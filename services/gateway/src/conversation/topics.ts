const BEFORE_TOPIC = "(?:ok(?:ay)?|and|now|so|well|then|thanks|thank you|alright|hm+|oh|good|great)";
const TOPIC = "(?:question|topic|subject|matter|issue|request|thing|point|note|story)";
const OTHER_TOPIC = [
  `(?:(?:i have|there(?:'s| is)|here(?:'s| is)|let me ask|on to) )?(?:another|an? (?:other|different|new|separate|unrelated)|different|new|next) ${TOPIC}`,
  `on (?:another|a different) ${TOPIC}`,
  "something (?:else|different)(?: entirely| altogether| now)?",
  "chang(?:e of|ing the) (?:subject|topic)",
  "separately|unrelated(?:ly)?|by the way|btw|that aside|(?:apart|aside) from that",
].join("|");
/** How a message announces that it is about something else: "another question: …", 새로운 질문인데, …. */
const ANNOUNCED: readonly RegExp[] = [
  new RegExp(`^(?:${BEFORE_TOPIC}[\\s,.!]+)*(?:${OTHER_TOPIC})\\s*[:,.;!\\u2013\\u2014-]+\\s*(?=\\S)`, "i"),
  /^(?:(?:아|네|예|음|그럼|그리고|이제|고마워요?|고맙습니다|감사합니다)[\s,.!]+)*(?:(?:또 ?)?(?:다른|딴|새로운|별개의?|새) ?(?:질문|얘기|이야기|주제|문의|요청)\S*(?: (?:하나|있|드|할게)\S*)*|별개로|별도로|그건 그렇고|그와 별개로|(?:주제|화제)를? (?:바꿔서|바꾸면))[\s,.:!]+(?=\S)/,
];

/** What a message says behind the announcement that it is about something else; undefined where it announces nothing. */
export function behindAnnouncement(message: string): string | undefined {
  for (const announced of ANNOUNCED) {
    const [said] = announced.exec(message) ?? [];
    if (said !== undefined) return message.slice(said.length);
  }
  return undefined;
}

/** How a message says which of the earlier asks it goes on with: "back to the prices: …", 점검으로 돌아가서 …. */
const RETURNING: readonly RegExp[] = [
  new RegExp(
    `^(?:${BEFORE_TOPIC}[\\s,.!]+)*(?:(?:let'?s|we|i|can we|could we|now|please|go|going|get|getting|come|coming|want to|return|returning)\\s+)*` +
      "(?:back|return|returning) to (?:the |our |my |those |these )?(?<topic>\\p{L}+(?: \\p{L}+)?)\\s*(?:[:,.;!\\u2013\\u2014-]+\\s*(?<rest>\\S.*)?)?$",
    "isu",
  ),
  /^(?:(?:네|그럼|자|이제|다시)[\s,]+)*(?<topic>\p{L}+(?: \p{L}+)?)(?:으로|로) (?:다시 )?돌아가(?:서|면|자|자면|죠|요|볼까요?)?[\s,.:]*(?<rest>\S.*)?$/su,
];
/** Where one goes back to what was before, whatever it was, instead of to a topic: "back to the old prices". */
const FORMER =
  /\b(?:old|previous|former|earlier|prior|original|first|last|before|normal|start|beginning|scratch|then|where|how|what|when)\b|이전|원래|처음|아까|예전|직전|전$/iu;

/** The topic that a message goes back to, and what it says besides; undefined where it names none. */
export function returnedTo(message: string): { topic: string; rest: string } | undefined {
  for (const returning of RETURNING) {
    const { topic, rest = "" } = returning.exec(message.trim())?.groups ?? {};
    if (topic !== undefined && !FORMER.test(topic)) return { topic, rest };
  }
  return undefined;
}
