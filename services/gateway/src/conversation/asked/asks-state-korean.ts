import type { Vocabulary } from "./vocabulary.ts";

const PERSON = /누가|누구|누군|어느 ?(?:분|팀|부서)|어떤 ?(?:분|사람|역할|팀|부서|권한)|담당자/u;
const TIME = /언제|몇 ?시|며칠|몇 ?일|얼마나 ?(?:더 ?)?(?:걸|기다|오래|남)|기한|유효/u;
const COUNT = /몇 ?(?:건|개)|있(?:나요|어요?|습니까|는지|을까요?)|뭐|무엇|뭔|어떤 ?(?:것|게|거)|목록/u;
const WAITS = /대기|기다리|기다려|보류|남아|남은|밀린|밀려|걸려|열려|처리 ?중|진행 ?중/u;
const STATUS = /상태|상황|현황|내역|이력|기록|여부|결과|사유|의견|코멘트|소식|어디까지/u;
const BECAME = /어떻게 ?(?:됐|되었|되고 ?있|돼 ?가)/u;
/** "Tell me", "check". */
const TELLS = /알려|말해|말씀|보여|확인|체크|가르쳐|궁금|조회|알고 ?싶|볼 ?수|알 ?수/u;
const ENDS = /(?:나요|까요?|는지요?|은지요?|는가요?|은가요?|던가요?|습니까|니|냐|지|죠)[\s.!…]*$/u;
/** Suppositions, hearsay, what is to come. */
const SUPPOSES =
  /(?:하|되|된다|한다|이라|라|려|으)면(?!서)|만약|기 ?전에|(?:라고|다고|하라고|래요|랍니다|대요)\s|들었|예정|계획/u;

/** Whether a part of a message in Korean asks how something with effects stands; see asksState. */
export function asksStateInKorean(part: string, { roots }: Vocabulary): boolean {
  const text = part.normalize("NFKC").replace(/\s+/g, " ").trim();
  const topic = `(?:${roots})`;
  if (!new RegExp(topic, "u").test(text) && !/대기 ?중/u.test(text)) return false;
  if (SUPPOSES.test(text)) return false;
  const asks = /[?]/u.test(text) || ENDS.test(text) || TELLS.test(text);
  const orders = new RegExp(
    `${topic}(?:을|를)? ?(?:좀 ?)?(?:해|하)(?:(?:아|야)? ?(?:줘|주|줄|라|도|드)|자|려|고 ?싶|게|지 ?마|지 ?말|ㄹ|달라)|${topic}(?:을|를)? ?(?:할(?:까|래|게|지)|합시다|부탁|올려|요청(?:해|할|하|합)|진행해)`,
    "u",
  );
  if (PERSON.test(text)) return asks || /(?:야|요|해|어)[\s.!…]*$/u.test(text);
  if (new RegExp(`${topic}자(?:가|는|께서)? ?(?:누|어느|어떤)`, "u").test(text)) return true;
  if (orders.test(text)) return false;
  if (!asks) return false;
  if (TIME.test(text) || WAITS.test(text) || STATUS.test(text)) return true;
  // "Is an approval needed?", "what became of it?", "not approved yet?".
  if (new RegExp(`${topic}(?:이|은|도)? ?(?:더 |또 )?필요|미${topic}`, "u").test(text) || BECAME.test(text))
    return true;
  const requests = new RegExp(`${topic} ?(?:요청|건|할 ?것|할 ?거)`, "u");
  if (requests.test(text) && COUNT.test(text)) return true;
  const happened = new RegExp(
    `${topic}(?:이|가|은|는|도|을|를)? ?(?:다 |아직도? |이미 |벌써 |안 |못 |완료 ?)*(?:됐|되었|되어 ?있|돼 ?있|된 ?(?:거|건|것)|났|나지|안 ?나|받았|떨어졌|끝났|완료|했(?:나|어|니|습|는|을|던)|하셨|하신 ?(?:거|건|것|지))`,
    "u",
  );
  return happened.test(text);
}
