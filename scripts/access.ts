/**
 * `npm run -s access -- --role analyst [--file mesh.yaml]`: prints what a role may do in a mesh, and which role and line of the manifest
 * grants it. Exit code 1 where there is no such role.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { LineCounter, parseDocument } from "yaml";
import { compileAccess, type RoleTable } from "../services/gateway/src/identity/index.ts";
import { loadMesh, MeshError } from "../services/gateway/src/mesh/index.ts";
import { fail, say } from "./cli/src/console.ts";

/** A line of the table. */
type Row = { may: string; what: string; role: string; rule: string; place: string };

const MAY = {
  agents: "ask agents",
  tasks: "ask for tasks",
  flows: "start flows",
  goals: "ask for goals",
  services: "use services",
  tools: "use tools",
  models: "choose models",
  books: "read books",
  "approvals.view": "read approvals",
  "approvals.decide": "decide approvals",
} as const;

const SCOPES = {
  own: "own sessions and runs",
  tenant: "all sessions and runs of the tenant",
} as const;

/** Where the manifest says something, as `mesh.yaml:12`. */
function placesIn(file: string): (path: readonly (string | number)[]) => string {
  const lines = new LineCounter();
  const document = parseDocument(readFileSync(file, "utf8"), { lineCounter: lines });
  return (path) => {
    const node = document.getIn(path, true);
    const range = typeof node === "object" && node !== null && "range" in node ? node.range : undefined;
    return Array.isArray(range) ? `${file}:${lines.linePos(Number(range[0])).line}` : file;
  };
}

function rowsOf(table: RoleTable, asked: string, placeOf: ReturnType<typeof placesIn>): Row[] {
  const place = (role: string, path: readonly (string | number)[]) =>
    table.isShipped(role) ? "built in" : placeOf(["access", "roles", role, ...path]);
  const named = table.granted(asked).map(({ grant, pattern, index, role, names }) => ({
    may: MAY[grant],
    what: names.join(", ") || "none that this mesh has",
    role,
    rule: `${grant}: ${pattern}`,
    place: place(role, [...grant.split("."), index]),
  }));
  const others = table.lineageOf(asked).flatMap((role): Row[] => {
    const { sessions, admin, rows = {} } = table.spec(role) ?? {};
    const row = (may: string, what: string, rule: string, path: string[]) => ({
      ...{ may, what, role, rule },
      place: place(role, path),
    });
    return [
      ...(sessions ? [row("read, cancel", SCOPES[sessions], `sessions: ${sessions}`, ["sessions"])] : []),
      ...(admin ? [row("do", "everything in the tenant", "admin: true", ["admin"])] : []),
      ...Object.entries(rows).map(([field, values]) =>
        row("see rows only with", `${field}: ${values.join(", ")}`, `rows: ${field}`, ["rows", field]),
      ),
    ];
  });
  return [...named, ...others];
}

function print(rows: readonly Row[]): void {
  const shown = [{ may: "may", what: "what", role: "role", rule: "rule", place: "where" }, ...rows];
  const width = (member: "may" | "role" | "rule" | "place") =>
    Math.max(...shown.map((row) => row[member].length));
  const [may, role, rule, place] = [width("may"), width("role"), width("rule"), width("place")];
  // The names come last: there may be many.
  for (const row of shown) {
    const cells = [
      row.may.padEnd(may),
      row.role.padEnd(role),
      row.rule.padEnd(rule),
      row.place.padEnd(place),
    ];
    say([...cells, row.what].join("  "));
  }
}

function main(): void {
  const { values } = parseArgs({ options: { role: { type: "string" }, file: { type: "string" } } });
  const file = values.file ?? (process.env.MESH_FILE || "mesh.yaml");
  const mesh = loadMesh(file, process.env);
  const { table, problems } = compileAccess(mesh);
  if (problems.length > 0) throw new MeshError(file, problems);
  const known = `The roles of ${file} are: ${table.names.join(", ")}.`;
  if (values.role === undefined) throw new Error(`--role ROLE is needed. ${known}`);
  if (table.spec(values.role) === undefined) throw new Error(`There is no role "${values.role}". ${known}`);
  const [, ...inherited] = table.lineageOf(values.role);
  say(inherited.length > 0 ? `${values.role} is also ${inherited.join(", ")}.\n` : `${values.role}\n`);
  const rows = rowsOf(table, values.role, placesIn(file));
  if (rows.length > 0) print(rows);
  else say("It may do nothing.");
}

try {
  main();
} catch (error) {
  fail(error);
}
