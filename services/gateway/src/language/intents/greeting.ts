const ADDRESSEE = "(?:there|all|everyone|everybody|team|folks|guys|again)";
const GREETING = new RegExp(
  `^\\s*(?:(?:hi|hello|hey|hiya|dear|good (?:morning|afternoon|evening|day))\\b(?: ${ADDRESSEE}\\b| \\p{L}+(?=\\s*[,!–-]))?|안녕(?:하세요|하십니까)?)` +
    `[\\s,.!–-]+(?=[\\p{L}\\p{N}])(?!${ADDRESSEE}\\W*$)`,
  "iu",
);

/** A message without the greeting before it, which says nothing of what is asked for. A greeting alone stays. */
export const withoutGreeting = (message: string): string => message.replace(GREETING, "");
