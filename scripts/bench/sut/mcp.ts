/** An MCP server with one tool that reads, as a process of its own. Says its URL on a line. */
import { once } from "node:events";
import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";

const serveNode = toNodeHandler(
  createMcpHandler(() => {
    const server = new McpServer({ name: "stock", version: "1.0.0" });
    server.registerTool(
      "count",
      {
        description: "How much there is of an item.",
        inputSchema: fromJsonSchema<{ item: string }>({
          type: "object",
          properties: { item: { type: "string", minLength: 1 } },
          required: ["item"],
        }),
        outputSchema: fromJsonSchema({ type: "object", required: ["count"] }),
        annotations: { readOnlyHint: true, idempotentHint: true },
      },
      async ({ item }) => ({
        content: [{ type: "text", text: item }],
        structuredContent: { count: item.length },
      }),
    );
    return server;
  }),
);
const server = createServer(
  (req, res) => void serveNode(Object.assign(req, { method: req.method ?? "", url: req.url ?? "" }), res),
);
server.listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
process.stdout.write(`http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/mcp\n`);
