/** Words of questions that look something up, beside names and measures. Whatever else a question has makes it another one. */
const FUNCTION_WORDS = new Set(
  (
    "a an the what whats which who much many is are was were be been do does did has have had of for in on at with by to from and or as each every all any " +
    "its it their them they these those this that there here our my your we us me i you one ones value values figure figures number numbers data table " +
    "now today todays current currently present any anything based make makes earn earns get gets bring brings find found estimate estimated compute computed calculate calculated assume assumed expect please pls and also so ok okay then still exactly right both between per " +
    "은 는 이 가 을 를 의 에 에서 도 로 으로 와 과 랑 하고 및 중 중에 중에서 그 그럼 그리고 각 각각 별 별로 들 들의 들은 것 것은 게 건 거 거야 값 수치 표 표로 데이터 " +
    "얼마 얼마나 얼마야 얼마예요 얼마인가요 얼마입니까 얼마죠 얼마지 얼마니 얼마였어 얼마였나요 얼마였죠 얼마였지 얼마인지 몇 개 건 몇개 몇개야 개야 개예요 개인가요 개나 " +
    "무엇 무엇인가요 무엇입니까 뭐 뭐야 뭐예요 뭔가요 뭔지 뭐였어 뭐였지 무엇이었나요 어떤 어느 어떻게 어때 어때요 되나요 되나 돼 돼요 됩니까 되죠 되지 되는지 됐나요 됐어 " +
    "이야 야 예요 이에요 인가요 인가 인지 입니까 이었나요 이었어 였나요 였어 였지 였죠 있어 있어요 있나요 있나 있습니까 있는 있지 있죠 인 한 된 하는 되는 될 " +
    "알려 알려줘 알려주세요 보여 보여줘 보여주세요 말해 말해줘 줘 주세요 줄래 싶어 좀 다 모두 전체 전부 모든 지금 현재 오늘 요 만 은요 는요 어 어요 나요 나 니 는지 습니까 던 썼어 썼나요 사용했어 사용했나요 얼마였나"
  ).split(" "),
);

/** Particles behind a Korean noun. */
export const PARTICLES = /(?:들|별|은|는|이|가|을|를|의|도|에서|에|중|인가요|이야)+$/u;

export const isFunctionWord = (word: string): boolean =>
  FUNCTION_WORDS.has(word) || FUNCTION_WORDS.has(word.replace(PARTICLES, ""));

