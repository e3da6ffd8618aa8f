/**
 * What generic words mean, as bits. A word can mean several things ("lift the cap", "lift prices"); the words around it decide.
 */
export const MEANS = {
  not: 1 << 0,
  /** "more than", "above": at least, or with a negation at most. */
  above: 1 << 1,
  below: 1 << 2,
  atMost: 1 << 3,
  atLeast: 1 << 4,
  /** "limit", "cap": an upper bound that may be taken back. */
  cap: 1 << 5,
  up: 1 << 6,
  down: 1 << 7,
  only: 1 << 8,
  /** Leaves out what follows. */
  except: 1 << 9,
  /** Leaves out what stands before: "unchanged", 제외. */
  exceptAfter: 1 << 10,
  all: 1 << 11,
  /** Takes a slot back, if its noun follows. */
  clear: 1 << 12,
  must: 1 << 13,
  unless: 1 << 14,
  keep: 1 << 15,
  superlative: 1 << 16,
  why: 1 << 17,
  /** Ends the reach of a number's words. */
  separator: 1 << 18,
  /** A filler that may stand between a cue and its value. */
  filler: 1 << 19,
  preposition: 1 << 20,
  percent: 1 << 21,
  basisPoint: 1 << 22,
  currency: 1 << 23,
  joins: 1 << 24,
  hard: 1 << 25,
  /** "5 % more", "5 % less": a direction only behind a number. */
  by: 1 << 26,
  question: 1 << 27,
  /** Between a choice that is wanted and one that is not. */
  instead: 1 << 28,
  both: 1 << 29,
  /** Makes the choice before it the one that is wanted. */
  wanted: 1 << 30,
  /** Takes back what was said before it, and says it anew. */
  correct: 1 << 31,
} as const;

export type Meaning = keyof typeof MEANS;

const list = (text: string): string[] => text.split("|").map((word) => word.trim());

