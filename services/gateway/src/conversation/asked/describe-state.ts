import type { EffectState, Publication, RequestState } from "../../runs/index.ts";
import { inline } from "../inline-text.ts";
import type { Language } from "../wording.ts";
import { STATE_TEXTS, timeOf } from "./state-texts.ts";

/** Lines of one kind. */
const MOST = 5;
const LONGEST_NAME = 100;
const LONGEST_NOTE = 200;

/** Says a state in words: what waits, what became of what was asked for here, what was published last. */
export function describeState(
  { requests, publications }: EffectState,
  labelOf: (about: { flow: string; step: string }) => string,
  language: Language,
): string {
  const texts = STATE_TEXTS[language];
  const list = (head: string, lines: readonly string[]): string => {
    const more = lines.length > MOST ? [texts.more(lines.length - MOST)] : [];
    return [head, ...[...lines.slice(0, MOST), ...more].map((line) => `- ${line}`)].join("\n");
  };
  const say = (request: RequestState) => requestLine(request, labelOf(request), language);
  const pending = requests.filter(({ state }) => state === "pending");
  const all = requests.filter(({ state }) => state !== "pending");
  const here = all.filter((request) => request.here);
  // Of other conversations, only what was decided last tells something here.
  const decided = here.length > 0 ? here : all.slice(0, 1);
  const told = decided.slice(0, MOST).flatMap(({ book }) => book?.publishedAt ?? []);
  const others = publications.filter(({ at }) => !told.includes(at));
  const nothing = others.length === 0 && told.length === 0;
  return [
    pending.length > 0 ? list(texts.waiting(pending.length), pending.map(say)) : texts.nothingWaits,
    ...(decided.length > 0 ? [list(texts.decided, decided.map(say))] : []),
    ...(others.length > 0
      ? [
          list(
            texts.published,
            others.map((one) => entryLine(one, language)),
          ),
        ]
      : []),
    ...(nothing ? [texts.nothingPublished] : []),
  ].join("\n\n");
}

function requestLine(request: RequestState, label: string, language: Language): string {
  const texts = STATE_TEXTS[language];
  const { id, requestedBy, since, until, roles, fourEyes, decided, book, state } = request;
  const time = (ms: number) => timeOf(ms, language);
  const asked = texts.asked(inline(label, LONGEST_NAME), inline(requestedBy, LONGEST_NAME), id);
  if (state === "pending") {
    const names = roles.map((role) => inline(role, LONGEST_NAME));
    const parts = [texts.deciders(names, fourEyes), ...(book ? [texts.notYet] : [])];
    return [`${asked}: ${texts.waits(time(since), time(until))}.`, ...parts].join(" ");
  }
  const outcome = texts.outcome[state] ?? ((by: string, at: string) => `${state}, ${by}, ${at}`);
  const by = inline(decided?.by ?? "", LONGEST_NAME);
  const note = decided?.note === undefined ? "" : texts.note(inline(decided.note, LONGEST_NOTE));
  const effect = book && effectOf(book, state, language);
  return [`${asked}: ${outcome(by, time(decided?.at ?? until))}${note}.`, ...(effect ? [effect] : [])].join(
    " ",
  );
}

function effectOf(
  { name, publishedAt }: NonNullable<RequestState["book"]>,
  state: RequestState["state"],
  language: Language,
): string {
  const texts = STATE_TEXTS[language];
  if (publishedAt !== undefined) return texts.inBook(timeOf(publishedAt, language), name);
  return state === "approved" ? texts.notYet : texts.notInBook;
}

function entryLine({ book, at, requestedBy, approvedBy }: Publication, language: Language): string {
  return STATE_TEXTS[language].entry(book, timeOf(at, language), {
    ...(requestedBy === undefined ? {} : { asked: inline(requestedBy, LONGEST_NAME) }),
    ...(approvedBy === undefined ? {} : { approved: inline(approvedBy, LONGEST_NAME) }),
  });
}
