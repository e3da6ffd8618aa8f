import { JsonText } from "../../json-text.ts";
import { findMembers, type Members } from "../json-members.ts";
import { inTurns } from "../turns.ts";

/** A shorter text is parsed in well under a millisecond. */
const PARSED_SIZE = 64 * 1024;

/** Cache of scanned texts; an entry lives as long as its text. */
const known = new WeakMap<JsonText, Promise<Members>>();

/** The texts of a large object's members, by name; none where it is no object. */
export async function membersOf(text: JsonText): Promise<ReadonlyMap<string, string>> {
  const { spans } = await lookThrough(text);
  return new Map(Array.from(spans, ([name, span]) => [name, text.text.slice(...span)]));
}

/** Elements of a large list, or members of a large object. */
export async function sizeOfText(text: JsonText): Promise<number> {
  const { spans, elements } = await lookThrough(text);
  return spans.size + elements;
}

/** The value, or its text where it is large. */
export function fromJson(json: string): unknown {
  return json.length > PARSED_SIZE && !json.startsWith('"') ? new JsonText(json) : JSON.parse(json);
}

function lookThrough(text: JsonText): Promise<Members> {
  const before = known.get(text);
  if (before) return before;
  const members = inTurns(findMembers(text.text));
  known.set(text, members);
  return members;
}
