/** The JSON value of a text, or undefined: what is verified may have been tampered with. */
export function parseJson(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}

/** The JSON object of a text, or undefined. */
export function parseObject(text: string | null | undefined): Record<string, unknown> | undefined {
  const value = parseJson(text);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}
