import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { root } from "../lib/paths.ts";
import { answerTo } from "./answer.ts";
import { judgePrices, judgeRecorded } from "./approval.ts";
import { confirmation } from "./confirm.ts";
import { readDomain } from "./domain.ts";
import { figuresOf } from "./figures.ts";
import { Meaning } from "./meaning.ts";
import { mentions, names } from "./named.ts";
import { Recorder } from "./recorder.ts";
import type { Reply } from "./reply.ts";
import {
  type Constraint,
  type Conversation,
  catalogueOf,
  labelProblems,
  readSet,
  type Wants,
} from "./set.ts";
import { judge } from "./verdict.ts";

/** The judge is proven on gateways that drop, apply wrongly, name, ask and fail: each gets its verdict. */
const domain = readDomain("pricing");
const meaning = new Meaning(domain);

const VALVE: Constraint = { slot: "items", op: "only", value: ["VALVE-V7"] };
const most = (value: number, more: object = {}): Constraint => ({
  ...{ slot: "max_change_pct", op: "set", value, unit: "share", direction: "most" },
  ...more,
});
const WANTS: Wants = { task: "optimizer", constraints: [VALVE, most(0.05)] };

const TASKS: Readonly<Record<string, string>> = {
  optimizer: "PRICE_OPTIMIZATION",
  policy: "POLICY_CHECK",
  transfer: "TRANSFER_TURN",
  check: "ORDER_CHECK",
};
/** What a gateway answers that had agents do tasks under constraints. */
const did = (
  tasks: readonly string[],
  constraints: readonly Constraint[],
  more: Partial<Reply> = {},
): Reply => ({
  ...{ status: 200, message: "Done.", buttons: [], reused: [] },
  requests: tasks.map((task) => ({ run: "run", task: TASKS[task] ?? task, inputs: { constraints } })),
  ...more,
});
const said = (message: string, buttons: readonly string[] = []): Reply => did([], [], { message, buttons });

const verdictOn = (wants: Wants, ...replies: [Reply, Reply?]) =>
  judge(wants, replies, {
    ...{ domain, meaning, language: "en" },
    judgeApproval: (payload, wanted) => judgePrices(payload, wanted, domain.catalogue),
  });

describe("a turn with constraints", () => {
  test.each<[string, string, Wants, [Reply, Reply?]]>([
    ["right", "applies all", WANTS, [did(["optimizer"], [most(0.05), VALVE])]],
    ["dropped", "drops one in silence", WANTS, [did(["optimizer"], [VALVE])]],
    ["wrong", "applies another value", WANTS, [did(["optimizer"], [VALVE, most(0.5)])]],
    [
      "wrong",
      "applies another direction",
      WANTS,
      [did(["optimizer"], [VALVE, most(0.05, { direction: "up" })])],
    ],
    [
      "wrong",
      "applies it to a part",
      WANTS,
      [did(["optimizer"], [VALVE, most(0.05, { scope: { tiers: ["new"] } })])],
    ],
    [
      "wrong",
      "applies more",
      WANTS,
      [did(["optimizer"], [VALVE, most(0.05), { slot: "top", op: "set", value: 3 }])],
    ],
    [
      "named",
      "names what it could apply",
      WANTS,
      [did(["optimizer"], [VALVE], { message: "Not applied: “at most 5 % change”." })],
    ],
    [
      "dropped",
      "names something else",
      WANTS,
      [did(["optimizer"], [VALVE], { message: "Not applied: “before Friday”." })],
    ],
    [
      "asked",
      "asks and is right then",
      WANTS,
      [said("Which?", ["5 %", "10 %"]), did(["optimizer"], [VALVE, most(0.05)])],
    ],
    [
      "wrong",
      "asks and is wrong then",
      WANTS,
      [said("Which?", ["5 %", "10 %"]), did(["optimizer"], [VALVE, most(0.1)])],
    ],
    ["undone", "does nothing", WANTS, [said("I can propose prices.")]],
    ["failed", "fails", WANTS, [did([], [], { status: 500, code: "internal" })]],
    [
      "wrong",
      "gives two agents different things",
      WANTS,
      [
        {
          ...did(["optimizer"], [VALVE, most(0.05)]),
          requests: [
            ...did(["optimizer"], [VALVE, most(0.05)]).requests,
            ...did(["policy"], [VALVE, most(0.1)]).requests,
          ],
        },
      ],
    ],
    [
      "right",
      "names what nothing takes",
      { task: "optimizer", named: ["volume above 900 units"] },
      [did(["optimizer"], [], { message: "Your inputs. Not applied: “keep the volume above 900 units”." })],
    ],
    [
      "dropped",
      "does not name what nothing takes",
      { task: "optimizer", named: ["volume above 900 units"] },
      [did(["optimizer"], [])],
    ],
    [
      "dropped",
      "names it with another number",
      { task: "optimizer", named: ["volume above 900 units"] },
      [did(["optimizer"], [], { message: "Not applied: “volume above 90 units”." })],
    ],
    [
      "right",
      "has or has not what is optional",
      { task: "policy", constraints: [{ slot: "only_violating", op: "set", value: true, optional: true }] },
      [did(["policy"], [])],
    ],
    [
      "right",
      "uses what was done before",
      WANTS,
      [did([], [], { reused: did(["optimizer"], [VALVE, most(0.05)]).requests })],
    ],
  ])("%s: a gateway that %s", (verdict, _what, wants, replies) => {
    expect(verdictOn(wants, ...replies).verdict).toBe(verdict);
  });

  test("that is wrong in one thing and dropped in another is told of both", () => {
    const found = verdictOn(WANTS, did(["optimizer"], [most(0.5)]));
    expect(found).toMatchObject({ verdict: "wrong", dropped: [VALVE], wrong: [most(0.5)] });
  });

  test("that names what it has applied is told so", () => {
    const message = "For VALVE-V7. Not applied: “5 %”.";
    expect(verdictOn(WANTS, did(["optimizer"], [VALVE, most(0.05)], { message })).namedTooMuch).toBe(true);
    expect(verdictOn(WANTS, did(["optimizer"], [VALVE, most(0.05)])).namedTooMuch).toBe(false);
  });
});

