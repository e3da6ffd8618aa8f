import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";

/** Serves what `build` makes over HTTP, in the versions of the protocol that its own library speaks. */
async function serve(build: () => McpServer) {
  const handler = createMcpHandler(build);
  const serveNode = toNodeHandler(handler);
  const server = createServer(
    (req, res) => void serveNode(Object.assign(req, { method: req.method ?? "", url: req.url ?? "" }), res),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    handler,
    async stop() {
      await handler.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const STOCK: ReadonlyMap<string, number> = new Map([
  ["valve", 12],
  ["pump", 3],
]);

/** A server that reads: how much there is of an item. */
export async function stockServer() {
  let extended = false;
  const served = await serve(() => {
    const server = new McpServer(
      { name: "stock", version: "1.0.0" },
      { capabilities: { tools: { listChanged: true } } },
    );
    server.registerTool(
      "count",
      {
        description: "How much there is of an item.",
        inputSchema: fromJsonSchema<{ item: string }>({
          type: "object",
          properties: { item: { type: "string", minLength: 1 } },
          required: ["item"],
        }),
        outputSchema: fromJsonSchema({
          type: "object",
          properties: { count: { type: "integer" } },
          required: ["count"],
        }),
        annotations: { readOnlyHint: true, idempotentHint: true },
      },
      async ({ item }) => {
        const count = STOCK.get(item);
        if (count === undefined)
          return { content: [{ type: "text", text: "There is no such item." }], isError: true };
        return { content: [{ type: "text", text: String(count) }], structuredContent: { count } };
      },
    );
    if (extended)
      server.registerTool("items", { description: "All items." }, async () => ({
        content: [{ type: "text", text: [...STOCK.keys()].join(", ") }],
      }));
    return server;
  });
  return {
    ...served,
    /** Offers one tool more, and says so. */
    async extend() {
      extended = true;
      await served.handler.notify.toolsChanged();
    },
  };
}

/** A server that acts: orders items. */
export async function orderServer() {
  const orders: { item: string; amount: number }[] = [];
  const served = await serve(() => {
    const server = new McpServer({ name: "orders", version: "1.0.0" });
    server.registerTool(
      "place",
      {
        description: "Orders an item.",
        inputSchema: fromJsonSchema<{ item: string; amount: number }>({
          type: "object",
          properties: { item: { type: "string" }, amount: { type: "integer", minimum: 1 } },
          required: ["item", "amount"],
        }),
        annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
      },
      async (order, ctx) => {
        await ctx.mcpReq.notify({
          method: "notifications/progress",
          params: { progressToken: ctx.mcpReq._meta?.progressToken ?? 0, progress: 1, total: 1 },
        });
        orders.push(order);
        return { content: [{ type: "text", text: `Order ${orders.length}` }] };
      },
    );
    return server;
  });
  return { ...served, orders };
}
