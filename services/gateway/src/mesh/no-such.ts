import { nearest } from "@interlock/contracts";

const MOST_SHOWN = 12;

/** Says that nothing has a name, and which one may be meant, or which there are. */
export function noSuch(kind: string, name: string, known: Iterable<string>): string {
  const names = [...known];
  const meant = nearest(name, names);
  const missing = `there is no ${kind} "${name}"`;
  if (meant !== undefined) return `${missing}; did you mean "${meant}"?`;
  if (names.length === 0 || names.length > MOST_SHOWN) return missing;
  return `${missing}; there are: ${names.join(", ")}`;
}