describe("what is named as not applied", () => {
  test.each<[boolean, string, string, Constraint]>([
    [true, "by its amount", "“no more than 5%”", most(0.05)],
    [true, "in words without digits", "“five percent of change”", most(0.05)],
    [false, "with another amount", "“no change of 7%”", most(0.05)],
    [true, "by its value", "“only the valve-v7”", VALVE],
    [true, "by another word for its value", "“in europe”", { slot: "region", op: "only", value: ["EMEA"] }],
    [false, "with a word for its slot alone", "“no item before noon”", VALVE],
    [true, "by a word that leads to it", "“violating”", { slot: "only_violating", op: "set", value: true }],
  ])("%s: a constraint %s", (isNamed, _what, text, constraint) => {
    expect(mentions(text, constraint, domain)).toBe(isNamed);
  });

  test.each([
    [true, "keep the volume above 900 units", "volume above 900 units"],
    [true, "경쟁사 가격보다 낮게", "경쟁사 가격보다"],
    [false, "keep the volume above 90 units", "volume above 900 units"],
    [false, "volume", "ship before the holidays"],
  ])("%s: “%s” for the phrase “%s”", (isNamed, text, phrase) => {
    expect(names(text, phrase)).toBe(isNamed);
  });
});

describe("a task", () => {
  const optimized = did(["optimizer"], []);
  test.each<[boolean, string, Wants["task"], Reply]>([
    [true, "that was done", "optimizer", optimized],
    [false, "another than the one that was done", "policy", optimized],
    [false, "one of two", ["optimizer", "sensitivity"], optimized],
    [true, "done with what makes the proposal", "optimizer", did(["optimizer", "policy"], [])],
    [false, "done with something that nobody asked for", "optimizer", did(["optimizer", "EXPLANATION"], [])],
    [false, "that was to be published, and waits for nobody", "publish", did(["optimizer", "policy"], [])],
    [false, "that nobody wanted to have published", "optimizer", did(["optimizer"], [], { approval: [] })],
  ])("is right: %s, for one %s", (isRight, _what, task, reply) => {
    expect(verdictOn({ task }, reply).taskIsRight).toBe(isRight);
  });

  test.each<[string, Reply, { ran: boolean; told: boolean }]>([
    ["runs a task", did(["transfer"], []), { ran: true, told: false }],
    ["says what it can do", said("I can propose prices, and no more."), { ran: false, told: true }],
    ["says nothing of the kind", said("Undone."), { ran: false, told: false }],
  ])("that is none, for a gateway that %s", (_what, reply, outOfScope) => {
    const found = verdictOn({ task: "none" }, reply);
    expect(found).toMatchObject({ outOfScope, taskIsRight: outOfScope.told });
  });

  test("that is to be asked about is right where it is asked about", () => {
    expect(verdictOn({ task: "ask" }, said("Which one?", ["A", "B"]))).toMatchObject({ verdict: "right" });
    expect(verdictOn({ task: "ask" }, optimized)).toMatchObject({ verdict: "wrong", taskIsRight: false });
  });
});

