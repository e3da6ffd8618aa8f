import { bareText } from "./commands.ts";

/** Stands for the name of a service in a message. */
const NAME = "§";

const ASKS_FOR =
  "(?:(?:can|could|may|shall) (?:we|i) )?(?:(?:do|try|talk about|discuss|ask(?: you)?(?: about)?|have|need|want|switch to|move on to) )?";
const LEFT: readonly RegExp[] = [
  new RegExp(`^${ASKS_FOR}(?:something|anything) (?:else|different)(?: first| instead| now| please)*$`),
  new RegExp(`^${ASKS_FOR}(?:(?:an)?other|a different) (?:topic|subject|question|service|task)$`),
  /^(?:change|switch) (?:the )?(?:topic|subject|service|task)$/,
  new RegExp(
    `^(?:never ?mind|forget|leave|pause|park|postpone|hold|keep)(?: about)? (?:the |this |that |my )?${NAME}(?: for (?:now|later)| for the moment| until later)?$`,
  ),
  /^(?:leave|pause|park|postpone|hold|keep) (?:it|this|that)(?: for (?:now|later)| for the moment)?$/,
  new RegExp(
    `^(?:(?:do|finish|get back to|continue(?: with)?) (?:it|this|that|(?:the |my )?${NAME}) )?(?:later|another time|some other time)(?: please)?$`,
  ),
  /^not (?:now|right now)(?: please)?$/,
  /^(?:exit|quit|leave|(?:go )?back to the (?:main )?menu|main menu)$/,
  new RegExp(
    `^(?:${NAME}(?:은|는|을|를)? ?)?(?:(?:말고|그만하고|그만두고|두고|잠깐|잠시|우선|먼저|일단|지금은|그냥|이거|이건|그거) ?)*(?:다른|딴) ?(?:거|것|걸|게|일|얘기|이야기|작업|업무|질문|주제|서비스)(?:를|을|부터|도|로)?(?: ?(?:먼저|좀|하나))?(?: ?(?:하|할|해|물|볼|보|부탁|있|으로|필요)\\S*(?: (?:싶|될|되|줘|주)\\S*)?)?$`,
  ),
  new RegExp(
    `^(?:(?:${NAME}|이거|이건|그거|그건)(?:은|는)? ?)?(?:나중에|다음에|이따가?|담에)(?:요| ?(?:다시 |계속 )?(?:할|하|해|계속할)\\S*(?: (?:싶|될|되)\\S*)?)?$`,
  ),
  new RegExp(
    `^(?:${NAME}(?:은|는)? ?)?(?:지금은? (?:말고|안 할\\S*)|(?:잠깐|잠시|일단)? ?(?:보류|미뤄|미루)\\S*(?: \\S+)?)$`,
  ),
  /^(?:메뉴로|나가기|나갈래\S*)$/,
];

const GOES_ON =
  "(?:continue|resume|go on|carry on|proceed|keep going|pick up|finish|(?:(?:go|get|come) )?back|return)";
const TAKEN_UP: readonly RegExp[] = [
  new RegExp(
    `^${GOES_ON}(?: with| to| on)?(?: (?:the|my|that|this))? ?${NAME}(?: (?:please|now|again|where we (?:left off|were)|from before))*$`,
  ),
  new RegExp(
    `^(?:(?:아까|하던|그|보류한|전에|하다 만) ?)*${NAME}(?:을|를|은|는|부터)? ?(?:(?:계속|이어서|이어|마저)\\S*|다시 (?:하|할|해|시작|진행)\\S*)(?: \\S+){0,2}$`,
  ),
  new RegExp(`^계속(?:해\\S*)? ${NAME}$`),
];
/** Without a name, what is kept is meant. */
const TAKEN_UP_ANY: readonly RegExp[] = [
  /^(?:continue|resume|go on|carry on|proceed|keep going)(?: (?:with )?(?:it|that|this))?(?: (?:please|now|where we (?:left off|were)))*$/,
  /^(?:(?:아까|하던|하다 만) ?)*(?:거|것)?(?:를|을)? ?(?:계속|이어서|마저)(?:요| ?(?:하|할|해|진행)\S*(?: (?:줘|주\S*|싶\S*))?)?$/,
];
/** With more behind the name: what the dialogue is told. */
const TAKEN_UP_AND = new RegExp(`^${GOES_ON}(?: with| to)?(?: (?:the|my|that|this))? ?${NAME}(?= )`);

/** Whether a message politely leaves a dialogue, so that it can be taken up again; "cancel" is for the dialogue itself. */
export function leaves(message: string, named: RegExp): boolean {
  const text = textOf(message, named);
  return text !== undefined && LEFT.some((pattern) => pattern.test(text));
}

/**
 * Whether a message takes up a dialogue, and what the dialogue is told then: nothing, where the message says no more than that.
 * @returns `undefined` where it does not; `any` where it names none
 */
export function takesUp(message: string, named: RegExp): "this" | "this and more" | "any" | undefined {
  const text = textOf(message, named);
  if (text === undefined) return undefined;
  if (TAKEN_UP_ANY.some((pattern) => pattern.test(text))) return "any";
  if (TAKEN_UP.some((pattern) => pattern.test(text))) return "this";
  return TAKEN_UP_AND.test(text) ? "this and more" : undefined;
}

/** A message as a command is read, with the names of a service as one sign. */
function textOf(message: string, named: RegExp): string | undefined {
  const text = bareText(
    message
      .normalize("NFKC")
      .replace(/\u2019/g, "'")
      .replace(/[“”"‘:]/g, " "),
  );
  return text
    ?.replace(new RegExp(`(?:${named.source})[a-z]{0,3}\\b`, "giu"), NAME)
    .replace(new RegExp(named.source, "giu"), NAME)
    .replace(/§(?: §)+/g, NAME)
    .trim();
}
