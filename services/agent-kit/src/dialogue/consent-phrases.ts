import type { Consent } from "./types.ts";

/** What a Korean answer may name of what was shown, before it agrees to it: "그 금액이 맞아요". */
const KO_SHOWN =
  "(?:(?:그|이)\\s?(?:걸로|거로|것으로|걸|거|것|건|게|금액으로|금액이|금액은|금액|금액대로|내용으로|내용이|내용대로|사람이|사람한테|사람에게|사람|분|번호|계좌|내용|분이|분께|번호로|번호가|계좌로|계좌가)|그대로|이대로|그렇게|이렇게|금액(?:이|은|도)?|이름(?:이|은|도)?|받는 (?:사람|분)(?:이|은|도)?|내용(?:이|은|도)?|말씀하신 대로|말한 대로|얼른|빨리|바로|어서|좀|그냥|일단|지금|지금 바로|당장|다|모두|전부)";
const KO_REST =
  "(?:나머지(?:는|도|들|들은|들도|거|것|건|거는|것은|것들은|\\s?(?:거|것|건|이체|송금)(?:은|는|도|들은)?)?|나머진|남은\\s?(?:거|것|건|것들|거들|이체|송금|사람들?|분들?)(?:은|는|도)?)";

/** The meaning of a phrase; a filler has none, and an unclear one makes the whole answer unclear. */
export type Sense = Consent | "filler" | "unclear";

/**
 * Answers to "Shall I?". A message is an answer only if it consists of these phrases alone: with anything else ("yes if he paid me") the
 * user has not clearly agreed, and is asked again.
 */