describe("constraints mean the same", () => {
  const items = Object(domain.catalogue).items as { item_id: string }[];
  const others = items.map(({ item_id }) => item_id).filter((id) => id !== "VALVE-V7");
  const EXCEPT: Constraint = { slot: "items", op: "except", value: ["VALVE-V7"] };
  test.each<[string, boolean, Constraint[], Constraint[]]>([
    ["except one and only the others", true, [EXCEPT], [{ slot: "items", op: "only", value: others }]],
    ["freeze and except", true, [EXCEPT], [{ ...EXCEPT, op: "freeze" }]],
    ["except one and only that one", false, [EXCEPT], [VALVE]],
    [
      "the whole catalogue and nothing",
      true,
      [],
      [{ slot: "items", op: "only", value: [...others, "VALVE-V7"] }],
    ],
    [
      "one value and a list of one",
      true,
      [{ slot: "region", op: "only", value: ["EMEA"] }],
      [{ slot: "region", op: "set", value: "EMEA" }],
    ],
    [
      "a scope that is all that is selected",
      true,
      [VALVE, most(0.05)],
      [VALVE, most(0.05, { scope: { items: ["VALVE-V7"] } })],
    ],
    ["a scope and a selection", false, [VALVE, most(0.05)], [most(0.05, { scope: { items: ["VALVE-V7"] } })]],
    [
      "down by its size and minus",
      true,
      [{ slot: "price_move", op: "set", value: 0.05, unit: "share", direction: "down" }],
      [{ slot: "price_move", op: "set", value: -0.05, unit: "share" }],
    ],
    ["5 % and 0.05 that was computed", true, [most(0.15)], [most(0.1 + 0.05)]],
    ["a third and what one writes for it", true, [most(0.333)], [most(1 / 3)]],
    [
      "all, of which a part has a tighter limit, and all the others",
      true,
      [most(0.1), most(0.05, { scope: { tiers: ["new"] } })],
      [
        most(0.1, { scope: { tiers: ["exchange", "repair", "usm"] } }),
        most(0.05, { scope: { tiers: ["new"] } }),
      ],
    ],
    [
      "all, of which a part may go beyond, and the part with all",
      false,
      [most(0.05), most(0.1, { scope: { tiers: ["new"] } })],
      [
        most(0.05, { scope: { tiers: ["new"] } }),
        most(0.1, { scope: { tiers: ["new", "exchange", "repair", "usm"] } }),
      ],
    ],
    ["what is taken back and nothing", true, [], [{ slot: "top", op: "clear" }]],
    [
      "two limits with scopes in another order",
      true,
      [most(0.1, { scope: { items: ["VALVE-V7"] } }), most(0.2, { scope: { items: ["PUMP-C3"] } })],
      [most(0.2, { scope: { items: ["PUMP-C3"] } }), most(0.1, { scope: { items: ["VALVE-V7"] } })],
    ],
  ])("%s: %s", (_what, isSame, wanted, applied) => {
    const { missing, other, extra } = meaning.compare(wanted, applied);
    expect(missing.length + other.length + extra.length === 0).toBe(isSame);
  });
});

