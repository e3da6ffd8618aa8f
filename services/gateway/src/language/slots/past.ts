import { isHard, type Piece } from "./pieces.ts";

/** Pieces around a mention that tell when and how it was said. */
const REACH = 8;
/** What somebody did who mentions something again. */
const ASKED = /^(?:asked|ordered|requested|had|did|wanted|discussed|priced|repriced|tried)$/;
const BEFORE_TODAY = /^(?:yesterday|earlier|before|previously|already|ago)$/;
const LAST = /^(?:last|previous)$/;
const PERIOD =
  /^(?:time|week|weeks|month|day|night|monday|tuesday|wednesday|thursday|friday|session|meeting|year|quarter)$/;

/** "I asked for the hub last week": a mention that tells of the past, where a verb leads to it and a time stands in its sentence. */
export function isOfPast(pieces: readonly Piece[], at: number): boolean {
  let from = at;
  while (at - from < REACH && !isHard(pieces[from - 1])) from--;
  let to = at;
  while (to - at < REACH && !isHard(pieces[to + 1])) to++;
  const parts = pieces.slice(from, to + 1);
  const verb = parts.findIndex(({ token }) => ASKED.test(token.norm));
  if (verb < 0 || verb > at - from || parts.slice(verb, at - from).some(({ token }) => token.norm === ","))
    return false;
  return parts.some(
    ({ token }, i) =>
      BEFORE_TODAY.test(token.norm) || (LAST.test(token.norm) && PERIOD.test(parts[i + 1]?.token.norm ?? "")),
  );
}
