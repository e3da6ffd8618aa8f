import type { ListResourcesResult, ReadResourceResult, Resource } from "@modelcontextprotocol/server";
import { ResourceNotFoundError } from "@modelcontextprotocol/server";
import type { Caller } from "../../caller.ts";
import { GatewayError } from "../../errors.ts";
import { decodeEnd } from "../../events/index.ts";
import { cursorText, query, runView } from "../../http/index.ts";
import type { RunRecord } from "../../runs/index.ts";
import type { McpDeps } from "./deps.ts";

const RUN = "interlock://runs/{run_id}";
const REPORT = `${RUN}/report`;
const URI = /^interlock:\/\/runs\/([A-Za-z0-9_-]{1,64})(\/report)?$/;
const PAGE = 50;

export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: RUN,
    name: "run",
    title: "Run",
    description: "What was asked, how it stands and what came of it.",
    mimeType: "application/json",
  },
  {
    uriTemplate: REPORT,
    name: "report",
    title: "Report",
    description: "The answer of a run that has ended.",
    mimeType: "text/markdown",
  },
];

/** The caller's runs, latest first, and the reports of those that have ended. */
export async function listResources(
  caller: Caller,
  cursor: string | undefined,
  { runs }: McpDeps,
): Promise<ListResourcesResult> {
  const before = cursor === undefined ? undefined : query.cursor(cursor, "cursor");
  const page = await runs.list(caller, { limit: PAGE, ...(before ? { before } : {}) });
  return {
    resources: page.runs.flatMap(resourcesOf),
    ...(page.next ? { nextCursor: cursorText(page.next) } : {}),
  };
}

function resourcesOf(record: RunRecord): Resource[] {
  const { id, order, state } = record;
  const uri = RUN.replace("{run_id}", id);
  const run = {
    uri,
    name: id,
    title: `Run: ${order.intent}`,
    description: state,
    mimeType: "application/json",
  };
  if (state !== "finished") return [run];
  const report = { uri: `${uri}/report`, name: `${id}-report`, title: `Report: ${order.intent}` };
  return [run, { ...report, mimeType: "text/markdown" }];
}

/** @throws ResourceNotFoundError: foreign and unknown ones look alike */
export async function readResource(
  caller: Caller,
  uri: string,
  { runs }: McpDeps,
): Promise<ReadResourceResult> {
  const [, id, report] = URI.exec(uri) ?? [];
  const record = id === undefined ? undefined : await runs.find(caller, id).catch(orNone);
  const text = record && (report ? reportOf(record) : JSON.stringify(runView(record)));
  if (text === undefined) throw new ResourceNotFoundError(uri, "Resource not found");
  return { contents: [{ uri, mimeType: report ? "text/markdown" : "application/json", text }] };
}

function reportOf({ state, terminal }: RunRecord): string | undefined {
  return state === "finished" && terminal !== undefined ? decodeEnd(terminal).data.message : undefined;
}

function orNone(error: unknown): undefined {
  if (error instanceof GatewayError && error.code === "not_found") return undefined;
  throw error;
}