/** English and Korean words by meaning. Phrases are matched longest first. */
export const GENERIC_WORDS: readonly (readonly [Meaning, readonly string[]])[] = [
  [
    "not",
    list(
      "not|but not|no|non|nothing|nobody|never|don't touch|do not touch|don't change|do not change|don't move|do not move|never change|never touch|dont touch|don't|dont|do not|doesn't|does not|shouldn't|should not|mustn't|must not|can't|cannot|can not|won't|may not|nor|neither|none|isn't|aren't|avoid|않|않게|않도록|안|못|없|말|needn't|need not|not one|not a single|no single|no one|피해|피하|곤란|안되|마|마라|마세요|말아|없어|없어요|없습니다|없고",
    ),
  ],
  [
    "above",
    list(
      "more than|over|above|exceed|exceeds|exceeding|beyond|greater than|higher than|larger than|bigger than|deeper than|steeper than|in excess of|초과|초과하|넘|넘게|넘으면|넘어서|넘기|넘지|넘어|>|upwards of|further than|more expensive than|pricier than|dearer than|costlier than|farther than|보다 더|보다 많이|보다 크게|초과할|surpass|surpasses|surpassing|go past|goes past|going past|move past|moves past|get past|넘는|넘어가|넘어가는|넘어가면|웃돌|웃도는|상회|상회하",
    ),
  ],
  [
    "below",
    list(
      "less than|below|under|lower than|smaller than|beneath|fewer than|underneath|cheaper than|less expensive than|undercutting|미만|밑|아래|밑돌|<|밑으로|아래로|하회|하회하|밑도는|미달",
    ),
  ],
  [
    "atMost",
    list(
      "at most|but not more|but not more than|but no more|but no more than|but not further|but not beyond|max|max.|maximum|maximal|maximally|at maximum|at max|no more than|not more than|up to|within|±|+-|plus or minus|plus minus|plus/minus|give or take|플러스마이너스|플러스 마이너스|no greater than|no larger than|no bigger than|no higher than|not exceeding|or less|or lower|or closer|or nearer|or below|or under|or smaller|at the most|tops|≤|<=|이하로|이내로|staying within|inside|to a maximum of|upper bound|upper limit|최대|이하|이내|안쪽|한도|상한|넘지 않|초과하지|최대한도|not to exceed|at the outside|at the very most|at the utmost|at the very outside|at its most|furthest|farthest|the furthest|as far as|as much as|not further|no further|no farther|not farther|not more|no more|not a hair more|not a bit more|not a notch more|not a penny more|not a cent more|not beyond|all the movement|all the change|all that is allowed|all that's allowed|is all|that is all|that's all|either way|each way|both ways|in either direction|in both directions|either direction|leeway|wiggle room|corridor|band|tolerance|latitude|of room|headroom|mustn't top|must not top|not top|never top|may not top|shouldn't top|up or down|down or up|안에서|안으로|위아래로|위아래|범위 안|범위 내|범위 안에서|범위 내에서|까지|까지만|선에서|선까지|the most we|the most i|the most you|the most it|the most they|the most the|the most any",
    ),
  ],
  [
    "atLeast",
    list(
      "at least|min|min.|minimum|minimal|no less than|not less than|no lower than|no smaller than|or more|or higher|or above|or over|or better|or greater|at the least|at a minimum|≥|>=|lower bound|lower limit|최소|최저|이상|하한|적어도",
    ),
  ],
  [
    "cap",
    list(
      "cap|caps|capped|lid|threshold|confine|confined|bounded|filter|filters|limit to|limited to|limit it to|limit this to|restrict to|restricted to|capping|limit|limits|limited|limiting|constrain|constrained|restrict|restricted|restriction|constraint|constraints|restrictions|제한|제약",
    ),
  ],
  [
    "up",
    list(
      "raise|raises|raised|raising|increase|increases|increased|increasing|up|hike|hikes|hiked|hiking|lift|lifts|lifted|lifting|higher|more expensive|dearer|bump|bumps|bump up|bumped|bumping|push up|rise|rises|rising|rose|risen|go up|goes up|went up|grow|grows|climb|climbs|uplift|markup of|upward|upwards|inflate|inflation|pricier|plus|increment|inflates|inflated|인상|올리|올려|올린|올렸|높였|올랐|늘었|비싸졌|올라|오르|오른|오를|높이|높여|높인|상승|증가|더 비싸|늘리|늘어|jump|jumps|jumped|surge|surges|surged|surging|soar|soars|soared|soaring|spike|spikes|spiked|leap|leaps|climbed|climbing|swell|swells|mark up|marked up|뛰|뛰면|뛰어|치솟|높게|오르면|올리면|비싸게|비싸지|escalate|escalates|mount|mounts|balloon|skyrocket|skyrockets|rocket|rockets|shoot up|shoots up|creep up|creeps up|edge up|edges up|tick up|ticks up|급등|급등하|급등하면|올라가|올라가면|비싸진",
    ),
  ],
  [
    "down",
    list(
      "cut|cuts|cutting|lower|lowers|lowered|lowering|reduce|reduces|reduced|reducing|reduction|decrease|decreases|decreased|decreasing|drop|drops|dropped|dropping|down|discount|discounts|discounted|discounting|cheaper|slash|slashed|fall|falls|falling|fell|fallen|go down|goes down|went down|decline|declines|shrink|shrinks|knock off|shave|trim|trims|trimmed|trimming|slashing|knocking off|haircut|haircuts|markdown|mark down|bring down|downward|downwards|인하|내리|내려|내린|내렸|낮추|낮춰|낮춘|낮췄|줄였|줄었|떨어졌|깎았|싸졌|하락|감소|할인|세일|다운|깎|줄이|줄여|떨어|plunge|plunges|plunged|plunging|tumble|tumbles|tumbled|tumbling|slump|slumps|slumped|ease|eases|eased|easing|dip|dips|dipped|sink|sinks|sank|come down|comes down|came down|save|saves|saving|lop off|lop|shave off|take off|taking off|줄면|깎으|깎으면|낮게|내리면|싸게|떨어지면|떨어지|collapse|collapses|crash|crashes|sag|sags|slide|slides|slip|slips|shed|sheds|weaken|weakens|creep down|edge down|edges down|tick down|cheapen|cheapens|savings|급락|급락하|급락하면|내려가|내려가면|싸지|싸지면|줄어들|절감",
    ),
  ],
  ["by", list("more|less|extra|off")],
  [
    "only",
    list(
      "only|just|solely|exclusively|nothing but|nobody but|focus on|focused on|focus|concentrate on|restrict to|restrict it to|restricted to|limit to|limit it to|limit this to|limited to|limit yourself to|restrict this to|restrict that to|limit that to|confine to|confine it to|narrow to|narrow it to|narrow down to|purely|zoom in on|alone|만|오직|한해서|한정|한정해|국한",
    ),
  ],
  [
    "except",
    list(
      "except|except for|w/o|outside|outside of|not in|excepting|excluding|exclude|excludes|without|apart from|aside from|other than|everything but|all but|anything but|every item but|leave out|leaving out|leave|leave alone|skip|skipping|ignore|ignoring|omit|omitting|bar|barring|save for|don't touch|do not touch|dont touch|not touch|don't change|do not change|don't move|do not move|don't include|do not include|won't touch|will not touch|won't change|will not change|freeze|keep out|drop out|take out|besides|not including|minus|hands off|with the exception of|but not|never touch|not touching|without touching|sparing|never change|no proposal for|no proposals for|don't bother with|do not bother with|don't include|do not include|excl|excl.|spare me|spare us",
    ),
  ],
  [
    "exceptAfter",
    list(
      "unchanged|left alone|as is|as it is|as they are|where it is|where they are|untouched|fixed|frozen|constant|out of it|out of this|out of scope|stay put|stays put|staying put|excluded|excepted|left out|exempt|제외|제외하고|제외한|빼고|뺀|빼|말고|외에|이외|외한|그대로|유지",
    ),
  ],
  ["all", list("all|every|each|whole|entire|complete|full|모든|모두|전체|전부|전 품목|다")],
  ["both", list("both|either|양쪽|둘 다|두")],
  [
    "clear",
    list(
      "no|without|forget|forget about|remove|removing|drop|dropping|lift|ignore|ignoring|cancel|clear|lose|scrap|delete|discard|never mind|get rid of|release|relax|unset|reset|take off|take away|waive|undo|disregard|없이|없애|없음|해제|취소|풀어|풀고|지워|무시|삭제|없|제거|don't bother with|do not bother with|don't worry about|do not worry about|don't care about|do not care about|regardless of|irrespective of|don't need|do not need|no need for|not interested in|no interest in|don't want|do not want|no longer want|no longer need|stop|unlimited|uncapped|unrestricted|do away with|doing away with|없애 줘|없애줘|빼 줘|빼줘|없어|없어요|없습니다|throw out|throw away|take back|abandon|withdraw|ditch|revoke|skip|skipping",
    ),
  ],
  [
    "must",
    list(
      "must|mustn't|must not|have to|has to|need to stay|needs to stay|required|requires|require|mandatory|ensure that|make sure|반드시|꼭",
    ),
  ],
  [
    "unless",
    list(
      "unless|until|till|effective from|effective|as of|provided|provided that|as long as|only if|only when|on condition that|subject to|경우에만|한",
    ),
  ],
  [
    "keep",
    list(
      "keep|keeps|keeping|maintain|maintaining|preserve|preserving|hold|holding|stay|stays|remain|respect|respecting|protect|protecting|guarantee|match|matching|beat|undercut|avoid|subject to|유지|지켜|지키|맞춰|맞추|고려|감안|반영|kept|held|holds|keeps",
    ),
  ],
  [
    "superlative",
    list("top|best|biggest|largest|highest|greatest|most|strongest|leading|상위|가장|최고|제일"),
  ],
  [
    "why",
    list(
      "why|how come|explain|reason for|reasons for|reason behind|what drove|what drives|what caused|because of what|justify|where does|where do|왜|이유|설명",
    ),
  ],
  [
    "separator",
    list(
      "but|but not|while|then|if|when|whenever|because|despite|although|though|so|so that|even if|with|as|plus|after that|therefore|,|(|)|그리고|하고|하면서|지만|then again|including|also|assuming|suppose|given|하되|면서|으면서|이면서|는데|인데",
    ),
  ],
  ["joins", list("and|or|&|+|,|/|as well as|plus|및|와|과|이랑|랑|또는|하고|and also|nor")],
  ["hard", list(".|!|?|;|:|。|…")],
  [
    "filler",
    list(
      "the|a|an|our|my|your|those|these|that|which|what|who|are|is|be|being|currently|now|on|in|for|of|to|at|from|about|at all|to cut a long story short|long story short|please|pls|plz|ones|one|it|them|this|any|all|touch|more or less|up to now|until now|until today|change|changes|changing|include|including|with|have|has|having|set|out|together|strictly|already|still|다만|를|을|은|는|이|가|의|에|에서|에게|로|으로|도|들|을요|하|해|해서|하여|해줘|해주세요|주세요|줘|있는|중인|중|인|만큼|씩|정도|라면|면|때|것|건|거|한|개|가지|명|배",
    ),
  ],
  ["preposition", list("for|in|on|of|about|across|within|to|from|at|by|대한|대해|관해")],
  [
    "percent",
    list(
      "%|percent|per cent|pct|percents|percentage points|percentage point|pp|ppt|ppts|%p|퍼센트|프로|퍼센트포인트|퍼센트 포인트|푼",
    ),
  ],
  ["basisPoint", list("bps|bp|basis points|basis point|베이시스포인트|베이시스 포인트")],
  [
    "currency",
    list(
      "$|€|£|¥|₩|eur|usd|gbp|krw|jpy|chf|euro|euros|dollar|dollars|us dollar|us dollars|cent|cents|pence|pound|pounds|bucks|quid|sterling|franc|francs|swiss franc|swiss francs|kronor|kroner|krona|zloty|zlotys|sek|nok|dkk|pln|yen|yuan|rupees|won|원|달러|유로|엔",
    ),
  ],
  [
    "question",
    list(
      "what|which|how|should|would|could|can|is|are|does|do|did|was|were|who|where|when|why|any|얼마|무엇|어떤|어느",
    ),
  ],
  // They constrain whatever they are said of: a time from which something holds, an ending, a step, a rounding.
  [
    "unless",
    list(
      "valid from|valid until|valid till|valid through|valid to|valid as of|validity|in force|into force|take effect|" +
        "takes effect|taking effect|go live|goes live|going live|starting in|starting from|starting on|beginning in|" +
        "beginning on|as from|no later than|not later than|not before|ending in|ending on|ending with|end in|end on|" +
        "end with|ends in|ends on|ends with|end every price|end all prices|end each price|in steps of|in increments of|" +
        "in multiples of|a multiple of|apply from|apply before|apply until|apply till|apply as of|" +
        "round to|rounded to|rounded up|rounded down|rounded off|rounded prices|round up|round down|round off|round every|round everything|round them|round it|round all|round prices|round the prices|부터 적용|" +
        "부터 유효|까지 유효|유효|끝자리",
    ),
  ],
  [
    "correct",
    list(
      "no wait|wait|wait no|scratch that|strike that|sorry|apologies|oops|correction|i mean|i meant|i mean to say|" +
        "i meant to say|i should say|or rather|better yet|actually|my mistake|my bad|on second thought|on second thoughts|" +
        "on reflection|come to think of it|er|erm|make it|make that|nope|아니|아니다|아니야|아니요|아니지|정정|죄송합니다|미안",
    ),
  ],
  [
    "wanted",
    list(
      "first|above all|above all else|above everything|above everything else|most of all|before all else|" +
        "before anything else|counts|counts most|matter|matter most|more important|most important|matters|matters most|" +
        "matters more|comes first|come first|goes first|key|king|paramount|we're after|we are after|i'm after|i am after|" +
        "they're after|we want|i want|we need|i need|we like|we'd like|i'd like",
    ),
  ],
  [
    "instead",
    list("instead of|rather than|in place of|not|over|versus|vs|as opposed to|대신|말고|아니라|아니고|보다"),
  ],
];

