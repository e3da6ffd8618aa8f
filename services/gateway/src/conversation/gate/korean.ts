import type { Sentence } from "./own-words.ts";

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

const NOT = "(?<!\\p{L})(?:안|못)";
const PARTICLE = "(?:을|를|도|만|은|는|까지)?";
const ADVERBS = "(?:\\s?(?:좀|바로|지금|빨리|당장|즉시|꼭|얼른|다시|어서|모두|전부|다|먼저|이제))*\\s?";
const GO = "(?:(?:진행|실행|처리)(?:을|를)?\\s?(?:좀\\s?)?)?";

/** How a request ends that is asked: "…해 줄래?". */
const REQUEST =
  "해\\s?(?:줄래요?|주실래요?|주겠어요?|주겠니|주시겠어요|주시겠습니까|(?:줄|주실)\\s?수\\s?있(?:어요?|니|나요?|으세요|으신가요|으실까요|을까요?|습니까|을지요?))";
const ORDER =
  "해\\s?(?:줘요?|주라|주세요|주셔요|주십시오|주시오|주시면\\s?(?:감사\\S*|고맙\\S*|좋겠\\S*|됩니다|돼요?)(?:\\s?하?겠\\S*)?|주(?:시)?[기길]\\s?바[라랍]\\S*|봐(?:요|라)?)" +
  "|해라|하세요|하십시오|하시오|하자|합시다|하도록\\s?(?:해\\s?(?:줘요?|주세요)|하세요|하자|합시다)|하고\\s?싶(?:어요?|습니다)|하[기길]\\s?(?:원해요?|원합니다|바랍니다|바라요)" +
  "|(?:좀\\s?)?(?:부탁(?:해요?|합니다|드려요|드립니다|드릴게요|이에요|이요)?|바랍니다|요청(?:합니다|드립니다|드려요))";
/** The plain form is an imperative where nobody is said to do it. */
const PLAIN = "해요?";
const SUBJECT = /\p{Script=Hangul}(?:은|는|이|가|께서)(?=\s)/u;

/** What may stand behind an order in its clause. */
const BEHIND =
  "(?=\\s*(?:$|[,.!~ㅎㅋ^]|(?:요|감사|고마|고맙|부탁|수고|그리고|그럼|지금|바로|빨리|당장|please|thanks)))";

/** What governs a sentence: a condition, a later time, a question inside, somebody's words, a guess. */
const GOVERNED =
  /면(?=[\s,]|$)|거든|경우|\s때(?:는|까지|에|만)?(?=[\s,]|$)|까지(?=\s)|전에|후에|뒤에|다음에|다음\s?(?:주|달|번)|나중에|내일|모레|이따|언젠가|[월화수목금토일]요일|\d\s?시에|\S(?:는|은|던|을|할|인|될)지(?=[\s,]|$)|누가|누구|언제|왜\s|어떻게|무엇|무슨|뭐|뭘|어디|얼마|(?:라|다|자|냐|달라)고(?=[\s,]|$)|라는|다는|달래|하래|래요?$|대요?$|답니다|랍니다|말했|말씀|그랬|전달|적혀|지시|시켰|아마|듯|것\s?같|가정|만약|만일|예를\s?들|혹은|또는|아니면|거나/u;
const RETRACTS = /하지\s?(?:마|말)|말아|말고|아니|잠깐|잠시만|취소|그만|멈춰|농담|아직/u;
/** A name and a colon before what somebody says. */
const LABEL = /[\p{L}\p{N})\]]\s?:/u;
const LEADS = /^(?:네|예|응|좋아요?|그래요?|그럼|자|이제|다음)\s?:/u;

/** Whether one of a message's sentences is a clear order, and nothing around it takes that back. */
export function ordersInKorean(sentences: readonly Sentence[], orders: readonly string[]): boolean {
  const stems = stemsOf(orders);
  const stem = `(?<!\\p{L})(?<!${NOT}\\s)(?:${stems})${PARTICLE}`;
  const verb = (ends: string): RegExp => new RegExp(`${stem}${ADVERBS}${GO}(?:${ends})${BEHIND}`, "iu");
  const [request, order, plain] = [verb(REQUEST), verb(ORDER), verb(PLAIN)];
  // "…하고 결과를 알려 줘": what the sentence ends with is ordered, and so is what it begins with.
  const first = new RegExp(
    `${stem}${ADVERBS}${GO}(?:하고|해서|해\\s?주고|해\\s?주시고|한\\s?다음)\\s(?!싶|있|나서|나면).*(?:줘요?|주세요|주십시오|하자|해라|하세요|합시다|부탁\\S*)$`,
    "iu",
  );
  if (deniesInKorean(sentences, orders)) return false;
  return sentences.some(({ text, isQuestion }, at) => {
    const found = request.exec(text) ?? (isQuestion ? null : (order.exec(text) ?? first.exec(text)));
    const bare = found || isQuestion ? null : plain.exec(text);
    const match = found ?? (bare && !SUBJECT.test(text.slice(0, bare.index)) ? bare : null);
    if (!match) return false;
    const before = text.slice(0, match.index);
    const behind = text.slice(match.index + match[0].length);
    if (GOVERNED.test(`${before} ${behind}`.trim()) || (LABEL.test(before) && !LEADS.test(text)))
      return false;
    if (RETRACTS.test(behind)) return false;
    return !sentences.slice(at + 1).some(({ text: later }) => RETRACTS.test(later));
  });
}

/** Whether a message says not to do it. */
export function deniesInKorean(sentences: readonly Sentence[], orders: readonly string[]): boolean {
  const stems = stemsOf(orders);
  const denied = new RegExp(
    `(?:${stems})${PARTICLE}${ADVERBS}(?:(?:하지|하진|하지는|해서는|하면)|안|못|말|금지)|${NOT}\\s(?:${stems})`,
    "iu",
  );
  return sentences.some(({ text }) => denied.test(text));
}

const stemsOf = (orders: readonly string[]): string =>
  orders
    .filter((order) => !/…|\.\.\./.test(order))
    .map((order) => escaped(order).replace(/\s+/g, "\\s?"))
    .join("|");
