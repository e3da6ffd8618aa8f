/** What a message says to the conversation itself, instead of asking the mesh for something. */
export type Command = "undo" | "start_over" | "repeat" | "lift_all" | "undo_more";

/** How a sentence may begin before it comes to the point. */
const LEAD_IN =
  /^(?:(?:ok(?:ay)?|no|wait|hmm+|oh|oops|sorry|actually|please|pls|well|so|alright|and|now|then|can you|could you|would you|let'?s|just|i want to|i'd like to|we should|thanks|thank you|thx|great|good|fine|perfect|cool)[\s,.!]+)*/;

/** Words by their exact form, and by how they begin: Korean puts particles and endings behind them. */
type Words = { exact: ReadonlySet<string>; begins: readonly string[] };

/** @param list words with spaces between them; `취소*` is all that begins so */
function words(list: string): Words {
  const all = list.split(/\s+/);
  return {
    exact: new Set(all.filter((word) => !word.endsWith("*"))),
    begins: all.filter((word) => word.endsWith("*")).map((word) => word.slice(0, -1)),
  };
}

function union(groups: readonly Words[]): Words {
  return {
    exact: new Set(groups.flatMap(({ exact }) => [...exact])),
    begins: [...new Set(groups.flatMap(({ begins }) => begins))],
  };
}

const has = ({ exact, begins }: Words, word: string): boolean =>
  exact.has(word) || begins.some((beginning) => word.startsWith(beginning));

/** What every command may be said with. */
const AROUND = words(
  "please pls ok okay no nope nah wait hmm hm mm ugh ah oh oops sorry actually well so alright right and now then again just i we you me us " +
    "can could would will should want to like lets let id wed ill well a the thanks thank thx great good fine perfect cool for do yes yeah " +
    "아 아니* 음 네 예 그럼 그러면 이제 좀 잠깐* 잠시* 줘* 줄래* 주세요 주실* 주시* 줄* 부탁* 싶* 해 해줘* 해주* 하* 할* 합시다 한 번 다시 그냥 우리 고마* 감사*",
);

/** What was done last. */
const LAST_THING = words(
  "that this it those them things my your one ones step steps turn thing request limit cap constraint setting settings move edit adjustment " +
    "modification update bit change changes changed made set added gave told choice said asked did what last latest most recent very more another once " +
    "twice by about of all way how " +
    "실행 방금* 아까* 그거* 그건* 그것* 이거* 이건* 이것* 그 이 거* 것* 건* 걸로* 한* 말한* 바꾼* 정한* 마지막* 변경* 조건* 제한* 설정* 단계* 번째* " +
    "더 전부 또 하나*",
);
/** Where one goes back to, with the words for going there. */
const FORMER = words(
  "to from at as in where how one version state proposal prices values answer result results setup settings it that things this we had was were been " +
    "go going step take roll put change switch bring set turn move jump get keep leave make give use return returning let " +
    "으로 로 상태* 단계* 전* 돌려* 돌아* 가* 놔* 놓*",
);
const TAKES_BACK = words(
  "undo revert reverse rollback unwind scratch scrap ditch bin strike cancel discard remove delete rid drop withdraw retract disregard ignore nevermind forget 취소* 되돌* 철회* 무르* 물러* 없던*",
);
const BACK = words(
  "back backwards backward previous former earlier prior restore old 뒤로 돌아가* 돌려놔* 돌려놓* 원래대로* 원상* 이전* 직전* 되돌아* 예전* 전처럼* 전대로* 아까처럼*",
);
const BEFORE = words("before earlier previously");
const AS = words("as like");
const AS_IT_WAS = words("as like way where");
const WAS = words("was were had");

/** "undo that too", "this one as well". */
const TOO = words("too also as well 도 또한");
const FURTHER = words("another more before further also too well 더 또 전* 도");

