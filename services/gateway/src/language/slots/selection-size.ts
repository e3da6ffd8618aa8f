import { MOST_SELECTED } from "@interlock/understanding";

/** Characters of them, with the marks around each. */
const MOST_CHARACTERS = 200_000;
const MARKS_AROUND = 3;

/** Whether a selection is small enough to be kept and gone on with. It looks at no more than it may be. */
export function isSelectable(ids: Iterable<string>): boolean {
  let [count, characters] = [0, 0];
  for (const id of ids) {
    count += 1;
    characters += id.length + MARKS_AROUND;
    if (count > MOST_SELECTED || characters > MOST_CHARACTERS) return false;
  }
  return true;
}
