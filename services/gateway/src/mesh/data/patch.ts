/** How edits change a proposal: where each is made, and which member it sets there. */
export type PatchRule = {
  /** `item_id`: the element of a list that has the edit's; `tiers.tier`: the member of the map `tiers` called like the edit's `tier`. */
  readonly keys: readonly string[];
  readonly set: string;
};

type Plain = Record<string, unknown>;

/**
 * A proposal with edits made to it; the proposal itself stays.
 * @returns undefined where an edit cannot be made: its place is not there, or it has a member that the rule does not know
 */
export function patched(proposal: unknown, edits: unknown, { keys, set }: PatchRule): unknown {
  if (!Array.isArray(edits)) return undefined;
  const whole = structuredClone(proposal);
  const finders = keys.map(finderOf);
  const known = new Set([...finders.map(({ member }) => member), set]);
  for (const edit of edits) {
    if (!isPlain(edit) || !Object.hasOwn(edit, set) || Object.keys(edit).some((name) => !known.has(name)))
      return undefined;
    const place = finders.reduce<unknown>((value, { find, member }) => find(value, edit[member]), whole);
    if (!isPlain(place) || !Object.hasOwn(place, set)) return undefined;
    place[set] = edit[set];
  }
  return whole;
}

type Finder = { member: string; find: (value: unknown, name: unknown) => unknown };

function finderOf(key: string): Finder {
  const [map, member] = key.split(".");
  if (member === undefined) return { member: key, find: elementFinder(key) };
  return {
    member,
    find: (value, name) => ownMember(map === undefined ? value : ownMember(value, map), name),
  };
}

/** Finds elements of one list by a member; the list is looked through once for all edits. */
function elementFinder(member: string): Finder["find"] {
  const indexes = new WeakMap<object, Map<unknown, unknown>>();
  return (list, name) => {
    if (!Array.isArray(list)) return undefined;
    const index = indexes.get(list) ?? new Map(list.map((one) => [ownMember(one, member), one]));
    indexes.set(list, index);
    return index.get(name);
  };
}

function ownMember(value: unknown, name: unknown): unknown {
  return isPlain(value) && typeof name === "string" && Object.hasOwn(value, name) ? value[name] : undefined;
}

function isPlain(value: unknown): value is Plain {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