/** A sentence that wants to be told something, where it is no question by its form. */
export const TELLS =
  /^(?:(?:and|so|but|also|then|ok(?:ay)?|well|please|pls|now)[\s,]+)*(?:(?:can|could|would|will) you (?:please )?)?(?:please )?(?:tell|show|give|list|display|remind|compare|what'?s)\b|(?:얼마|뭐|무엇|몇|있)\S*(?:\s?\S{1,3})?[\s.!]*$|(?:알려|보여|말해|비교해?)\s?(?:줘|주|줄|달)?\S*[\s.!?]*$/iu;

/** What a question that looks something up asks for. */
export const ASKS_WHAT =
  /(?<!\p{L})(?:whats?|which|how (?:much|many))(?!\p{L})|얼마|몇|무엇|뭐|뭔|어떤|어느|[은는]\s*[?？]/iu;

/** How a question is opened; none of it asks for anything. */
export const LEAD =
  /^(?:(?:and|so|but|also|then|ok(?:ay)?|well|please|pls|now|hi|hello|hey)[\s,]+)*(?:(?:can|could|would|will) you (?:please )?)?(?:please )?(?:(?:tell|show|give|remind) (?:me|us)|list|display|show|do you know|i(?:'d| would) like to (?:know|see)|i (?:want|need) to (?:know|see))(?=\s)/iu;

/** How the same question is asked of something else. */
export const AGAIN =
  /^(?:(?:and|so|ok(?:ay)?)[\s,]+)*(?:what about|how about|the same for|same for|and)(?=\s)/iu;

/** "How is it computed" asks for no value. */
export const HOW_MUCH = /(?<!\p{L})how (?=(?:much|many)(?!\p{L}))/iu;
export const HOW = /(?<!\p{L})how(?=\s)/iu;

/** Of today, or of before; in results of before. */
export const BEFORE =
  /(?<!\p{L})(?:today'?s?|(?:right )?now|current(?:ly)?|at (?:the moment|present)|atm|at today'?s \p{L}+|existing|old|previous(?:ly)?|before|earlier|original(?:ly)?|so far)(?!\p{L})|(?<!\p{L})(?:현재의?|지금의?|오늘의?|기존의?|이전의?|이전에는?|전에는?|원래의?|(?:변경|인상|인하|바뀌기|오르기|내리기) ?전(?:의|에는?)?)(?=\s|$|[?.,!])/iu;

/** Of results. */
export const AFTER =
  /(?<!\p{L})(?:propos(?:ed|al'?s?)|recommend(?:ed|ation'?s?)|suggest(?:ed|ion'?s?)|planned|new(?=\s*◆)|after(?:wards)?|will be|expect(?:ed)?|(?:in|of|under|with|by) the (?:last |latest |current )?(?:proposal|recommendation|plan))(?!\p{L})|(?<!\p{L})(?:제안(?:된|한|의|에서|에서는)?|추천(?:된|한|의)?|권장|새(?:로운)?(?=\s*◆)|예상(?:되는)?|변경 ?후(?:의|에는?)?)(?=\s|$|[?.,!◆])/iu;

export const LEAST = /(?<!\p{L})(?:least|lowest|smallest|fewest)(?!\p{L})/iu;
export const MOST = /(?<!\p{L})(?:most|highest|largest|biggest|greatest|top)(?!\p{L})|(?<!\p{L})상위/iu;
/** Korean says it is one, and somewhere behind which one. */
export const KOREAN_MOST = /(?<!\p{L})(?:가장|제일)(?!\p{L})/u;
export const KOREAN_SIZE = /(?<!\p{L})(?:높|크|큰|많|비싼|낮|작|적은|적게|싼|덜)\S*/u;
export const isSmall = (word: string): boolean => /^(?:낮|작|적|싼|덜)/u.test(word);

export const SUM =
  /(?<!\p{L})(?:total|overall|altogether|in total|in all|sum|combined)(?!\p{L})|(?<!\p{L})(?:총|합계|총합|합쳐서|전체 합)(?=\s|$|◆)/iu;
export const MEAN =
  /(?<!\p{L})(?:on average|average|mean(?=\s*◆))(?!\p{L})|(?<!\p{L})평균(?:적으로)?(?=\s|$|◆)/iu;
export const COUNTS = /(?<!\p{L})how many(?!\p{L})|(?<!\p{L})몇\s?(?:개|건|가지)?/iu;
export const WHICH =
  /(?<!\p{L})(?:which|how many|each|every|all)(?!\p{L})|(?<!\p{L})(?:어느|어떤|몇|모든|전체|각|상위)/iu;

export const COMPARES =
  /(?<!\p{L})(?:compare[ds]?|comparison|versus|vs\.?|differences?|differs?|different|changed since|changed from)(?!\p{L})|비교\S*|차이\S*|달라\S*|다른\S*/iu;
/** Number words are digits by then: "the previous 1". */
export const EARLIER_PROPOSAL =
  /(?<!\p{L})(?:the |our |my )?(last|previous|earlier|prior|former|first|original)(?: version)?(?: of the)? (?:proposals?|recommendations?|one|1|version)(?: before)?(?!\p{L})|(이전|지난|직전|전번|앞선|첫|첫 ?번째|처음)\s?(?:번 )?(?:제안|추천)\S*/iu;
export const isFirst = (word: string): boolean => /^(?:first|original|첫|첫 ?번째|처음)$/iu.test(word);

/** How many of the first: the number is written in digits by then. */
export const TOP =
  /(?<!\p{L})(?:top|the|which|what|상위)\s+\d{1,3}(?![\p{L}\p{N}.,%])(?:\s?개)?|(?<![\p{L}\p{N}])\d{1,2}\s?개(?:만|는|를|은|의)?(?=\s|$|[?.])/iu;
/** The latest one, where it is compared with another. */
export const THIS_PROPOSAL =
  /(?<!\p{L})(?:this |the |our |my )?(?:current |latest |new )?(?:proposal|recommendation)s?(?!\p{L})|(?<!\p{L})(?:이번 )?(?:제안|추천)\S*/iu;

type Comparison = "<" | "<=" | ">" | ">=";

/** What stands before an amount, and behind one in Korean. */
export const COMPARISONS: readonly (readonly [Comparison, RegExp, RegExp])[] = [
  [">=", /(?:at least|no less than|not less than|>=)\s*$/iu, /^\s*(?:원|개)?\s*이상(?:인|의|은)?/u],
  ["<=", /(?:at most|up to|no more than|not more than|<=)\s*$/iu, /^\s*(?:원|개)?\s*이하(?:인|의|은)?/u],
  [
    "<",
    /(?:below|under|less than|lower than|smaller than|fewer than|<)\s*$/iu,
    /^\s*(?:원|개)?\s*(?:미만(?:인|의|은)?|보다\s*(?:낮|작|적)\S*)/u,
  ],
  [
    ">",
    /(?:above|over|more than|greater than|higher than|larger than|exceed(?:s|ing)?|>)\s*$/iu,
    /^\s*(?:원|개)?\s*(?:초과(?:인|의|하는)?|보다\s*(?:높|크|큰|많)\S*|[을를]?\s*(?:넘|초과하)\S*)/u,
  ],
];
