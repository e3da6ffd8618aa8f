import { ToolError, type ToolErrorCode } from "./tool-error.ts";

/** A piece of a result. `data` and `blob` are Base64. */
export type ToolContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image" | "audio"; readonly mimeType: string; readonly data: string }
  | ResourceContent
  | {
      readonly type: "link";
      readonly uri: string;
      readonly name: string;
      /** Why what it leads to does not follow it. */
      readonly unread?: ToolErrorCode;
    };

export type ResourceContent = {
  readonly type: "resource";
  readonly uri: string;
  readonly mimeType: string;
  readonly text?: string;
  readonly blob?: string;
};

/** What a tool came to. */
export type ToolResult = {
  readonly content: readonly ToolContent[];
  /** What the tool's output schema describes, where it has one. */
  readonly structured?: unknown;
  /** The tool says that it failed; the content says why. */
  readonly isError: boolean;
};

/** A resource, as the protocol's library has it. */
export type RawResource = { uri: string; mimeType?: string | undefined; text?: string; blob?: string };

/** The parts of a result, as the protocol's library has them. */
type RawContent =
  | { type: "text"; text: string }
  | { type: "image" | "audio"; mimeType: string; data: string }
  | { type: "resource"; resource: RawResource }
  | { type: "resource_link"; uri: string; name: string };

export type RawResult = {
  content: readonly RawContent[];
  structuredContent?: unknown;
  isError?: boolean | undefined;
};

/** @throws ToolError invalid_result, for content of a type that is not allowed */
export function readResult(
  { content, structuredContent, isError = false }: RawResult,
  allowed: readonly string[],
): ToolResult {
  return {
    content: content.map((one) => readContent(one, allowed)),
    ...(structuredContent === undefined ? {} : { structured: structuredContent }),
    isError,
  };
}

function readContent(raw: RawContent, allowed: readonly string[]): ToolContent {
  switch (raw.type) {
    case "text":
      return { type: "text", text: raw.text };
    case "image":
    case "audio": {
      const { type, mimeType, data } = raw;
      refuseUnless(allowed, mimeType);
      return { type, mimeType, data };
    }
    case "resource":
      return readResource(raw.resource, allowed);
    case "resource_link":
      return { type: "link", uri: raw.uri, name: raw.name };
    default:
      return raw satisfies never;
  }
}

/** @throws ToolError invalid_result, for a type that is not allowed */
export function readResource(
  { uri, text, blob, mimeType = text === undefined ? "application/octet-stream" : "text/plain" }: RawResource,
  allowed: readonly string[],
): ResourceContent {
  refuseUnless(allowed, mimeType);
  return {
    ...{ type: "resource", uri, mimeType },
    ...(text === undefined ? {} : { text }),
    ...(blob === undefined ? {} : { blob }),
  };
}

function refuseUnless(allowed: readonly string[], mimeType: string): void {
  const [type = ""] = mimeType.toLowerCase().split(";");
  const fits = allowed.some((one) =>
    one.endsWith("/*") ? type.startsWith(one.slice(0, -1)) : type.trim() === one,
  );
  if (!fits) throw new ToolError("invalid_result", "it has content of a type that is not allowed");
}