export const PHRASES: readonly (readonly [Sense, readonly string[]])[] = [
  [
    "yes",
    [
      "yes+|yep+|yeah+|yea|yup+|ye|yeh|yh|yas+|yessir|yes (?:sir|ma'?am)|y|aye|ya|(?:o+k+|okay+|okey|okie)(?: dok(?:e|ie|ey))?|oki|k|kk|sure|sure thing|for sure|you bet|bet|aight|ight|of course|certainly|absolutely|definitely|totally|indeed|fine|great|perfect|good|cool|alright|alrighty|all right|right|uh huh|mm?hm+|roger(?: that)?|copy that|(?:hell|heck) (?:yes|yeah|yea)|deal|lgtm|sgtm",
      "(?:the |that |this )?(?:amount|name|recipient|person|everything|it all|all of (?:it|that)|all|memo|date|details?)(?:'?s| is| are) (?:all )?(?:right|correct|good|fine|ok|okay|perfect)|(?:everything|all) looks (?:right|correct|good|fine|ok|okay|perfect)|(?:everything|it|that) checks out",
      "(?:that|this|it)(?:'?s| is) (?:it|(?:the )?(?:right|correct) (?:one|amount|person|name)|the one|all (?:right|correct|good)|exactly (?:right|it)|what i (?:want|meant|said))|(?:good|ready) to go|that works|works|spot on|all (?:correct|set)",
      "(?:send|fire|wire)(?: (?:it|that|this|them|the (?:money|transfer|payment)))? (?:over|off|away|through|now|already)|(?:put|push) (?:it|that|this) through|do (?:it|that|this) (?:now|already)|go(?: go)*|gogo+|let'?s go+|let'?s roll|hit send",
      "(?:yes |ok |okay )?(?:i )?(?:do )?(?:confirm|confirmed|agree|agreed|accept|approve|approved)(?: it| this| that| the transfer| the payment)?",
      "(?:go|carry) (?:ahead|on)(?: with (?:it|that|this))?|go for it|proceed|continue|keep going|resume",
      "(?:do|send|execute|pay|transfer|submit|process|make) (?:it|that|this|them|the transfer|the payment|the money)(?: for me)?|send(?! (?:ty|bro|mate|dude|buddy|man|sir|fam|folks))|do so|let'?s (?:do (?:it|this|that)|go)|make it happen|make it so|ship it",
      "(?:that|this|it)(?:'?s| is| looks?| sounds?) (?:right|correct|good|fine|great|perfect|ok|okay|alright)(?: to me)?|(?:looks|sounds) (?:right|correct|good|fine|great|ok|okay|perfect)(?: to me)?|correct|exactly|i'?m sure|i am sure|yes i am|yes i do|please do|no problem|works for me|by all means|you got it|affirmative|why not",
      "네+|네엡|넵+|넹+|넴|냅|예+|예스|예쓰|예압|옙+|얍|응+|웅+|엉|어+|ㅇ+|(?:ㅇㅋ)+|ㅇㅋㄷㅋ|오케이|오키(?:도키)?|오케|옼|콜|굿|굳|그래(?:요|라)?|그랭|그려|그러자|그러세요|그러죠|그럽시다|그럼요|그럼(?=[.!~\\s]*$)|암요|좋아(?:요)?|좋습니다|좋네요?|좋지|좋죠|맞아(?:요)?|맞어(?:요)?|맞습니다|맞네요?|맞음|맞다|정확해(?:요)?|정확합니다|완벽해(?:요)?|완벽합니다|틀림없어(?:요)?|이상\\s?없어(?:요)?|이상\\s?없습니다|당근(?:이지)?|물론(?:이죠|이지|입니다|이야)?|당연(?:하지|하죠|히|합니다)|확실해(?:요)?|문제\\s?없어(?:요)?|동의(?:해|해요|합니다)?",
      "그대로|이대로|그렇게|계속",
      `(?:(?:네|넵|예|응|어|ㅇㅇ|ㅇㅋ|그래|오케이|좋아)\\s?)?(?:${KO_SHOWN} )*(?:맞아(?:요)?|맞어(?:요)?|맞습니다|맞네요?|맞음|맞다|정확해(?:요)?|정확합니다|좋아(?:요)?|좋습니다)`,
      `(?:바로 )?(?:그|이)\\s?(?:금액|거|것|사람|분|계좌|번호)(?:이에요|예요|야|이야|이요|요|입니다)|그걸로(?:요)?|이걸로(?:요)?`,
      `(?:(?:네|넵|예|응|어|ㅇㅇ|ㅇㅋ|그래|오케이|좋아)\\s?)?(?:${KO_SHOWN} )*(?:보내|쏴|부쳐|넣어|(?:진행|이체|송금|처리|실행|전송|승인|확인)(?:해|시켜)|해)(?:요|라|자|줘|줘요|주라|주세요|주십시오|버려|버리자|주셈|줄래(?:요)?|주면 돼(?:요)?|주시면 (?:돼요|됩니다)|도 (?:돼|돼요|됩니다|좋아|좋아요)| 줘| 줘요| 주라| 주세요| 주십시오| 버려)?`,
      `(?:${KO_SHOWN} )*(?:보내|(?:진행|이체|송금|처리|실행|전송|승인)하)(?:세요|시오|십시오|셈|삼|쇼|시죠|면 돼(?:요)?|면 됩니다|시면 돼요|시면 됩니다|자|자고|죠|기)|(?:${KO_SHOWN} )*(?:진행|이체|송금|처리|실행|전송|승인)(?:고고|ㄱㄱ+|고|ㄱ)?|(?:보낼|(?:진행|이체|송금)할)(?:게|게요|래|래요)|(?:그렇게|그리) (?:해|해요|하자|합시다|하죠|해줘|해 줘|해주세요|해 주세요|보내|보내줘|보내 줘|보내주세요|보내 주세요|진행해|진행해줘|진행해 주세요|진행해주세요)`,
      "고+|ㄱ+|ㄱㄱㄱ+|고고싱|고고씽|레츠고|가즈아|갑시다",
      "👍|👌|✅|💯|🆗|✔|☑|🙆|⭕",
      "확인(?:이요|요|했어|했어요|했습니다|함|합니다|완료)?|(?:승인|진행|실행|송금|이체|전송|계속(?: 진행)?)(?:이요|요|했어|했어요|했습니다|함|할게|할게요|하자|해|해요|해라|해줘|해줘요|해 줘|해 줘요|해주세요|해 주세요|해주십시오|해 주십시오|하세요|하십시오|합니다|하겠습니다|부탁해|부탁해요|부탁드려요|부탁드립니다| 부탁해| 부탁해요| 부탁드려요| 부탁드립니다|시켜줘|시켜 주세요)?",
      "보내(?:요|라|자|줘|줘요|주세요|주십시오| 줘| 줘요| 주세요|줄래|줄래요|도 돼|도 돼요|도 됩니다)?|보냅시다|해(?:줘|줘요|주세요| 줘| 주세요|도 돼|도 돼요|라|요)|하자|합시다|부탁해|부탁해요|부탁드려요|부탁드립니다|가자|고고|ㄱㄱ+",
    ],
  ],
  [
    "no",
    [
      "no+|nope|nah|nay|n|no way|no thanks?|no thank you|not now|absolutely not|of course not|certainly not|negative|wrong|that'?s wrong|that is wrong|that'?s not right|incorrect",
      "(?:please )?(?:do not|don'?t|dont|never)(?: (?:do|send|execute|pay|transfer|proceed|continue|confirm|go ahead)(?: with)?(?: it| that| this| them| the transfer| the payment| the money)?(?: anymore| any more)?)?",
      "(?:hell|heck|hard|oh) no|no (?:go|deal|need|sir|ma'?am)|nuh uh|nm|nvm|nvmd|(?:i'?ll )?pass|not (?:today|anymore|any more|interested|doing (?:it|this|that))|(?:i )?(?:take|took) it back|(?:nah|no) i'?m good|let'?s not(?: do (?:it|this|that))?|don'?t bother|(?:i'?d )?rather not|(?:cancel|scratch|kill|nix|ditch|bin|axe) (?:it|that|this)|bail|i don'?t want (?:to(?: (?:send|do|pay) (?:it|this|that))?|it|that|this)(?: anymore| any more)?|(?:i'?ve )?changed my mind|i won'?t(?: send| pay| do)?(?: it| this| that)?",
      "👎|❌|🙅|🚫|🛑|⛔|✋|✖",
      "(?:please )?(?:cancel|stop|abort|halt|quit|drop|discard|scrap|undo|skip)(?: (?:this|that|the current) (?:one|transfer|payment|task)| the (?:transfer|payment)| it| that| this| here)?|never ?mind|forget(?: about)? (?:it|that|this)|i(?:'ve| have)? changed my mind|i don'?t want (?:to|it|that|this)|i'?d rather not|call it off|leave it",
      "아니(?:요|오|야|여|욥|다)?|아뇨|아녀|노+|ㄴㄴ+|ㄴ|싫어(?:요)?|싫습니다|안\\s?돼(?:요)?|안\\s?됩니다|안\\s?해(?:요)?|안\\s?할래(?:요)?|안\\s?할게요?|안\\s?보낼래(?:요)?|안\\s?보내(?:요|도 돼|도 돼요)?|하지\\s?마(?:요|세요|십시오)?|하지\\s?말아(?:요|줘|주세요| 줘| 주세요)?|보내지\\s?마(?:요|세요|십시오)?|보내지\\s?말아(?:요|줘|주세요| 줘| 주세요)?|(?:진행|이체|송금|계속)하지\\s?마(?:요|세요)?|틀렸어(?:요)?|아닌데(?:요)?|아닙니다|원하지\\s?않아(?:요)?",
      "(?:(?:이|이번|지금|그|현재)\\s?(?:거|것|건|건은|거는|이체|송금)(?:은|는|만|를|을)?\\s?)?(?:취소|중단|중지|철회|포기|스킵|패스)(?:요|할래|할래요|할게|할게요|하자|해|해요|해라|해줘|해줘요|해 줘|해 줘요|해주세요|해 주세요|하세요|합니다|하겠습니다|하고 싶어|하고 싶어요|부탁해|부탁해요| 부탁해요| 부탁드립니다|부탁드립니다|시켜줘)?",
      "(?:이체|송금)\\s?취소(?:할래|할래요|할게|할게요|해|해요|해줘|해 줘|해주세요|해 주세요|합니다)?",
      "아니(?:에요|예요|라니까(?:요)?|ㅇ)?|아냐|아닝|노노+|노놉|(?:보내|하|진행하|이체하|송금하)지\\s?(?:말자|마라|맙시다|말고)|말자|안\\s?(?:함|하겠습니다|보내겠습니다|보낼\\s?거야|보낼\\s?거예요|보낼\\s?겁니다|할\\s?거야|할\\s?거예요|하기로 했어|보내기로 했어)(?:요)?|관두자|때려쳐|집어치워|잊어(?:줘|버려|주세요)?|(?:취소)+(?:여|용|염|함|하셈|바람|요망|바랍니다)?|ㅊㅅ|됐(?:고|다|네요|음)|(?:마음|맘|생각)(?:이)?\\s?(?:바뀌었어(?:요)?|바뀜|변했어(?:요)?)|필요\\s?없어(?:요)?",
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
      "(?:please )?(?:cancel|stop|abort|drop|discard|scrap|forget|quit|skip|ditch|kill|scratch|don'?t (?:send|do|pay)|do not (?:send|do|pay)|no need for|never ?mind)(?: about)? (?:(?:all )?(?:the )?(?:others?(?: (?:one|two|three|ones|transfers?|payments?))?|rest(?: of (?:it|them|those|these|the (?:transfers|payments)))?|remaining(?: (?:one|two|three|ones|transfers?|payments?))?|remainder)|(?:what|whatever)(?:'?s| is) left|everything else|anything else|anyone else|any more|a thing|any money|all of it)(?: too| as well)?",
      "(?:no )?none of (?:it|them|the (?:others|rest))",
      "(?:이체|송금)?\\s?(?:전부|모두|다|전체|싹|몽땅|모든\\s?(?:이체|송금|거|것|건)|나머지(?:도|는)?|둘\\s?다|남은\\s?(?:거|것|건)(?:도|은|는)?)(?:를|을)?\\s?(?:다 )?(?:취소|중단|중지|철회|그만)(?:할래|할래요|할게|할게요|하자|해|해요|해라|해줘|해줘요|해 줘|해 줘요|해주세요|해 주세요|하세요|합니다|하겠습니다|하고 싶어|둘래|둘래요|둬)?",
      "(?:전부|모두|다|전체)\\s?(?:안\\s?할래(?:요)?|안\\s?보낼래(?:요)?|하지\\s?마(?:요|세요)?|보내지\\s?마(?:요|세요)?|됐어(?:요)?)|전체\\s?취소|모두\\s?취소|다\\s?취소",
      `${KO_REST}\\s?(?:이제 |그냥 )?(?:(?:전부|모두|다|싹|싹 다|몽땅)\\s?)?(?:(?:취소|중단|중지|철회|그만|스킵|패스)(?:요|할래(?:요)?|할게(?:요)?|하자|해|해요|해라|해줘|해줘요|해 줘|해주세요|해 주세요|하세요|합니다|하겠습니다|하고 싶어(?:요)?|시켜줘|부탁해(?:요)?|부탁드려요| 부탁해(?:요)?| 부탁드려요|둘래(?:요)?|둬)?|됐어(?:요)?|됐습니다|됐고|됐네요?|안\\s?(?:해|할래|보내|보낼래|보낼게|할게|보내도 돼|해도 돼)(?:요)?|(?:하|보내)지\\s?(?:마|말아|말자|마세요|말아줘|말아 줘|말아주세요|말아 주세요)(?:요)?|필요\\s?없어(?:요)?|관둬|관둘래(?:요)?|빼(?:줘|주세요| 줘| 주세요)?|없던\\s?(?:걸로|일로)(?: 해줘| 해주세요| 해 주세요| 해| 하자)?|다음에(?: 할게| 할게요| 할래| 할래요)?|나중에(?: 할게| 할게요| 할래| 할래요)?)`,
      "아무것도\\s?(?:하지\\s?마|보내지\\s?마|안\\s?보내|안\\s?할래|안\\s?보낼래|보내지\\s?말아\\s?줘|보내지\\s?말아\\s?주세요)(?:요|세요)?",
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
      "that'?s all|on second thoughts?|ugh+|argh+|aw+|ah+|oh+|eh|hey|lol|lmao|haha+|hehe+|dude|bro|mate|yo|fam|folks|thank u|tysm|ty|alright then|right then|sry",
      "please|pls|plz|thanks|thank you|thx|now|then|just|well|oh|ah|um|uh|so|and|i said|i think|actually|really|right now|sir|buddy|man|i do|i am|though|all good",
      "아+|오+|그|저|그냥|지금|당장|이제|제발|좀|감사합니다|감사해요|고마워(?:요)?|그럼|근데|주세요|줘|줘요|주십시오|이거|그거|이건|그건|걍|바로|빨리|어서|일단|우선|얼른|후딱|빨랑|냉큼|진짜|정말|아이|에이|에휴|휴|하하|히히|부탁|앗|고마워용|땡큐|수고",
      "🙏|😀|😁|😂|🤣|😃|😄|😅|😆|😊|🙂|😉|😍|🥰|😎|🤗|🎉|❤|♥|♡|💕|💪|🔥|🙌|✨|🚀|💸|💰|💵|👏|😭|😢|😡|🙄",
    ],
  ],
];
