import * as client from "@kubernetes/client-node";
import type { Resource } from "./rules.ts";

type Typed = { getAttributeTypeMap(): { name: string; baseName: string; type: string }[] };

const TYPES: Readonly<Record<string, unknown>> = { ...client };

function isTyped(type: unknown): type is Typed {
  return typeof type === "function" && "getAttributeTypeMap" in type;
}

/** Kinds that are no part of Kubernetes: the library does not know them. */
const FOREIGN = ["gateway.networking.k8s.io/v1"];

/** @returns the fields of a resource that its kind does not have, or that have another type */
export function unknownFields(resource: Resource): string[] {
  const { apiVersion, kind } = resource;
  if (FOREIGN.includes(apiVersion)) return [];
  const version = apiVersion.split("/").at(-1) ?? "";
  const name = `${version[0]?.toUpperCase()}${version.slice(1)}${kind}`;
  return isTyped(TYPES[name]) ? walk(resource, name, kind) : [`${apiVersion} has no ${kind}`];
}

function walk(value: unknown, type: string, at: string): string[] {
  const list = /^Array<(.+)>$/.exec(type)?.[1];
  if (list !== undefined)
    return Array.isArray(value)
      ? value.flatMap((one, index) => walk(one, list, `${at}[${index}]`))
      : [`${at} is no list`];
  const map = /^\{ \[key: string\]: (.+); \}$/.exec(type)?.[1];
  if (map !== undefined)
    return isObject(value)
      ? Object.entries(value).flatMap(([key, one]) => walk(one, map, `${at}.${key}`))
      : [`${at} is no object`];
  const known = TYPES[type];
  if (isTyped(known)) {
    if (!isObject(value)) return [`${at} is no object`];
    const fields = new Map(known.getAttributeTypeMap().map((field) => [field.baseName, field.type]));
    return Object.entries(value).flatMap(([key, one]) => {
      const wanted = fields.get(key);
      return wanted === undefined ? [`${at}.${key} is unknown`] : walk(one, wanted, `${at}.${key}`);
    });
  }
  const isRight = { string: "string", number: "number", boolean: "boolean" }[type] ?? typeof value;
  // A port is a number or a name.
  return typeof value === isRight ? [] : [`${at} is no ${type}`];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
