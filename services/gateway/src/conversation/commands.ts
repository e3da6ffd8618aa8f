/** What a message says to the conversation itself, instead of asking the mesh for something. */
export type Command = "undo" | "start_over" | "repeat";

/** How a sentence may begin before it comes to the point. */
const LEAD_IN =
  /^(?:(?:ok(?:ay)?|no|wait|hmm+|oh|oops|sorry|actually|please|pls|well|so|alright|and|now|then|can you|could you|would you|let'?s|just|i want to|i'd like to|we should|thanks|thank you|thx|great|good|fine|perfect|cool)[\s,.!]+)*/;

/** What was done last, in the words for it. */
const LAST_THING =
  "(?:that|this|it|those|them|things|(?:that|this|the|my|your) (?:(?:very )?(?:last|latest|previous|most recent|recent) )?(?:change|one|step|turn|thing|request|limit|cap|constraint|setting|move|edit|adjustment|modification|update|bit)|what i (?:just )?(?:said|asked|did)|the last (?:one|thing))";
/** What there was before. */
const BEFORE =
  "(?:(?:the )?(?:previous|former|earlier|prior|old|last|one before|version before|state before)(?: (?:one|version|settings?|constraints?|limits?|proposal|prices|state|step|answer|result|setup|values?))?|(?:how|what|where|as|the way) (?:it|we|things|that) (?:was|were|had)(?: before)?|where we were|what we had|before(?: that| this)?)";
const AFTERWARDS =
  "(?:please|pls|again|change|now|then|instead|for me|before|thanks|to (?:how|what|where|as) (?:it|things|we) (?:was|were|had)(?: before)?)";

const COMMANDS: readonly { command: Command; patterns: readonly RegExp[] }[] = [
  {
    command: "start_over",
    patterns: [
      /^(?:start (?:over|again|afresh|from scratch|from the beginning|anew)|begin again|restart|reset|new (?:conversation|session|chat)|clear (?:everything|all|the (?:conversation|session|chat))|forget (?:everything|all of (?:it|that|this)))(?:\s+(?:everything|all|the (?:conversation|session|chat)|please|now))*$/,
      /^(?:처음부터(?: 다시)?(?: 시작\S*| 하\S*)?|다시 시작\S*|초기화\S*|모두 (?:잊어|지워)\S*|리셋\S*)$/,
    ],
  },
  {
    command: "repeat",
    patterns: [
      /^(?:(?:say|show|tell me|give me|print|display) (?:that|it|this|me that|the (?:last )?(?:answer|result)) (?:again|once more|one more time)|repeat (?:that|it|this|the (?:last )?(?:answer|result))|repeat|again|once more|one more time|come again|what did you (?:just )?say)(?: please)?$/,
      /^(?:다시 (?:한 ?번 )?(?:말|보여|알려)\S*(?: 줘| 주세요)?|한 ?번 더(?: \S+){0,2}|반복해\S*(?: 줘| 주세요)?)$/,
    ],
  },
  {
    command: "undo",
    patterns: [
      new RegExp(
        `^(?:undo|revert|reverse|scratch|cancel|discard|drop|withdraw|retract|take back|roll ?back|never ?mind|forget)(?: ${LAST_THING})?(?: ${AFTERWARDS})*$`,
      ),
      new RegExp(
        `^(?:take|roll|put|change|switch|bring|set|turn|move) ${LAST_THING} back(?: ${AFTERWARDS})*$`,
      ),
      new RegExp(
        `^(?:(?:go|step|move|jump|get|roll) back|back|return|revert|restore|go)(?: (?:one|a|1) step)?(?: (?:to )?${BEFORE})?(?: ${AFTERWARDS})*$`,
      ),
      new RegExp(`^(?:restore|use|keep|take|give me) ${BEFORE}(?: ${AFTERWARDS})*$`),
      /^(?:(?:leave|keep|make) (?:it|that|this|things) )?(?:as|like|the way|how) (?:it|that|they|things) (?:was|were)(?: before| originally)?$/,
      /^i(?: have|'ve)? changed my mind(?: about (?:that|it|this))?$/,
      /^(?:방금 (?:거|것|한 거|한 것|그거)? ?(?:취소|되돌)\S*(?: 줘| 주세요)?|(?:그거|그것|이거) ?(?:취소|되돌)\S*(?: 줘| 주세요)?|되돌려\S*(?: 줘| 주세요)?|원래대로(?: \S+){0,2}|이전(?:으로| 상태로)(?: \S+){0,2}|실행 ?취소\S*)$/,
    ],
  },
];

/** A command is a message of its own; within a longer message the same words mean something else. */
const LONGEST = 80;

/** @returns the command that the message is, or undefined where it is none */
export function commandOf(message: string): Command | undefined {
  const text = bareText(message);
  if (text === undefined) return undefined;
  return COMMANDS.find(({ patterns }) => patterns.some((pattern) => pattern.test(text)))?.command;
}

/**
 * A message in lower case, without marks and without how it begins before it comes to the point.
 * @returns undefined where it is too long for a command
 */
export function bareText(message: string): string | undefined {
  if (message.length > LONGEST) return undefined;
  return message
    .toLowerCase()
    .replace(/[.!?…]+\s*$/u, "")
    .replace(/,/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .replace(LEAD_IN, "");
}
