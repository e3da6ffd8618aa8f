import { gatewayContract, type TableReading } from "@interlock/contracts";
import type { Caller } from "../../caller.ts";
import { mayUse } from "../../conversation/index.ts";
import { GatewayError } from "../../errors.ts";
import type { Access } from "../../identity/index.ts";
import { inTurns, type Mesh, readTable } from "../../mesh/index.ts";
import type { Runs } from "../../runs/index.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { sendJson } from "../respond.ts";

export type TableEndpointsDeps = { access: Access; mesh: Mesh; runs: Runs };

/** Its answer is written in one piece, which must not take long. */
const MOST_LINES = 20_000;

/** Reads a table of the caller's as inputs, like one that the manifest names. */
export function tableEndpoints({ access, mesh, runs }: TableEndpointsDeps): Endpoint[] {
  const flowsFor = (caller: Caller): string[] => {
    const used = [...mesh.services.values()].flatMap((service) =>
      service.target.kind === "flow" && mayUse(caller, service, { access, runs }) ? service.target.flow : [],
    );
    return [...new Set(used)].filter((name) => mesh.flows.get(name)?.table !== undefined);
  };
  return [
    endpoint({
      method: "POST",
      path: "/api/v1/tables",
      body: gatewayContract.tableRequest,
      async handler({ res, caller, body: { csv, name = "table.csv", flow, columns = {} } }) {
        if (csv.split("\n", MOST_LINES + 1).length > MOST_LINES)
          throw new GatewayError("invalid_request", `The table has more than ${MOST_LINES} lines.`);
        const flows = flowsFor(caller);
        if (flows.length === 0)
          throw new GatewayError("forbidden", "No flow that you may use takes a table.");
        if (flow !== undefined && !flows.includes(flow))
          throw new GatewayError("invalid_request", "No flow of this name that you may use takes a table.");
        const readings: TableReading[] = [];
        for (const one of flow === undefined ? flows : [flow]) {
          const table = mesh.flows.get(one)?.table ?? {};
          const said = { ...table, columns: { ...table.columns, ...columns } };
          const reading = await inTurns(readTable(csv, name, said));
          const fields = Object.entries(table.fields ?? {}).map(([field, { needed = false }]) => ({
            field,
            needed,
          }));
          readings.push({ flow: one, flows, fields, ...reading });
        }
        sendJson(
          res,
          readings.reduce((best, one) => (problemsOf(one) < problemsOf(best) ? one : best)),
        );
      },
    }),
  ];
}

const problemsOf = ({ problems = [] }: TableReading): number => problems.length;