/** Everything that the conversation has set. */
const SET_SO_FAR = words(
  "conversation session chat setting settings condition conditions filters choices set said asked told tell mentioned gave given specified entered " +
    "typed wanted discussed agreed talked chosen on about we have had been so far until till before of it that this those my our your from with and everything all " +
    "whole any every each previous current old 지금까지* 여태* 조건* 설정* 내용* 대화* 것* 거* 이전* 말한* 말했* 얘기* 정한* 했던* 한 그동안*",
);
/** "Scrap the whole thing". */
const THE_LOT = words("thing things lot mess");
const EVERYTHING = words("everything all whole 다 전부* 모두* 모든* 싹* 전체* 몽땅*");
const WIPES = words(
  "clear forget wipe erase delete remove drop discard scrap reset undo revert cancel ditch dump throw lift lose 지워* 지우* 지운* 잊* 없애* 없던* 삭제* 비워* 비우* 초기화* 리셋*",
);
/** Limits are wiped with the rest, but "drop all limits" alone leaves what is not a limit. */
const LIMITS = words("limit limits cap caps constraint constraints restriction restrictions 제한* 한도*");
/** They tell of what was done last: "undo that change" is no change limit. */
const LATEST = words("last latest recent previous just 방금* 아까* 마지막* 직전*");
const CHANGE = words("change changes changed 변경* 바꾼*");
/** What selects and limits, in a word. */
const RESTRICTIONS = words("restrictions constraints conditions filters requirements 제약* 조건*");
const THOSE = words("these those all my our the every 모든* 전부* 다");
const SLATE = words("slate board");
const CLEAN = words("clean blank clear");
const OUT = words("out away off aside");
const BEGINS = words("start starting begin beginning restart go 시작* 출발*");
const ANEW = words(
  "over again scratch beginning anew afresh fresh new zero nothing clean slate start blank 처음부터* 새로* 다시 백지*",
);
const RESTARTS = words("restart reset anew afresh 처음부터* 초기화* 리셋* 백지*");
const TALK = words("conversation session chat 대화*");
const NEW = words("new 새 새로* 새로운");

const AGAIN = words("again repeat 다시 반복* 더");
const ONCE = words("once time 번 한번*");
const MORE = words("more 더");
const SAYS = words("say show tell give print display repeat again come 다시 말* 보여* 알려* 반복* 번 한번*");
const ANSWER = words(
  "that it this last answer result one time once more 방금* 그거* 그것* 결과* 답* 한번* 더",
);

/**
 * A command holds a word of each of `needs`, and nothing but these, what it is said with and the words of `may`: an item, a goal or a
 * number makes it something else.
 */
type Saying = { command: Command; needs: readonly Words[]; may: readonly Words[] };

const SAYINGS: readonly Saying[] = [
  { command: "start_over", needs: [BEGINS, ANEW], may: [WIPES, SET_SO_FAR, LIMITS] },
  { command: "start_over", needs: [RESTARTS], may: [BEGINS, ANEW, WIPES, SET_SO_FAR, LIMITS, EVERYTHING] },
  { command: "lift_all", needs: [WIPES, THOSE, RESTRICTIONS], may: [SET_SO_FAR, EVERYTHING, OUT] },
  {
    command: "start_over",
    needs: [WIPES, EVERYTHING],
    may: [SET_SO_FAR, BEGINS, NEW, ANEW, OUT, THE_LOT],
  },
  { command: "start_over", needs: [SLATE, CLEAN], may: [SET_SO_FAR, BEGINS, ANEW, WIPES, EVERYTHING] },
  { command: "start_over", needs: [NEW, TALK], may: [BEGINS] },
  { command: "repeat", needs: [SAYS, AGAIN], may: [ANSWER] },
  { command: "repeat", needs: [ONCE, MORE], may: [SAYS, ANSWER] },
  { command: "repeat", needs: [words("what"), words("did"), words("say")], may: [] },
  { command: "undo", needs: [TAKES_BACK], may: [LAST_THING, BACK, FORMER, BEFORE, TOO] },
  { command: "undo", needs: [BACK], may: [LAST_THING, FORMER, BEFORE, TOO] },
  { command: "undo", needs: [AS, BEFORE], may: [FORMER, LAST_THING] },
  {
    command: "undo",
    needs: [AS_IT_WAS, WAS, words("it that they things")],
    may: [FORMER, words("before originally")],
  },
  { command: "undo", needs: [words("changed"), words("mind")], may: [LAST_THING, words("ive have")] },
  {
    command: "undo_more",
    needs: [words("one another that this it 하나* 그 것* 거*"), FURTHER],
    may: [LAST_THING, BEFORE, AS],
  },
  { command: "undo_more", needs: [words("그것도 그거도 그것두 이것도 이거도")], may: [LAST_THING] },
  { command: "undo_more", needs: [words("before further more 또 더")], may: [LAST_THING, FURTHER, AS] },
];

/** All words of commands. */
const ANY = union([AROUND, ...SAYINGS.flatMap(({ needs, may }) => [...needs, ...may])]);

