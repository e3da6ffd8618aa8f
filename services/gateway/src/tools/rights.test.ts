import { beforeAll, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { closing, closingAtEnd } from "../../test/support/closing.ts";
import { text, type WildServer, type WildTool, wildServer } from "../../test/support/mcp.ts";
import { callerOf, judging, toolRoom } from "../../test/support/tool-room.ts";
import { until } from "../../test/support/until.ts";
import type { ActingCaller } from "../caller.ts";
import { ToolError } from "./index.ts";

const keep = closingAtEnd();
const use = closing();
const values = keep(judging());

const NAMES = ["list", "read", "write", "wipe"] as const;
let sql: WildServer;
let mail: WildServer;

beforeAll(async () => {
  let answers = 0;
  // Each answer is another one, so that a shared one is seen.
  const annotations = { readOnlyHint: true, idempotentHint: true };
  const counted = NAMES.map(
    (name): WildTool => ({ name, annotations, answer: () => text(`answer ${++answers}`) }),
  );
  sql = keep(await wildServer(counted));
  mail = keep(await wildServer(counted));
});

const servers = (more = {}) => ({ sql: { url: sql.url, ...more }, mail: { url: mail.url, ...more } });
const ALL = ["sql", "mail"].flatMap((server) => NAMES.map((name) => `${server}.${name}`));
const PATTERNS = ["*", "sql.*", "mail.*", "sql.r*", "s*", "policy_check", ...ALL];

const role = fc.record({
  tools: fc.subarray(PATTERNS, { maxLength: 3 }),
  rows: fc.dictionary(
    fc.constantFrom("region", "segment"),
    fc.uniqueArray(fc.constantFrom("eu", "us", "*"), { minLength: 1 }),
  ),
});
const declared = fc.record({ one: role, two: role, three: role });
const held = fc.subarray(["one", "two", "three", "nobody"]);

test("what is listed can be called, and nothing else can, whatever the roles", async () => {
  const room = use(toolRoom({ values, servers: servers() }));
  await room.servers.start();
  await fc.assert(
    fc.asyncProperty(declared, held, async (roles, names) => {
      const { call, tools } = room.under({ roles });
      const caller = callerOf(...names, "unknown");
      const called: string[] = [];
      for (const name of ALL) if (await isThere(call(name, {}, { caller }))) called.push(name);
      expect(tools.list(caller).map(({ name }) => name)).toEqual(called);
      expect(tools.listServers(caller).flatMap(({ tools }) => tools)).toEqual(called);
    }),
    { numRuns: 60 },
  );
});

async function isThere(called: Promise<unknown>): Promise<boolean> {
  try {
    await called;
    return true;
  } catch (error) {
    if (error instanceof ToolError && error.code === "unknown_tool") return false;
    throw error;
  }
}

test("a pattern has to name a tool or a server of the mesh", () => {
  const { under } = use(toolRoom({ values, servers: servers() }));
  const problemsOf = (...tools: string[]) => under({ roles: { one: { tools } } }).problems;
  expect(problemsOf("sql.*", "sql.query", "sql.q*", "s*", "policy_check", "*")).toEqual([]);
  expect(problemsOf("sq.*")).toEqual([expect.stringContaining('"sq.*" names nothing of this mesh')]);
});

describe("two callers", () => {
  const access = {
    roles: {
      eu: { tools: ["*"], rows: { region: ["eu"] } },
      us: { tools: ["*"], rows: { region: ["us"] } },
      both: { tools: ["*"], rows: { region: ["eu", "us"] } },
      all: { tools: ["*"] },
    },
  };
  const NAMED = [...Object.keys(access.roles), "unknown"];

  /** What a caller is answered; two answers are the same one only if the second came from the cache. */
  const answered = async (
    room: ReturnType<typeof toolRoom>,
    caller: ActingCaller,
    args = {},
    name = "sql.read",
  ) => JSON.stringify((await room.call(name, args, { caller })).result.content);

  test("of different rights never share an entry; those of the same do", async () => {
    const room = use(toolRoom({ values, servers: servers(), manifest: { access } }));
    await room.servers.start();
    const answers = new Map<string, string>();
    const callers = fc.record({
      tenant: fc.constantFrom("default", "other"),
      subject: fc.constantFrom("ann", "bob"),
      roles: fc.subarray(NAMED, { minLength: 1 }).filter((some) => some.some((name) => name !== "unknown")),
    });
    const args = fc.constantFrom({ a: 1, b: 2 }, { b: 2, a: 1 }, { a: 2 });
    await fc.assert(
      fc.asyncProperty(
        callers,
        args,
        fc.constantFrom("sql.read", "sql.list", "mail.read"),
        async (who, args, name) => {
          const known = who.roles.filter((role) => role !== "unknown").toSorted();
          const rights = JSON.stringify([who.tenant, known, name, Object.entries(args).sort()]);
          const answer = await answered(room, { issuer: "idp", ...who }, args, name);
          const others = [...answers].filter(([other]) => other !== rights).map(([, one]) => one);
          expect(others).not.toContain(answer);
          expect(answer).toBe(answers.get(rights) ?? answer);
          answers.set(rights, answer);
        },
      ),
      { numRuns: 150 },
    );
  });

  test("share none where the server is told who asks", async () => {
    const room = use(toolRoom({ values, servers: servers({ identity: "signed" }), manifest: { access } }));
    await room.servers.start();
    const [ann, bob] = [callerOf("all"), { ...callerOf("all"), subject: "bob" }];
    expect(await answered(room, ann)).toBe(await answered(room, ann));
    expect(await answered(room, ann)).not.toBe(await answered(room, bob));
    expect(await answered(room, ann)).not.toBe(await answered(room, { ...ann, roles: ["all", "unknown"] }));
  });
});

describe("the cache", () => {
  async function roomOf(tool: WildTool, rule = {}) {
    const wild = use(await wildServer([tool]));
    const looked: string[] = [];
    const room = use(
      toolRoom({
        values,
        servers: { wild: { url: wild.url, tools: { [tool.name]: rule } } },
        deps: { observer: { onCache: ({ outcome }) => looked.push(outcome) } },
      }),
    );
    await room.servers.start();
    return { wild, room, looked };
  }
  const READS = { readOnlyHint: true, idempotentHint: true };

  test.each<[what: string, annotations: object | undefined, rule: object, kept: boolean]>([
    ["says that it reads and is idempotent", READS, {}, true],
    ["says nothing", undefined, {}, false],
    ["says only that it reads", { readOnlyHint: true }, {}, false],
    ["acts, though the same twice", { idempotentHint: true }, {}, false],
    ["reads, as the manifest says", undefined, { reads: true, idempotent: true }, true],
    ["acts, as the manifest says", READS, { reads: false }, false],
    ["is not to be kept, as the manifest says", READS, { cache_s: 0 }, false],
  ])("of a tool that %s", async (_what, annotations, rule, kept) => {
    const { wild, room } = await roomOf({ name: "sum", ...(annotations ? { annotations } : {}) }, rule);
    await room.call("wild.sum");
    await room.call("wild.sum");
    expect(wild.seen).toHaveLength(kept ? 1 : 2);
  });

  test("makes one call of several at once, and forgets what a new definition makes old", async () => {
    const tool: WildTool = { name: "sum", annotations: READS };
    const { wild, room, looked } = await roomOf(tool);
    await Promise.all([room.call("wild.sum"), room.call("wild.sum")]);
    expect(wild.seen).toHaveLength(1);
    expect(looked.filter((outcome) => outcome === "miss")).toHaveLength(1);
    await room.call("wild.sum", {}, { maxAgeMs: 0 });
    expect(wild.seen).toHaveLength(2);
    tool.description = "Is another one.";
    wild.changed();
    await until(async () => {
      const { cache, tool: used } = await room.call("wild.sum");
      if (used.definition.description !== "Is another one.") return false;
      expect(cache).toBe("miss");
      return true;
    });
  });

  test("answers without a call that a limit would count", async () => {
    const wild = use(await wildServer([{ name: "sum", annotations: READS }]));
    const waits = [undefined, 250];
    const counted: string[] = [];
    const take = (_caller: ActingCaller, tool: string) => {
      counted.push(tool);
      return waits.shift();
    };
    const room = use(toolRoom({ values, servers: { wild: { url: wild.url } }, deps: { take } }));
    await room.servers.start();
    await room.call("wild.sum");
    await room.call("wild.sum");
    expect(counted).toEqual(["wild.sum"]);
    const refused = room.call("wild.sum", {}, { maxAgeMs: 0 });
    await expect(refused).rejects.toMatchObject({ code: "overloaded", retryable: true, retryMs: 250 });
    expect(wild.seen).toHaveLength(1);
  });

  test("keeps no failure", async () => {
    const { wild, room } = await roomOf({
      name: "sum",
      annotations: READS,
      answer: () => ({ ...text("no"), isError: true }),
    });
    await room.call("wild.sum");
    await room.call("wild.sum");
    expect(wild.seen).toHaveLength(2);
  });
});
