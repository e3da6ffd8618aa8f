/**
 * What words say of an amount near them, or of the limit that a message wants without an amount. Bits of their own, beside those of
 * generic words: a word with a role alone is no reason to look for no name in it.
 */
export const ROLES = {
  /** A change without a direction: "drift", "step". An amount beside it, with a bound, limits changes. */
  moves: 1 << 0,
  /** Up, right beside an amount: "add 8 %", "3 % on top". */
  adds: 1 << 1,
  /** Permits what its amount says: "the allowed movement is 4 %". */
  allows: 1 << 2,
  /** Says behind a limit that it holds no longer: "the cap is off the table". */
  lifted: 1 << 3,
  /** More than wanted, without a figure: "too far". */
  excess: 1 << 4,
  /** Before a move, a size that is wanted or to be avoided: "small steps", "no big jumps". */
  large: 1 << 5,
  small: 1 << 6,
  /** Today's prices or costs, which a change is relative to. */
  present: 1 << 7,
  /** A change of prices and never of costs: "a discount". */
  priceOnly: 1 << 8,
  /** Beside a bare amount, makes it the last word: "let's go with 7 % after all". */
  settles: 1 << 9,
  /** "close to today's". */
  near: 1 << 10,
  /** Behind what is more than an amount: "anything over 9 % is unacceptable". */
  forbids: 1 << 11,
  /** Who pays a price: "cheaper for our buyers" is said of it, and of no group of customers. */
  pays: 1 << 12,
  /** Behind a direction, makes it one of costs: "more expensive to make". */
  makes: 1 << 13,
  /** Who is paid for what is sold: what they ask for is a cost. */
  supplies: 1 << 14,
  /** Says that a change may be of any size: "a free hand". */
  unbounded: 1 << 15,
  /** Before a degree, which is no limit where somebody likes it: "as far as you like". */
  degree: 1 << 16,
} as const;

export type Role = keyof typeof ROLES;

const list = (text: string): string[] => text.split("|");