describe("an approval", () => {
  const prices = (price: number) => [{ item_id: "VALVE-V7", tiers: { new: { price } } }];
  test.each<[string, unknown, Constraint[], string[]]>([
    ["of what was said", prices(120), [VALVE, most(0.05)], []],
    ["of a price that goes too far", prices(130), [VALVE, most(0.05)], ["VALVE-V7, new: max_change_pct"]],
    [
      "of an item that was left out",
      prices(120),
      [
        {
          ...VALVE,
          op: "except",
          value: [
            "VALVE-V7",
            "GEARBOX-A1",
            "MOTOR-M2",
            "BEARING-B5",
            "CONTROLLER-K8",
            "DRIVE-D4",
            "SENSOR-S9",
          ],
        },
      ],
      ["VALVE-V7, new: items", "PUMP-C3 is missing"],
    ],
    [
      "below the floor",
      prices(110),
      [VALVE, { slot: "min_price", op: "set", value: 112, unit: "money", direction: "least" }],
      ["VALVE-V7, new: min_price"],
    ],
    ["of a limit for another part", prices(130), [VALVE, most(0.05, { scope: { tiers: ["repair"] } })], []],
    ["of nothing", [], [], ["it holds no price"]],
  ])("%s", (_what, payload, wanted, faults) => {
    expect(judgePrices(payload, wanted, domain.catalogue)).toEqual(faults);
  });

  test("of a plan holds the constraints that it was made under", () => {
    expect(judgeRecorded({ constraints: [VALVE] }, [VALVE, most(0.05)], meaning)).toEqual([
      "max_change_pct is missing",
    ]);
    expect(judgeRecorded({ constraints: [VALVE] }, [VALVE], meaning)).toEqual([]);
  });

  test("is judged where it is what was to be done", () => {
    const reply = did(["optimizer", "policy", "PRICING_REPORT", "check"], [VALVE, most(0.05)], {
      approval: prices(130),
    });
    const found = verdictOn({ ...WANTS, task: "publish" }, reply);
    expect(found).toMatchObject({ verdict: "right", approval: ["VALVE-V7, new: max_change_pct"] });
  });
});

describe("a reading that is shown", () => {
  const asked = { domain, language: "en" as const, catalogue: domain.catalogue };
  const [yes, no] = ["Yes, like that", "No, something is different"];
  const shown = (constraints: string, goal = "Propose the best prices"): Reply =>
    said(`I read it so: “${goal}”. ${constraints} (sample catalogue, 8 items).\n\nShall I go on?`, [yes, no]);
  const wants: Wants = {
    task: "optimizer",
    constraints: [
      { slot: "items", op: "except", value: ["VALVE-V7"] },
      { slot: "max_change_pct", op: "set", value: 0.05, unit: "share", direction: "most" },
    ],
  };

  test.each([
    ["all of it", yes, shown("For all but VALVE-V7, at most 5 % change")],
    ["another goal", no, shown("For all but VALVE-V7, at most 5 % change", "Check the pricing rules")],
    ["another value", no, shown("For all but VALVE-V7, at most 3 % change")],
    ["less", no, shown("At most 5 % change")],
    ["more", no, shown("For all but VALVE-V7, EMEA, at most 5 % change")],
  ])("is agreed to where it is what is wanted: %s", (_, button, reply) => {
    expect(confirmation(reply, wants, asked)).toBe(button);
  });

  test("is not agreed to where a phrase is neither applied nor named", () => {
    const named = { ...wants, named: ["below the list price"] };
    expect(confirmation(shown("For all but VALVE-V7, at most 5 % change"), named, asked)).toBe(no);
  });

  test("beside a question is wanted with one of the buttons, or with none", () => {
    const which = (rest: string): Reply =>
      said(`How is that meant: “At most 5 % change” or “Prices up to 5”?\n\nIn either case: ${rest}.`, [
        "At most 5 % change",
        "Prices up to 5",
        no,
      ]);
    expect(confirmation(which("For all but VALVE-V7"), wants, asked)).toBe("At most 5 % change");
    expect(confirmation(which("For VALVE-V7"), wants, asked)).toBe(no);
  });
});