/** A command is a message of its own; within a longer message the same words mean something else. */
const LONGEST = 80;

/** "Go back two steps", "undo the last three changes", "undo both", 두 단계 뒤로. */
const STEPS =
  /(?<=\b(?:undo|revert|reverse|scrap|cancel) )both(?: of (?:them|those|these))?\b|\b(?:(?:a couple of|two|2)|(three|3)) (?:(?:last|latest|more) )?(?:steps|changes|edits|turns|times)\b|(?:두|2|(세|3)) ?(?:단계|번)(?:만|을|를)?/i;

/** How many times a command is meant. */
export function timesOf(message: string): number {
  const [said, three, koreanThree] = STEPS.exec(message) ?? [];
  if (said === undefined) return /\btwice\b/i.test(message) ? 2 : 1;
  return (three ?? koreanThree) ? 3 : 2;
}

/** @returns the command that the message is, or undefined where it is none */
export function commandOf(message: string): Command | undefined {
  if (message.length > LONGEST) return undefined;
  const said = wordsOf(message.replace(STEPS, "steps"));
  // Most messages have a word that no command has.
  if (!said.every((word) => has(ANY, word))) return undefined;
  return SAYINGS.find((saying) => isSaid(saying, said))?.command;
}

/** "Take the request back". */
const TAKES = words("take taking back");

/**
 * What a clause names that takes something back and says nothing else: `[]` for "cancel that", `["approval"]` for "withdraw the approval
 * request"; undefined where it takes nothing back, or a limit or a change.
 */
export function takenBack(clause: string): readonly string[] | undefined {
  if (clause.length > LONGEST) return undefined;
  const said = wordsOf(clause);
  const says = (group: Words): boolean => said.some((word) => has(group, word));
  const takes = says(TAKES_BACK) || (said.includes("take") && said.includes("back"));
  if (!takes || says(LIMITS) || says(CHANGE)) return undefined;
  const known = [AROUND, TAKES_BACK, TAKES, LAST_THING, TOO];
  return said.filter((word) => !known.some((group) => has(group, word)));
}

/** Behind a command with which a message begins: "start from scratch: optimise the charger", 취소하고 …. */
const BEHIND_COMMAND =
  /[.!?;:,\u3002]\s+|\s+(?:and|then)\s+|(?<=[\uac00-\ud7a3]고)\s+|\s+[-\u2013\u2014]+\s+/gu;

/** A command with which a message begins, and what the message says behind it. */
export function commandBefore(message: string): { command: Command; rest: string } | undefined {
  let found: { command: Command; rest: string } | undefined;
  for (const { index, 0: between } of message.matchAll(BEHIND_COMMAND)) {
    if (index > LONGEST) break;
    const head = message.slice(0, index);
    const command = isTopic(head) ? undefined : commandOf(head);
    const rest = message.slice(index + between.length).replace(/^(?:and|then|now)\s+/i, "");
    if (command !== undefined && rest !== "") found = { command, rest };
  }
  return found;
}

/** "I'm back. …" and "back to the prices: …" take nothing back: the one greets, and the other says what the rest is about. */
const isTopic = (head: string): boolean => {
  const said = wordsOf(head);
  const isBack =
    said.includes("back") &&
    said.every((word) =>
      /^(?:ok|okay|so|right|and|hi|hello|im|now|we|were|well|back|again|here)$/.test(word),
    );
  return isBack || (said.includes("to") && !said.some((word) => has(TAKES_BACK, word) || has(WIPES, word)));
};

/** Whether a command that takes something back means what was done last, whatever that was, and not a limit that it names. */
export function meansLatest(message: string): boolean {
  const said = wordsOf(message);
  const says = (group: Words): boolean => said.some((word) => has(group, word));
  return says(LATEST) || (says(CHANGE) && !says(LIMITS));
}

/** Whether a message has a word for limits: "drop that limit". */
export const namesLimit = (message: string): boolean => wordsOf(message).some((word) => has(LIMITS, word));

function isSaid({ needs, may }: Saying, said: readonly string[]): boolean {
  const known = [AROUND, ...needs, ...may];
  return (
    needs.every((group) => said.some((word) => has(group, word))) &&
    said.every((word) => known.some((group) => has(group, word)))
  );
}

function wordsOf(message: string): readonly string[] {
  return (
    message
      .normalize("NFKC")
      .toLowerCase()
      .replace(/['’]/g, "")
      .replace(/\bnever mind\b/g, "nevermind")
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
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