export const AMOUNT_WORDS: readonly (readonly [Role, readonly string[]])[] = [
  [
    "moves",
    list(
      "change of|changes of|don't change|do not change|never change|don't move|do not move|move|moves|moved|moving|movement|movements|" +
        "step|steps|shift|shifts|shifting|drift|drifts|drifting|stray|strays|straying|wander|wanders|wandering|deviate|deviates|" +
        "deviating|deviation|deviations|depart|departs|departing|departure|differ|differs|differing|vary|varies|varying|variation|" +
        "variations|travel|travels|run away|runs away|run off|runs off|veer|veers|diverge|diverges|divergence|alter|alters|altered|" +
        "alteration|alterations|tweak|tweaks|revise|revision|revisions|correction|corrections|go away|get away|swing|swings|jump|jumps|" +
        "jumping|adjust|adjusts|adjusting|adjustment|adjustments|change|changes|changed|changing|fluctuate|fluctuates|budge|either way|" +
        "each way|both ways|in either direction|in both directions|either direction|up or down|down or up|벗어나|벗어날|벗어난|벗어나면|" +
        "벗어나지|움직|움직여|움직이|움직이면|움직이지|바꾸|바꾸지|바꾸지는|바꾸면|바꿔|바뀌|바뀌지|바뀌지는|바뀌면|변하|변하지|변하면|" +
        "위아래로|위아래|변동|변동폭|변경|변화|조정|조정해|달라지|달라지면|차이",
    ),
  ],
  [
    "adds",
    list(
      "add|adds|adding|added|pass on|passing on|hand on|put on|tack|tack on|slap|slap on|on top|on top of|onto|to the top of|" +
        "surcharge of|더하|더하면|더해|더 달라|더 달라고|더 요구|더 요구하|더 부르|얹|얹어|얹으면|더 받|더 받으면|더 받아|더 받을",
    ),
  ],
  [
    "allows",
    list(
      "allow|allows|allowed|allowable|permit|permits|permitted|permissible|tolerate|tolerates|tolerable|accept|acceptable|허용",
    ),
  ],
  [
    "lifted",
    list(
      "off the table|off the books|no longer applies|no longer apply|no longer counts|no longer holds|no longer valid|no longer in force|no longer needed|no longer required|" +
        "no longer|any longer|was a mistake|is no more|expired|has expired|there is none|there's none|" +
        "doesn't apply|does not apply|doesn't count|does not count|doesn't hold|does not hold|doesn't matter|does not matter|not needed|" +
        "is gone|are gone|isn't valid|is not valid|not valid|isn't in force|not in force|isn't needed|isn't required|that's history|is history|are history|is a thing of the past|are a thing of the past|is dead|" +
        "it's history|that's gone|it's gone|that's over|that's out|off|has been lifted|has been dropped|has been removed|" +
        "has been abolished|has been scrapped|has been cancelled|has been withdrawn|was lifted|was dropped|was removed|was abolished|" +
        "was scrapped|was cancelled|was withdrawn|is lifted|is cancelled|is dropped|is removed|is obsolete|is void|해제됐|해제되|폐지|없던|없던 걸로|" +
        "폐지됐|폐지되|사라졌|없어졌|빼|빼줘|빼고|필요 없|필요없",
    ),
  ],
  [
    "excess",
    list(
      "too far|overboard|go overboard|too strong|too rough|too aggressive|too aggressively|too bold|aggressively|radically|significantly|substantially|" +
        "considerably|massively|too extreme|too extremely|too much|too big|too large|too high|too violently|too abruptly|around wildly|" +
        "too strongly|too drastically|too wildly|too sharply|too widely|too wide|too heavily|too hard|too thin|too slim|too low|" +
        "too small|too quickly|drastically|wildly|dramatically|excessively|excessive|overdo|overdone|overdoing|out of hand|overly|" +
        "all over the place|너무|지나치게|과도하게|과하게|급격하게|급격히|심하게|크게",
    ),
  ],
  [
    "large",
    list(
      "radical|aggressive|substantial|significant|considerable|enormous|steep|big|bigger|large|larger|huge|drastic|dramatic|extreme|" +
        "wild|sharp|massive|abrupt|sudden|큰|급격한|과도한|지나친|큰 폭|큰 폭의",
    ),
  ],
  [
    "small",
    list(
      "hardly|barely|mild|subtle|cautious|conservative|small|smaller|modest|moderate|gentle|slight|minor|tiny|조금만|조금씩|살짝|약간만|작은|소폭|" +
        "완만한",
    ),
  ],
  [
    "present",
    list(
      "today|current|currently|present|existing|now|right now|where it is|where they are|where it stands|where they stand|현재|지금|" +
        "오늘|기존",
    ),
  ],
  [
    "settles",
    list(
      "let's go with|lets go with|go with|going with|went for|settle for|settle on|settled on|after all|that should be|it should be|" +
        "should read|better|is enough|too tight|too loose|too strict|too generous|too little|is a lot|not enough|will do|would do|" +
        "suffices|instead|rather|take|let's say|let's take|let's make it|change it to|change that to|말고|대신|하자",
    ),
  ],
  [
    "forbids",
    list(
      "unacceptable|forbidden|prohibited|taboo|off limits|not allowed|not acceptable|not ok|not okay|not permitted|out of the question|" +
        "a no go|ruled out",
    ),
  ],
  [
    "pays",
    list(
      "buyer|buyers|customer|customers|client|clients|user|users|shopper|shoppers|people|고객|고객들|구매자",
    ),
  ],
  [
    "makes",
    list(
      "to make|to produce|to build|to manufacture|to assemble|to source|to buy|to buy in|to purchase|to procure|to import|in purchasing|" +
        "in procurement",
    ),
  ],
  [
    "supplies",
    list(
      "supplier|suppliers|vendor|vendors|manufacturer|manufacturers|subcontractor|subcontractors|공급사|공급업체|공급처|납품업체|납품처|" +
        "협력사|협력업체|매입처|제조사",
    ),
  ],
  ["degree", list("as far as|as much as")],
  [
    "unbounded",
    list(
      "free hand|free rein|the sky is the limit|the sky's the limit|move freely|any amount|any size|no matter how far|no matter how much|" +
        "don't care how far|don't care how much|don't mind how far|don't mind how much|however far|however much|however you like|as you like|" +
        "as you please|as you see fit|얼마든지|마음껏|마음대로|자유롭게",
    ),
  ],
  [
    "near",
    list("as little as possible|as close as possible|close to|closely|near|비슷하게|비슷한|가깝게|가까운"),
  ],
  [
    "priceOnly",
    list(
      "discount|discounts|discounted|discounting|markdown|mark down|charge|charging|rebate|할인|세일|깎|깎아|깎으면|인하",
    ),
  ],
];