describe("a question is answered", () => {
  const asked = { domain, language: "en" as const, catalogue: domain.catalogue };
  test.each<[string, string | undefined, Wants, Reply]>([
    ["with the button of the value", "5 %", WANTS, said("Which maximum change?", ["10 %", "5 %"])],
    ["with the button of the item", "VALVE-V7", WANTS, said("Which item?", ["PUMP-C3", "VALVE-V7"])],
    [
      "with the button that names nothing else",
      "VALVE-V7",
      WANTS,
      said("Which item?", ["VALVE-V7 and PUMP-C3", "VALVE-V7"]),
    ],
    [
      "with the button of the task",
      "Propose the best prices",
      { task: "optimizer" },
      said("What would you like?", ["Check the pricing rules", "Propose the best prices"]),
    ],
    [
      "with what the set says",
      "PUMP-C3",
      { task: "optimizer", answers: { items: ["PUMP-C3"] } },
      said("Which item?", ["VALVE-V7", "PUMP-C3"]),
    ],
    [
      "with the button of all others, where one is left out",
      "For PUMP-C3 and GEARBOX-A1",
      { task: "optimizer", constraints: [{ slot: "items", op: "except", value: ["VALVE-V7"] }] },
      said("What do you mean?", ["For VALVE-V7", "For PUMP-C3 and GEARBOX-A1"]),
    ],
    [
      "with the button that says nothing, where the others say what is not wanted",
      "No such limit",
      { task: "optimizer" },
      said("What do you mean?", ["At most 5 % change", "No such limit"]),
    ],
    [
      "in words, where no button fits",
      "5 %",
      WANTS,
      said("Which maximum change do you mean?", ["3 %", "10 %"]),
    ],
    [
      "not at all, where nothing is wanted of it",
      undefined,
      { task: "optimizer" },
      said("Which margin?", ["10 %"]),
    ],
  ])("%s", (_what, answer, wants, reply) => {
    expect(answerTo(reply, wants, asked)).toBe(answer);
  });
});

describe("figures", () => {
  const conversation = (language: "en" | "ko", turns: number): Conversation => ({
    ...{ id: language, domain: "pricing", language },
    turns: Array.from({ length: turns }, () => ({ says: "…", wants: WANTS })),
  });
  const heard = (wants: Wants, reply: Reply) => ({
    ...{ turn: { says: "…", wants }, replies: [reply] as const },
    verdict: verdictOn(wants, reply),
  });
  test("count turns, follow-ups, sessions and languages", () => {
    const right = heard(WANTS, did(["optimizer"], [VALVE, most(0.05)]));
    const dropped = heard(WANTS, did(["optimizer"], [VALVE]));
    const foreign = heard({ task: "none" }, did(["transfer"], []));
    const figures = figuresOf([
      { conversation: conversation("en", 2), heard: [right, dropped] },
      { conversation: conversation("ko", 1), heard: [foreign] },
      { conversation: conversation("en", 1), heard: [right] },
    ]);
    expect(figures).toMatchObject({
      silentlyDropped: { of: 3, is: 1 },
      wronglyApplied: { of: 3, is: 0 },
      rightAtOnce: { of: 3, is: 2 },
      routes: { of: 4, is: 3 },
      followUps: { of: 1, is: 0 },
      sessions: { of: 3, is: 1 },
      foreignRan: { of: 1, is: 1 },
      english: { of: 3, is: 2 },
      korean: { of: 1, is: 0 },
    });
  });
});

describe("a set", () => {
  const dir = mkdtempSync(join(tmpdir(), "interlock-judge-"));
  afterAll(() => rmSync(dir, { recursive: true }));
  const write = (...lines: object[]): string => {
    const file = join(dir, "set.jsonl");
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join("\n"));
    return file;
  };
  const ONE: Conversation = {
    id: "a",
    domain: "pricing",
    language: "en",
    turns: [{ says: "Hi", wants: WANTS }],
  };

  test("that does not fit the format is refused, with the place", () => {
    expect(() => readSet(write(ONE, ONE))).toThrow("two conversations have one id");
    expect(() => readSet(write({ ...ONE, turns: [] }))).toThrow("a: it has no turns");
    expect(() => readSet(write({ ...ONE, language: "de" }))).toThrow("a: language is neither en nor ko");
    expect(readSet(write(ONE))).toEqual([ONE]);
  });

  test.each<[object, string]>([
    [{ slot: "colour", op: "set", value: "red" }, 'there is no slot "colour"'],
    [{ slot: "items", op: "set", value: ["VALVE-V7"] }, '"items" takes only, except, freeze'],
    [most(0.05, { unit: "money" }), 'the unit of "max_change_pct" is share'],
    [most(0.05, { direction: "least" }), 'the direction of "max_change_pct" is most,up,down'],
    [most(0.05, { scope: { colour: ["red"] } }), '"colour" is no scope'],
  ])("has no such label: %j", (constraint, problem) => {
    const wants = { task: "optimizer", constraints: [constraint as Constraint] };
    const set = { ...ONE, turns: [{ says: "Hi", wants }] };
    expect(labelProblems(set, domain)).toEqual([`a, turn 1: ${problem}`]);
  });

  test("has its catalogues beside it", () => {
    const file = write(ONE);
    writeFileSync(join(dir, "doors.json"), JSON.stringify({ items: [] }));
    expect(catalogueOf({ ...ONE, catalogue: "doors" }, file)).toEqual({ items: [] });
    expect(() => catalogueOf({ ...ONE, catalogue: "windows" }, file)).toThrow('no catalogue "windows"');
  });

  test.each(["pricing", "cloud-cost", "bakery"])("for development of %s has right labels", (name) => {
    const set = readSet(join(import.meta.dirname, `sets/own-${name}.jsonl`));
    expect(set.flatMap((one) => labelProblems(one, readDomain(name)))).toEqual([]);
    expect(set).toHaveLength(15);
  });
});