/** Frequent words that are never taken for a misspelt name, although they resemble words of names. */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  (
    "about above after again against along already also although always among amount another answer anybody anything area around asked asking " +
    "away back base based basis become been before began begin being believe below better between beyond bigger book bring broad build business " +
    "called came cannot care carry case catch cause certain chance change changed check choose clear close come comes common company compare " +
    "complete concern consider control controls could count country couple course cover create current customer customers daily data date days deal decide " +
    "default depend detail details differ different direct does doing done double doubt down draft drive driven driver drivers drives driving drove dump during each early " +
    "effect either else enough enter equal even ever every exact except expect extra fact fair fall fast fear feature fee feel figure final find " +
    "fine first fit five fix focus follow force form forward found four free from front full further game gave gear general getting give given " +
    "gives goal goes going gone good great gross group grow growth guess half hand hard have having head hear hearing heart held hello help here hers high him hint hold " +
    "home hope hour house however idea ideal impact important include indeed inside into issue item items itself jump just keep kept kind know known " +
    "large last late later latest lead learn least leave left less level life light like likely line list little live long look looking lose loss lost lots " +
    "made main make makes many mark market matter maybe mean means measure meet might mind mine minute missing model month months more morning most motion motive move moves moved " +
    "movement much must myself name near need needs never next nice night none normal nothing notice number offer often okay once only open option order other others ought " +
    "ours over pack page paid pair part parts party pass past people per perhaps period pick picture place plan play please plus point points possible power present pretty price priced " +
    "prices pricing problem product products proposal propose proposed provide publish pull pump pumped put quarter question quick quite raise range rate rather reach read ready real really reason recent " +
    "recommend reduce reflect region regard related remain remaining repeat report rest result results return revenue review right rise risk risky risks robust rule rules said sale sales same save says scale " +
    "scenario second section see seem seen segment sell send sense senior sensor set seven several shall share she short should show shown side sign similar simple since single size small smaller some " +
    "someone something sometimes soon sort sound space speak spend standard stand start state stay step still stock stop store strong such suggest sum summary support sure table take taken talk target team tell term " +
    "terms test than thank thanks that their them then there these they thing things think third this those though thought three through tier tiers time times today together told tomorrow tonight " +
    "took total touch toward trade trend tried true trust try turn type under understand unit units until upon upside used user using usual value values valued valid value various very view violation voice volume " +
    "wait walk want wants wear wearing watch week weeks well went were what when where whether which while white whole whom whose wide will wind wish with within without woman won wonder word work works world " +
    "worse worst worth would write wrong year years yellow yes yesterday yield young your yours zero"
  ).split(" "),
);
