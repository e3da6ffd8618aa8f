import type { Consent } from "./types.ts";

/** What a phrase says; a filler says nothing, and one that is unclear makes all of the answer so. */
type Sense = Consent | "filler" | "unclear";

/**
 * What people answer to "Shall I?". A message counts only if these phrases make up all of it: whoever adds anything else
 * ("yes if he paid me") has not clearly agreed, and is asked again.
 */
const PHRASES: readonly (readonly [Sense, readonly string[]])[] = [
  [
    "yes",
    [
      "yes|yep|yeah|yea|yup|yess+|y|aye|ya|ok|okay|okey|k|kk|sure|sure thing|of course|certainly|absolutely|definitely|indeed|fine|great|perfect|good|cool|alright|all right|right",
      "(?:yes |ok |okay )?(?:i )?(?:do )?(?:confirm|confirmed|agree|agreed|accept|approve|approved)(?: it| this| that| the transfer| the payment)?",
      "(?:go|carry) (?:ahead|on)(?: with (?:it|that|this))?|go for it|proceed|continue|keep going|resume",
      "(?:do|send|execute|pay|transfer|submit|process|make) (?:it|that|this|them|the transfer|the payment|the money)|send|do so|let'?s (?:do (?:it|this|that)|go)|make it happen|make it so|ship it",
      "(?:that|this|it)(?:'s| is| looks?| sounds?|s)? (?:right|correct|good|fine|great|perfect|ok|okay|alright)|(?:looks|sounds) (?:right|correct|good|fine|great|ok|okay|perfect)(?: to me)?|correct|exactly|i'?m sure|i am sure|yes i am|yes i do|please do|no problem|works for me|by all means|you got it|affirmative|why not",
      "네+|넵+|넹+|넴|예+|옙|응+|웅+|어+|ㅇ+|ㅇㅋ|ㅇㅇ|오케이|오키|오케|콜|그래(?:요|라)?|그러자|그럼(?:요)?|좋아(?:요)?|좋습니다|좋네요?|맞아(?:요)?|맞습니다|맞네요?|맞음|물론(?:이죠|이지|입니다|이야)?|당연(?:하지|하죠|히|합니다)|확실해(?:요)?|문제\\s?없어(?:요)?|동의(?:해|해요|합니다)?",
      "그대로|이대로|그렇게|계속",
      "확인(?:이요|요|했어|했어요|했습니다|함|합니다|완료)?|(?:승인|진행|실행|송금|이체|전송|계속(?: 진행)?)(?:이요|요|했어|했어요|했습니다|함|할게|할게요|하자|해|해요|해라|해줘|해줘요|해 줘|해 줘요|해주세요|해 주세요|해주십시오|해 주십시오|하세요|하십시오|합니다|하겠습니다|부탁해|부탁해요|부탁드려요|부탁드립니다| 부탁해| 부탁해요| 부탁드려요| 부탁드립니다|시켜줘|시켜 주세요)?",
      "보내(?:요|라|자|줘|줘요|주세요|주십시오| 줘| 줘요| 주세요|줄래|줄래요|도 돼|도 돼요|도 됩니다)?|보냅시다|해(?:줘|줘요|주세요| 줘| 주세요|도 돼|도 돼요|라|요)|하자|합시다|부탁해|부탁해요|부탁드려요|부탁드립니다|가자|고고|ㄱㄱ+",
    ],
  ],
  [
    "no",
    [
      "no+|nope|nah|nay|n|no way|no thanks?|no thank you|not now|absolutely not|of course not|certainly not|negative|wrong|that'?s wrong|that is wrong|that'?s not right|incorrect",
      "(?:please )?(?:do not|don'?t|dont|never)(?: (?:do|send|execute|pay|transfer|proceed|continue|confirm|go ahead)(?: with)?(?: it| that| this| them| the transfer| the payment| the money| anything)?)?",
      "(?:please )?(?:cancel|stop|abort|halt|quit|drop|discard|scrap|undo|skip)(?: (?:this|that|the current) (?:one|transfer|payment|task)| the (?:transfer|payment)| it| that| this| here)?|never ?mind|forget(?: about)? (?:it|that|this)|i(?:'ve| have)? changed my mind|i don'?t want (?:to|it|that|this)|i'?d rather not|call it off|leave it",
      "아니(?:요|오|야|여|욥|다)?|아뇨|아녀|노+|ㄴㄴ+|ㄴ|싫어(?:요)?|싫습니다|안\\s?돼(?:요)?|안\\s?됩니다|안\\s?해(?:요)?|안\\s?할래(?:요)?|안\\s?할게요?|안\\s?보낼래(?:요)?|안\\s?보내(?:요|도 돼|도 돼요)?|하지\\s?마(?:요|세요|십시오)?|하지\\s?말아(?:요|줘|주세요| 줘| 주세요)?|보내지\\s?마(?:요|세요|십시오)?|보내지\\s?말아(?:요|줘|주세요| 줘| 주세요)?|(?:진행|이체|송금|계속)하지\\s?마(?:요|세요)?|틀렸어(?:요)?|아닌데(?:요)?|아닙니다|원하지\\s?않아(?:요)?",
      "(?:(?:이|이번|지금|그|현재)\\s?(?:거|것|건|건은|거는|이체|송금)(?:은|는|만|를|을)?\\s?)?(?:취소|중단|중지|철회|포기|스킵|패스)(?:요|할래|할래요|할게|할게요|하자|해|해요|해라|해줘|해줘요|해 줘|해 줘요|해주세요|해 주세요|하세요|합니다|하겠습니다|하고 싶어|하고 싶어요|부탁해|부탁해요| 부탁해요| 부탁드립니다|부탁드립니다|시켜줘)?",
      "(?:이체|송금)\\s?취소(?:할래|할래요|할게|할게요|해|해요|해줘|해 줘|해주세요|해 주세요|합니다)?",
      "그만(?:할래|할래요|할게|할게요|해|해요|하자|둘래|둘래요|둘게|둘게요|두자|둬|둬요)?|관둘래(?:요)?|관둬|됐어(?:요)?|됐습니다|멈춰(?:요|줘|주세요| 주세요)?|건너뛰(?:기|어|자|어줘|어 줘|어주세요|어 주세요)|건너뛸래(?:요)?|없던\\s?(?:걸로|일로)(?: 해줘| 해주세요| 해| 하자)?|안\\s?보낼게요?|다음에(?: 할게| 할게요| 할래요)?|(?:이|이번|그)\\s?(?:거|건)(?:은|는)?\\s?(?:빼|빼줘|빼 줘|빼주세요|빼 주세요|됐어|됐어요)",
    ],
  ],
  [
    "next",
    [
      "(?:(?:continue|proceed|go on|carry on|move on) (?:with|to) )?(?:the )?next(?: one| transfer| payment| task)?(?: too)?|move on|go on",
      "(?:다음|나머지)(?:\\s?(?:거|것|건|이체|송금))?(?:도|으로|로)?(?:\\s?넘어가(?:자|요|줘|줘요|주세요)?)?",
    ],
  ],
  [
    "cancel_all",
    [
      "(?:please )?(?:cancel|stop|abort|drop|discard|scrap|forget|quit|don'?t (?:send|do)|do not (?:send|do))(?: about)? (?:everything|them all|it all|all of (?:it|them|this|that|those|these)|all (?:the )?(?:transfers|payments|tasks)|all the rest|all|every transfer|both of them|both|the whole (?:thing|lot)|the rest|the others|the remaining (?:ones|transfers|one)|anything|any of (?:it|them))",
      "(?:no )?none of (?:it|them)",
      "(?:이체|송금)?\\s?(?:전부|모두|다|전체|싹|몽땅|모든\\s?(?:이체|송금|거|것|건)|나머지(?:도|는)?|둘\\s?다|남은\\s?(?:거|것|건)(?:도|은|는)?)(?:를|을)?\\s?(?:다 )?(?:취소|중단|중지|철회|그만)(?:할래|할래요|할게|할게요|하자|해|해요|해라|해줘|해줘요|해 줘|해 줘요|해주세요|해 주세요|하세요|합니다|하겠습니다|하고 싶어|둘래|둘래요|둬)?",
      "(?:전부|모두|다|전체)\\s?(?:안\\s?할래(?:요)?|안\\s?보낼래(?:요)?|하지\\s?마(?:요|세요)?|보내지\\s?마(?:요|세요)?|됐어(?:요)?)|전체\\s?취소|모두\\s?취소|다\\s?취소",
    ],
  ],
  [
    "unclear",
    [
      "(?:please )?(?:do not|don'?t|dont|never) (?:cancel|stop|abort|quit|drop|skip|forget)(?: (?:it|that|this|them|everything|all))?|wait|hold on|hmm+",
      "취소(?:는|를)?\\s?(?:하지\\s?마|하지\\s?말아|안\\s?해|안\\s?할래|말고)(?:요|세요|줘|주세요| 줘| 주세요)?|안\\s?취소|잠깐(?:만|만요)?|음+|괜찮아(?:요)?",
    ],
  ],
  [
    "filler",
    [
      "please|pls|plz|thanks|thank you|thx|now|then|just|well|oh|ah|um|uh|so|and|i said|i think|actually|really|right now|for me|sir|buddy|man|i do|i am|though|all good|to me",
      "아+|오+|그|저|그냥|지금|당장|이제|제발|좀|감사합니다|감사해요|고마워(?:요)?|그럼|근데|주세요|줘|줘요|주십시오|이거|그거|이건|그건|걍|바로|빨리|어서",
    ],
  ],
];

