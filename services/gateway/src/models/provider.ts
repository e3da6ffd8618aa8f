import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ModelProvider, ModelProviderKind, ModelSpec } from "../mesh/index.ts";
import type { Authorize, LibraryKind, Wire } from "./wire.ts";

/** Makes the library's model for one attempt: creating one is cheap, and its requests then belong to that attempt. */
export type MakeModel = (spec: ModelSpec, wire: Pick<Wire, "fetch">) => LanguageModelV4;

/** The libraries want a key; {@link authorizer} replaces the header that they make of it. */
const NO_KEY = "none";

/**
 * Loads the library of a kind of provider. A mesh without models loads none of them.
 * Azure's API is OpenAI's and Vertex' is Gemini's, so that they differ by address and header alone.
 */
export async function loadProvider(kind: LibraryKind): Promise<MakeModel> {
  switch (kind) {
    case "openai":
    case "azure": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return (spec, wire) => createOpenAI(common(spec, wire)).chat(spec.modelId);
    }
    case "anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return (spec, wire) => createAnthropic(common(spec, wire))(spec.modelId);
    }
    case "google":
    case "vertex": {
      const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
      return (spec, wire) => createGoogleGenerativeAI(common(spec, wire))(spec.modelId);
    }
    default:
      return kind satisfies never;
  }
}

/** Warms up a library with an empty answer: it builds its schemas at first use, which would hold the event loop during a request. */
export async function warmUp(make: MakeModel, spec: ModelSpec): Promise<void> {
  const answering = (type: string, body: string) =>
    make(spec, { fetch: async () => new Response(body, { headers: { "content-type": type } }) });
  const question = { prompt: [{ role: "user" as const, content: [{ type: "text" as const, text: "" }] }] };
  const streamed = async (): Promise<void> => {
    const { stream } = await answering("text/event-stream", "data: {}\n\n").doStream(question);
    const reader = stream.getReader();
    while (!(await reader.read()).done);
  };
  const whole = answering("application/json", "{}").doGenerate(question);
  // The empty answer is invalid on purpose: ignore the error.
  await Promise.allSettled([whole, streamed()]);
}

function common({ provider }: ModelSpec, { fetch }: Pick<Wire, "fetch">) {
  return { baseURL: provider.baseUrl, apiKey: NO_KEY, fetch };
}

/** The header in which each kind of provider expects its key. */
const KEY_HEADERS: Record<ModelProviderKind, (headers: Headers, key: string) => void> = {
  openai: bearer,
  openai_compatible: bearer,
  azure: (headers, key) => headers.set("api-key", key),
  anthropic: (headers, key) => headers.set("x-api-key", key),
  google: (headers, key) => headers.set("x-goog-api-key", key),
  vertex: (headers, key) => headers.set("x-goog-api-key", key),
};

function bearer(headers: Headers, key: string): void {
  headers.set("authorization", `Bearer ${key}`);
}

/**
 * @param key absent: requests carry none
 * @param token makes the access token of a service account, where the key is one
 */
export function authorizer(
  { kind }: ModelProvider,
  key: string | undefined,
  token: (() => Promise<string>) | undefined,
): Authorize {
  return async (headers) => {
    for (const name of ["authorization", "api-key", "x-api-key", "x-goog-api-key"]) headers.delete(name);
    if (token) bearer(headers, await token());
    else if (key !== undefined) KEY_HEADERS[kind](headers, key);
  };
}