describe("what agents get is recorded", () => {
  let recorder: Recorder;
  let at: number;
  const agent = createServer((from, back) =>
    from.pipe(back.writeHead(200, { "content-type": "text/plain" })),
  );
  beforeAll(async () => {
    await new Promise<void>((resolve) => agent.listen(0, "127.0.0.1", resolve));
    const free = createServer();
    await new Promise<void>((resolve) => free.listen(0, "127.0.0.1", resolve));
    at = (free.address() as AddressInfo).port;
    await new Promise((resolve) => free.close(resolve));
    recorder = await Recorder.start([{ at, to: (agent.address() as AddressInfo).port }], "127.0.0.1");
  });
  afterAll(async () => {
    await recorder.close();
    await new Promise((resolve) => agent.close(resolve));
  });

  test("and passed on as it is", async () => {
    const inputs = { constraints: [VALVE] };
    const body = JSON.stringify({ task_type: "PRICE_OPTIMIZATION", workflow_id: "run-1", inputs });
    const answer = await fetch(`http://127.0.0.1:${at}/agents/run/stream`, { method: "POST", body });
    expect(await answer.text()).toBe(body);
    expect(recorder.of("run-1")).toEqual([{ run: "run-1", task: "PRICE_OPTIMIZATION", inputs }]);
    expect(recorder.of("run-2")).toEqual([]);
  });
});

test("a set is judged with a real mesh, and only --verbose prints what was said", () => {
  const dir = mkdtempSync(join(tmpdir(), "interlock-judge-"));
  const says = "How much did we throw away at the harbour?";
  const wanted = { slot: "shops", op: "only", value: ["HARBOUR"] };
  const turn = (value: string) => ({
    says,
    wants: { task: "waste", constraints: [{ ...wanted, value: [value] }] },
  });
  const set = [turn("HARBOUR"), turn("STATION")].map((one, i) =>
    JSON.stringify({ id: `t-${i}`, domain: "bakery", language: "en", turns: [one] }),
  );
  try {
    writeFileSync(join(dir, "set.jsonl"), set.join("\n"));
    const report = join(dir, "report.json");
    const run = (...more: string[]) =>
      spawnSync(
        process.execPath,
        ["scripts/judge/main.ts", join(dir, "set.jsonl"), "--report", report, ...more],
        {
          cwd: root,
          encoding: "utf8",
        },
      );
    const { stdout, stderr } = run();
    expect(stderr).toBe("");
    expect(stdout).toMatch(/right at once, % +50\.0 \(1 of 2\)/);
    expect(stdout).not.toContain("harbour");
    const written = readFileSync(report, "utf8");
    expect(written).not.toContain("harbour");
    expect(JSON.parse(written)).toMatchObject({
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
      sets: [
        { verdicts: [{ turns: [{ verdict: "right", task: true }] }, { turns: [{ verdict: "wrong" }] }] },
      ],
    });
    expect(run("--verbose").stdout).toContain(`> ${says}`);
  } finally {
    rmSync(dir, { recursive: true });
  }
});
