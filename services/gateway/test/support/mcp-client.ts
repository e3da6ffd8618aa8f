import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

export type McpEra = "2026-07-28" | "2025-11-25";
export type McpOptions = { capabilities?: object; fetch?: typeof fetch };

/** The protocol's own client, connected to a gateway in one version of the protocol. */
export async function mcpClient(
  url: string,
  headers: Record<string, string>,
  era: McpEra,
  { capabilities = {}, fetch }: McpOptions = {},
): Promise<Client> {
  const mode = era === "2026-07-28" ? "auto" : "legacy";
  const client = new Client(
    { name: "test", version: "1" },
    { versionNegotiation: { mode }, capabilities, inputRequired: { autoFulfill: false } },
  );
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers },
    ...(fetch ? { fetch } : {}),
  });
  await client.connect(transport);
  return client;
}
