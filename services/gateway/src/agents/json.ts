import { readJson } from "@interlock/contracts";
import type { LargeValues } from "../mesh/index.ts";
import { Defect, type DefectReason } from "./defect.ts";

export type JsonObject = Record<string, unknown>;

/** No real answer nests deeper, and recursive code is still far from a stack overflow. */
const MAX_DEPTH = 512;

const REASONS = {
  not_utf8: "invalid_utf8",
  not_json: "bad_json",
  too_deep: "too_deep",
  not_an_object: "not_an_object",
} as const satisfies Record<string, DefectReason>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @throws Defect `invalid_utf8`, `bad_json`, `too_deep` */
export function parse(json: string | Buffer): unknown {
  const read = readJson(json, { maxDepth: MAX_DEPTH });
  if (!read.ok) throw new Defect(REASONS[read.problem]);
  return read.value;
}

/** @throws Defect as {@link parse} does, and `not_an_object` */
export function parseObject(json: string | Buffer): JsonObject {
  return asObject(parse(json));
}

/** A longer text is read outside of the event loop. */
const LARGE = 1024 * 1024;

/** Reads large JSON objects outside of the event loop. */
export type LargeReader = Pick<LargeValues, "readObject">;

/**
 * Like {@link parseObject}; the outputs of a large text stay text.
 * @param reader without one every text is read here
 */
export function parseAnswer(
  json: string | Buffer,
  reader: LargeReader | undefined,
): JsonObject | Promise<JsonObject> {
  return reader === undefined || json.length <= LARGE ? parseObject(json) : parseLarge(json, reader);
}

async function parseLarge(json: string | Buffer, reader: LargeReader): Promise<JsonObject> {
  const read = await reader.readObject(json, ["outputs", "data"], MAX_DEPTH);
  if (!read.ok) throw new Defect(REASONS[read.problem]);
  return read.object;
}

/** @throws Defect `not_an_object` */
export function asObject(value: unknown): JsonObject {
  if (!isObject(value)) throw new Defect("not_an_object");
  return value;
}
