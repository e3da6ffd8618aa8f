import { type McpEra, mcpClient } from "./mcp-client.ts";
import type { Peer, PeerAsk } from "./openai-peers.ts";

/** A call whose stream is cut is over for the library when this has passed without a word. */
const TIMEOUT_MS = 15_000;

const mcp = (era: McpEra): Peer => ({
  name: `MCP, ${era}`,
  // The call is refused in its result, which has no status.
  refusal: (_status, code) => ({ code }),
  ask: (asked) => call(asked, era),
  stream: (asked, onBegun) => call(asked, era, () => onBegun?.()),
});

async function call(
  { url, message, headers, service, session, signal }: PeerAsk,
  era: McpEra,
  onprogress?: () => void,
): Promise<string> {
  const { "idempotency-key": key, ...others } = headers;
  const client = await mcpClient(url, others, era);
  try {
    const result = await client.callTool(
      {
        name: service === undefined ? "ask" : `ask_${service}`,
        arguments: { message, session_id: session },
        ...(key === undefined ? {} : { _meta: { "interlock/idempotency-key": key } }),
      },
      {
        timeout: TIMEOUT_MS,
        resetTimeoutOnProgress: true,
        ...(onprogress ? { onprogress } : {}),
        ...(signal ? { signal } : {}),
      },
    );
    const [first] = result.content;
    const text = first?.type === "text" ? first.text : "";
    if (result.isError) throw Object.assign(new Error(text), { data: result._meta?.["interlock/error"] });
    return text;
  } finally {
    await client.close();
  }
}

export const MCP_PEERS: readonly Peer[] = [mcp("2026-07-28"), mcp("2025-11-25")];
