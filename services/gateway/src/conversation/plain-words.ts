const HAS_TO = "(?:should|must|shall|can|may|could|ought to|(?:has|have|needs?|is|are) to)";

const NOT_TO =
  "(?:(?:should|must|does|do)(?:n['’]?t| not)|(?:ought|needs?|has|have) not to|(?:is|are)(?:n['’]?t| not) (?:meant|supposed) to|was(?:n['’]?t| not) (?:meant|supposed) to|can(?:not|['’]t))";
const IN_THERE = "(?:in|to|on) (?:there|here|it|this|that|(?:the|this|that) (?:list|selection|set))";

/** What goes back to a value of before, takes back one of a selection or means the proposal, in words that only tell it. */
const PLAINER: readonly (readonly [RegExp, string])[] = [
  [
    /(?<=^|[.,;:!?]\s+)(?:(?:ok(?:ay)?|so|but|well|hm+|oh|and|actually)[\s,]+){0,4}((?:\S+ ){1,4}?)(?:was|were|is) (?:just |quite |the )?(?:right|better|best|correct|fine|good)(?: (?:one|aim|choice|idea))? (?:after all|all along)\b/gi,
    "back to $1",
  ],
  [
    /\b(?:forget about|never ?mind(?: about)?) (?!(?:it|that|this|them|those|these|what|how|why|if|the rest)\b)(?=\p{L})/giu,
    "drop ",
  ],
  [
    /(?<=^|[.,;:!?]\s+)((?:\S+ ){1,4}?)(?:can|may|could|should) (?:(?:come|go|be) )?(?:back in|in again|included again)\b/gi,
    "include $1again",
  ],
  [
    new RegExp(
      `(?<=^|[.,;:!?]\\s+)(?:(?:and|but|so) )?((?:[\\p{L}\\p{N}_-]+ ){1,4}?)(?:(?:is|are) out again\\b|(?:(?:${HAS_TO} )?(?:stay|remain)s?|${HAS_TO} be(?: left| kept)?) out(?=\\s*(?:$|[.,;!]|(?:too|also|as well|again|for now|please|of (?:it|this|that))\\b)))`,
      "giu",
    ),
    "leave out $1",
  ],
  [
    new RegExp(
      `(?<=^|[.,;:!?]\\s+)(?:(?:and|but|so|no|oh) )?((?:[\\p{L}\\p{N}_-]+ ){1,6}?)${NOT_TO} (?:be (?:${IN_THERE}|there|included|part of (?:it|this|that))|belong(?: ${IN_THERE}| there| here)?)(?=\\s*(?:$|[.,;!]|(?:either|though|at all|please)\\b))`,
      "giu",
    ),
    "leave out $1",
  ],
  [
    /\b(?:forget|drop|lose|remove|scrap|take out|cancel) (?:about )?the (\d[\d.,]* ?(?:%|percent))(?=\s*(?:$|[.,;!]|again\b|now\b))/gi,
    "drop the $1 limit",
  ],
  // "What's new in this version" is about what answers.
  [
    /(?<!\bin )\b((?:this|that|the (?:first|last|latest|current|new|newest|original)) )(?:version|variant|draft|edition|iteration)\b/gi,
    "$1proposal",
  ],
  [/(?<=n['’]t (?:need|want) (?:\p{L}+ ){1,4}?)after all\b/giu, "any more"],
];

/** A message in the words in which its constraints are read: "4 % was right after all" goes back to 4 %. */
export const saidPlainly = (message: string): string =>
  PLAINER.reduce((text, [pattern, plain]) => text.replace(pattern, plain), message);
