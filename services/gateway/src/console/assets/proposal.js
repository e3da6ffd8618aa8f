/** A proposal as a table: where each value is, what it was before, what rule it breaks. Which members say so, the flow's edit rule says. */

/** @typedef {{keys: string[], set: string, schema?: any, arguments?: any}} EditRule */
/** @typedef {{id: string, place: Record<string, string>, value: unknown}} Row */

/** @param {unknown} value @returns {value is Record<string, any>} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Every value that the rule can set, in the order of the proposal.
 * @param {unknown} proposal @param {EditRule} rule @returns {Row[]}
 */
export function rowsOf(proposal, { keys, set, arguments: taken }) {
  if (taken) return argumentsOf(proposal, taken);
  /** @type {{place: Record<string, string>, at: any}[]} */
  let found = [{ place: {}, at: proposal }];
  for (const key of keys) {
    const [map, member] = key.split(".");
    found = found.flatMap(({ place, at }) => {
      if (member === undefined)
        return (Array.isArray(at) ? at : []).flatMap((one) =>
          isObject(one) ? [{ place: { ...place, [key]: String(one[key]) }, at: one }] : [],
        );
      const within = isObject(at) && isObject(at[map ?? ""]) ? at[map ?? ""] : {};
      return Object.entries(within).map(([name, one]) => ({ place: { ...place, [member]: name }, at: one }));
    });
  }
  return found.flatMap(({ place, at }) =>
    isObject(at) && Object.hasOwn(at, set)
      ? [{ id: JSON.stringify(Object.values(place)), place, value: at[set] }]
      : [],
  );
}

/** The arguments of a call, and those that it could have. @param {unknown} proposal @param {any} taken @returns {Row[]} */
function argumentsOf(proposal, taken) {
  const given = isObject(proposal) && isObject(proposal.arguments) ? proposal.arguments : {};
  const names = new Set([...Object.keys(given), ...Object.keys(taken.properties ?? {})]);
  return [...names].map((argument) => ({
    id: JSON.stringify([argument]),
    place: { argument },
    value: Object.hasOwn(given, argument) ? given[argument] : undefined,
  }));
}

/** Names of the columns that say where a value is. @param {EditRule} rule */
export const placeNames = ({ keys }) => keys.map((key) => key.split(".").at(-1) ?? key);

/**
 * What is said of a row in a list of findings, each with the members that name its place, or lists of them.
 * @param {unknown} findings @param {Row} row @returns {string[]}
 */
export function findingsOf(findings, { place }) {
  if (!Array.isArray(findings)) return [];
  return findings.flatMap((one) => {
    if (!isObject(one) || typeof one.message !== "string") return [];
    let names = false;
    for (const [name, value] of Object.entries(place)) {
      const said = one[name] ?? one[`${name}s`];
      if (said === undefined) continue;
      if (!(Array.isArray(said) ? said.includes(value) : said === value)) return [];
      names = true;
    }
    return names ? [one.message] : [];
  });
}

/** Whether a finding names a row of the table at all. @param {unknown} findings @param {Row[]} rows */
export function otherFindings(findings, rows) {
  if (!Array.isArray(findings)) return [];
  return findings.flatMap((one) =>
    typeof one?.message === "string" && !rows.some((row) => findingsOf([one], row).length > 0)
      ? [one.message]
      : [],
  );
}

/** The relative change between two numbers; undefined where there is none. @param {unknown} before @param {unknown} after */
export function changeOf(before, after) {
  if (typeof before !== "number" || typeof after !== "number" || before === 0) return undefined;
  return after / before - 1;
}

/**
 * The kind of field for the value that an edit sets.
 * @param {EditRule} rule @param {Row} row
 * @returns {{type: "number" | "text" | "json" | "checkbox" | "select", options?: unknown[], min?: number, max?: number}}
 */
export function fieldOf({ set, schema, arguments: taken }, { place, value }) {
  const one = taken?.properties?.[place.argument ?? ""] ?? schema?.items?.properties?.[set] ?? {};
  if (Array.isArray(one.enum)) return { type: "select", options: one.enum };
  if (one.type === "number" || one.type === "integer") {
    const { minimum: min = one.exclusiveMinimum, maximum: max = one.exclusiveMaximum } = one;
    return { type: "number", ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
  }
  if (one.type === "boolean") return { type: "checkbox" };
  const isText = one.type === "string" || (one.type === undefined && typeof value !== "object");
  return { type: taken && !isText ? "json" : "text" };
}