type Phrase = { readonly sense: Sense; readonly pattern: RegExp };

function compile(source: string, sense: Sense): Phrase {
  const spaced = source.replaceAll(" ", "\\s+");
  return { sense, pattern: new RegExp(`(?:${spaced})(?![\\p{L}\\p{N}'])`, "uy") };
}

const COMPILED: readonly Phrase[] = PHRASES.flatMap(([sense, sources]) =>
  sources.flatMap((source) => compile(source, sense)),
);

const MAX_LENGTH = 120;

/** What a message answers to a yes-or-no question; undefined unless all of it says so. A question answers nothing. */
export function consentOf(message: string): Consent | undefined {
  const text = normalised(message);
  // "어..." trails off, where "어" agrees.
  if (/\?$|\.\.|…/.test(text)) return undefined;
  const found = phrasesOf(text);
  if (found === undefined || found.some(({ sense }) => sense === "unclear")) return undefined;
  return agreed(new Set(found.map(({ sense }) => sense)));
}

/** Whether a message says nothing that asks for anything: "Thanks!" */
export function isSmallTalk(message: string): boolean {
  return phrasesOf(normalised(message))?.every(({ sense }) => sense === "filler") ?? false;
}

type Found = { readonly sense: Sense; readonly words: string };

const GAP = /[\s.,!~;:…·"'()^♡❤👍👌🙏✅-]+/uy;

/** The phrases that a text consists of; undefined if there is anything else in it. */
function phrasesOf(text: string): readonly Found[] | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const phrases: Found[] = [];
  for (let at = 0; at < text.length; ) {
    GAP.lastIndex = at;
    at += GAP.exec(text)?.[0].length ?? 0;
    if (at >= text.length) break;
    const found = longest(text, at);
    if (found === undefined) return undefined;
    phrases.push(found);
    at += found.words.length;
  }
  return phrases;
}

function agreed(senses: ReadonlySet<Sense>): Consent | undefined {
  const goesOn = senses.has("yes") || senses.has("next");
  const refusal = senses.has("cancel_all") ? "cancel_all" : senses.has("no") ? "no" : undefined;
  if (refusal !== undefined) return goesOn ? undefined : refusal;
  if (senses.has("next")) return "next";
  return goesOn ? "yes" : undefined;
}

function longest(text: string, at: number): Found | undefined {
  let best: Found | undefined;
  for (const { sense, pattern } of COMPILED) {
    pattern.lastIndex = at;
    const words = pattern.exec(text)?.[0];
    if (words !== undefined && words.length > (best?.words.length ?? 0)) best = { sense, words };
  }
  return best;
}

function normalised(message: string): string {
  // Single jamo stay as they are typed: "ㅇㅇ".
  const plain = message
    .replace(/[^\u3131-\u318e]+/g, (part) => part.normalize("NFKC"))
    .toLowerCase()
    .replace(/[‘’ʼ]/g, "'")
    .trim();
  return /^(?:👍|👌|✅|🙆)+$/u.test(plain.replace(/[\u{1F3FB}-\u{1F3FF}\uFE0F]/gu, "")) ? "yes" : plain;
}
