import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { DuckDBInstance, StatementType } from "@duckdb/node-api";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";

export type ToolServer = { url: string; stop(): Promise<void> };

type Content = { content: { type: "text"; text: string }[]; isError?: boolean; structuredContent?: object };

const said = (text: string, structuredContent?: object): Content => ({
  content: [{ type: "text", text }],
  ...(structuredContent ? { structuredContent } : {}),
});
const failed = (text: string): Content => ({ content: [{ type: "text", text }], isError: true });

async function serve(port: number, build: () => McpServer): Promise<ToolServer> {
  const handler = createMcpHandler(build);
  const answer = toNodeHandler(handler);
  const server = createServer(
    (req, res) => void answer(Object.assign(req, { method: req.method ?? "", url: req.url ?? "" }), res),
  );
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async stop() {
      await handler.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The weekly sales of stores that the pricing domain has as its sample. */
const SCANNER = fileURLToPath(new URL("../../services/pricing/data/sample_scanner.csv", import.meta.url));

const SALES = `
  CREATE TABLE scanner AS SELECT * REPLACE (CAST(price AS DECIMAL(12, 2)) AS price)
    FROM read_csv('${SCANNER.replaceAll("'", "''")}');
  CREATE TABLE accounts AS SELECT * FROM (VALUES ('Contoso', 10), ('Fabrikam', 4)) t(account, employees);
  CREATE TABLE sales AS SELECT * FROM (VALUES
    ('Contoso', 'Enterprise agreement', 3500000.00), ('Contoso', 'Support', 1500000.00), ('Fabrikam', 'Licences', 820000.00)
  ) t(account, opportunity, amount);
  SET enable_external_access = false;
  SET lock_configuration = true;
`;

const READS = { readOnlyHint: true, idempotentHint: true } as const;
const MOST_ROWS = 100;

/** Reads sales by SQL, and calculates. It counts what it is asked. */
export async function salesServer(port = 0) {
  const instance = await DuckDBInstance.create(":memory:");
  const database = await instance.connect();
  await database.run(SALES);
  database.closeSync();
  const asked: string[] = [];
  const served = await serve(port, () => {
    const server = new McpServer({ name: "sales", version: "1.0.0" });
    server.registerTool(
      "query",
      {
        description:
          "Runs one SELECT over sales(account, opportunity, amount), accounts(account, employees) and scanner(week, part, tier, region, price, quantity, promo).",
        inputSchema: textSchema("sql"),
        annotations: READS,
      },
      async ({ sql }: { sql: string }) => {
        asked.push(sql);
        return await rowsOf(instance, sql);
      },
    );
    server.registerTool(
      "calculate",
      {
        description: "Calculates with numbers, + - * / and brackets.",
        inputSchema: textSchema("expression"),
        annotations: READS,
      },
      async ({ expression }: { expression: string }) => {
        asked.push(expression);
        if (!/^[\d\s.+\-*/()]{1,200}$/.test(expression)) return failed("This is not a calculation.");
        const read = await rowsOf(instance, `SELECT CAST((${expression}) AS DOUBLE) AS result`);
        if (read.isError) return read;
        const [row] = Object(read.structuredContent).rows as { result: number }[];
        return said(`${row?.result}`, { result: row?.result });
      },
    );
    return server;
  });
  return {
    ...served,
    asked,
    async stop() {
      await served.stop();
      instance.closeSync();
    },
  };
}

function textSchema<Name extends string>(name: Name) {
  return fromJsonSchema<Record<Name, string>>({
    type: "object",
    properties: { [name]: { type: "string", minLength: 1, maxLength: 2_000 } },
    required: [name],
    additionalProperties: false,
  });
}

/** Nothing but one SELECT is run. */
async function rowsOf(instance: DuckDBInstance, sql: string): Promise<Content> {
  const database = await instance.connect();
  try {
    const statements = await database.extractStatements(sql);
    if (statements.count !== 1) return failed("One statement, please.");
    const statement = await statements.prepare(0);
    if (statement.statementType !== StatementType.SELECT) return failed("Only SELECT is run here.");
    const reader = await statement.runAndReadUntil(MOST_ROWS);
    const rows = reader.getRowObjectsJson().slice(0, MOST_ROWS);
    // Decimals come as text.
    const plain = rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, numberOf(value)])),
    );
    const read = { rows: plain, row_count: plain.length };
    return said(JSON.stringify(read), read);
  } catch (error) {
    return failed(Error.isError(error) ? `${error.message.split("\n")[0]}` : "The query failed.");
  } finally {
    database.closeSync();
  }
}

function numberOf(value: unknown): unknown {
  return typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}

export type Mail = { to: string; text: string; key: string | undefined };

/** Sends mail, so to speak: it keeps what it was to send, and knows a call that is made again by its key. */
export async function mailServer(port = 0) {
  const sent: Mail[] = [];
  const served = await serve(port, () => {
    const server = new McpServer({ name: "mail", version: "1.0.0" });
    server.registerTool(
      "send",
      {
        description: "Sends a mail.",
        inputSchema: fromJsonSchema<{ to: string; text: string }>({
          type: "object",
          properties: {
            to: { type: "string", pattern: "^[^@ ]+@[^@ ]+$" },
            text: { type: "string", minLength: 1 },
          },
          required: ["to", "text"],
          additionalProperties: false,
        }),
        annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
      },
      async (mail, { mcpReq }) => {
        const key = mcpReq._meta?.["interlock/idempotency-key"];
        const known = typeof key === "string" ? key : undefined;
        if (known === undefined || !sent.some((one) => one.key === known)) sent.push({ ...mail, key: known });
        return said("Sent.", { sent: sent.length });
      },
    );
    return server;
  });
  return { ...served, sent };
}
