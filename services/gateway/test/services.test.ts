import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { Redis } from "ioredis";
import { keysOf } from "../src/store/keys.ts";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { ask } from "./support/http.ts";
import { pricingMesh } from "./support/mesh.ts";
import { as, get } from "./support/people.ts";
import { testRedis } from "./support/redis.ts";
import { shippedMesh } from "./support/shipped-mesh.ts";
import { answering, failing, standIn } from "./support/stand-in.ts";

/** The shipped mesh with more services, and one that routes by keywords and has a default service. */
const keep = closingAtEnd();
let shipped: TestGateway;
let plain: TestGateway;
let redis: Redis;
const keys = keysOf("default");

const effect = { demand: 1, revenue: 1, profit: 1 };
const TURN = { state: { stage: "FILLING" }, message: "To whom?", next_action: "ASK" };
const TASKS = {
  PRICE_OPTIMIZATION: { items: [], totals: { current: effect, expected: effect, change: effect } },
  TRANSFER_TURN: TURN,
  HELP_TURN: TURN,
  FIND_ROOM: { room: "B 12" },
};
const SEATS = [
  "book a seat for me",
  "I need a seat on Monday",
  "reserve two seats",
  "좌석 예약해줘",
  "자리 하나 잡아줘",
];
const turn = { agent: "transfer", task_type: "TRANSFER_TURN", dialogue: {} };
const ROLES = {
  pricer: {
    inherits: ["viewer"],
    agents: ["optimizer", "sensitivity"],
    goals: ["pricing/optimizer", "pricing/sensitivity"],
    services: ["optimizer", "sensitivity"],
  },
  traveller: { inherits: ["viewer"], agents: ["transfer"], services: ["train", "plane"] },
};

beforeAll(async () => {
  const { url: redisUrl } = keep(await testRedis());
  const handlers = Object.entries(TASKS).map(([task, outputs]) => [task, answering(outputs)]);
  const LIFT_TURN = failing("out_of_order", "The lift is out of order.");
  const { url, stop } = await standIn({ ...Object.fromEntries(handlers), LIFT_TURN });
  keep({ stop });
  const manifest = shippedMesh(url);
  const rooms = { url, tasks: { FIND_ROOM: "Finds a room.", LIFT_TURN: "Moves a lift." } };
  shipped = keep(
    await testGateway({
      redisUrl,
      manifest: {
        ...manifest,
        agents: { ...manifest.agents, rooms },
        services: {
          ...manifest.services,
          train: { ...turn, label: { en: "Train tickets", ko: "기차표" }, examples: SEATS },
          plane: { ...turn, label: { en: "Plane tickets", ko: "비행기표" }, examples: SEATS },
          lift: { agent: "rooms", task_type: "LIFT_TURN", dialogue: {}, keywords: ["call the lift"] },
          rooms: {
            agent: "rooms",
            task_type: "FIND_ROOM",
            examples: ["find a meeting room", "which room is free", "빈 회의실 찾아줘"],
            answer: "outputs.room",
          },
        },
        access: { roles: ROLES },
      },
    }),
  );
  const small = pricingMesh(url);
  const help = { url, tasks: { HELP_TURN: "Helps." } };
  plain = keep(
    await testGateway({
      redisUrl,
      manifest: {
        ...small,
        agents: { ...small.agents, help },
        services: { ...small.services, help: { agent: "help", task_type: "HELP_TURN", dialogue: {} } },
        default_service: "help",
      },
    }),
  );
  redis = new Redis(redisUrl);
  keep({ stop: () => redis.disconnect() });
});

type Said = { target: Record<string, unknown>; intent: string; text?: string; buttons?: string[] };

/** A conversation: what the runs of its turns are for. */
function conversation(gateway: () => TestGateway, headers = as("ann", "analyst")) {
  const session = randomUUID();
  return {
    async say(message: string, query = ""): Promise<Said> {
      const body = { message, session_id: session };
      const answer = await ask(`${gateway().url}/api/v1/chat${query}`, { headers, body });
      const {
        thread_id,
        ui_hint,
        message: text,
      } = answer.json() as {
        thread_id?: string;
        ui_hint?: { buttons: string[] };
        message?: string;
      };
      const order = JSON.parse((await redis.hget(keys.run(String(thread_id)), "order")) ?? "{}");
      return { ...order, text, ...(ui_hint ? { buttons: ui_hint.buttons } : {}) };
    },
    /** Where a dialogue came to stand with its last turn. */
    async stands(service: string, next_action: string): Promise<void> {
      const head = JSON.stringify({ version: 1, next_action, locale: "en" });
      await redis.hset(keys.session(session), `dialogue:${service}`, head);
    },
  };
}

const service = (name: string, more: object = {}) => ({
  target: { kind: "service", service: name, ...more },
});

describe("a dialogue", () => {
  test("has its user until it is done", async () => {
    const { say, stands } = conversation(() => shipped);
    expect(await say("I want to send money to Minsu")).toMatchObject(service("transfer"));
    await stands("transfer", "ASK");
    for (const message of ["50,000 won", "what are the best prices?", "cancel", "아니 3만원", "undo that"])
      expect([message, await say(message)]).toMatchObject([message, service("transfer")]);
    await stands("transfer", "DONE");
    expect(await say("what are the best prices for the valve?")).toMatchObject(service("optimizer"));
  });

  test("is left politely, and taken up again where it was", async () => {
    const { say, stands } = conversation(() => shipped);
    await say("send 20 dollars to Bob");
    await stands("transfer", "CONFIRM");
    const left = await say("let's do something else");
    expect(left).toMatchObject({ target: { kind: "general" }, buttons: ["Continue: Transfer money"] });
    expect(left.text).toContain("Transfer money");
    expect(await say("Propose the best prices")).toMatchObject(service("optimizer"));
    expect(await say("continue the transfer")).toMatchObject(service("transfer", { message: "" }));
    await stands("transfer", "CONFIRM");
    expect(await say("yes")).toMatchObject(service("transfer"));
  });

  test("is left and taken up in Korean, too", async () => {
    const { say, stands } = conversation(() => shipped);
    expect(await say("민수한테 5만원 보내줘")).toMatchObject(service("transfer"));
    await stands("transfer", "ASK");
    const left = await say("이체는 나중에 할게요");
    expect(left).toMatchObject({ target: { kind: "general" }, buttons: ["계속: 이체"] });
    expect(left.text).toContain("그대로");
    // What the button says.
    expect(await say("계속: 이체")).toMatchObject(service("transfer", { message: "" }));
  });

  test("hears what is said beside taking it up", async () => {
    const { say, stands } = conversation(() => shipped);
    await say("send 20 dollars to Bob");
    await stands("transfer", "ASK");
    await say("not now");
    const { target } = await say("continue the transfer, but make it 30 dollars");
    expect(target).toEqual({ kind: "service", service: "transfer" });
  });

  test("that was never begun is not continued", async () => {
    const { say } = conversation(() => shipped);
    expect(await say("continue")).toMatchObject({ target: { kind: "general" } });
  });

  test("that failed at its first turn does not keep its user", async () => {
    const { say } = conversation(() => shipped);
    expect(await say("call the lift")).toMatchObject(service("lift"));
    expect(await say("Propose the best prices")).toMatchObject(service("optimizer"));
  });
});

describe("a message that may be for several services", () => {
  test("is asked about, and the one that the user chooses is told the message", async () => {
    const { say, stands } = conversation(() => shipped);
    expect(await say("reserve a seat for me")).toMatchObject({
      target: { kind: "general" },
      buttons: expect.arrayContaining(["Train tickets", "Plane tickets"]),
    });
    expect(await say("Train tickets")).toMatchObject(service("train", { message: "reserve a seat for me" }));
    await stands("train", "ASK");
    expect(await say("on Monday")).toMatchObject(service("train"));
  });

  test("is not asked about twice in a row", async () => {
    const { say } = conversation(() => shipped);
    await say("reserve a seat for me");
    expect((await say("reserve a seat for me")).target).toMatchObject({ kind: "service" });
  });
});

test("an agent that no flow has as a goal is found by its examples", async () => {
  const { say } = conversation(() => shipped);
  expect(await say("please find a free meeting room")).toMatchObject({ ...service("rooms"), text: "B 12" });
});

test("who wants a plan gets one, whatever dialogue waits", async () => {
  const { say, stands } = conversation(() => shipped);
  await say("send 20 dollars to Bob");
  await stands("transfer", "ASK");
  expect(await say("Propose the best prices", "?plan=true")).toMatchObject({ target: { kind: "flow" } });
});

describe("nobody is offered what would be refused", () => {
  test("goals of a flow", async () => {
    const asked = async (role: string): Promise<string> => {
      const { text, buttons = [] } = await conversation(() => shipped, as("ann", role)).say("the valve");
      return [text, ...buttons].join(" ");
    };
    expect(await asked("analyst")).toContain("Explain the proposed prices");
    const told = await asked("pricer");
    expect(told).toContain("VALVE-V7");
    expect(told).not.toContain("Explain");
  });

  test("services", async () => {
    const { say } = conversation(() => shipped, as("tom", "traveller"));
    expect((await say("reserve a seat for me")).buttons).toHaveLength(2);
    const pricer = conversation(() => shipped, as("pat", "pricer"));
    expect((await pricer.say("reserve a seat for me")).buttons).toBeUndefined();
  });
});

describe("the default service", () => {
  test("answers what matches none, and only that", async () => {
    const { say, stands } = conversation(() => plain);
    expect(await say("check the hierarchy")).toMatchObject(service("policy"));
    expect(await say("good morning")).toMatchObject(service("help"));
    await stands("help", "ASK");
    // A dialogue of a mesh without models is left and taken up as any other.
    expect(await say("check the hierarchy")).toMatchObject(service("help"));
    expect(await say("something else")).toMatchObject({ target: { kind: "general" } });
    expect(await say("check the hierarchy")).toMatchObject(service("policy"));
    expect(await say("continue help")).toMatchObject(service("help", { message: "" }));
  });
});

describe("GET /api/v1/services", () => {
  const listed = async (gateway: TestGateway, role: string) =>
    (await get(gateway, "/api/v1/services", as("ann", role))).json() as {
      default?: string;
      services: { name: string; kind: string }[];
    };

  test("lists what there is", async () => {
    const { services } = await listed(shipped, "analyst");
    expect(services).toContainEqual({
      name: "transfer",
      kind: "dialogue",
      label: { en: "Transfer money", ko: "이체" },
      description: expect.stringContaining("Transfers money"),
      examples: ["Transfer 50,000 won to Minsu", "I want to send money", "send 100 dollars to my mom"],
      agent: "transfer",
      healthy: expect.any(Boolean),
    });
    expect(services).toContainEqual(
      expect.objectContaining({ name: "publish", kind: "flow", goals: ["publish"] }),
    );
    expect(services).toContainEqual(
      expect.objectContaining({ name: "rooms", kind: "agent", label: { en: "rooms", ko: "rooms" } }),
    );
    expect((await listed(plain, "analyst")).default).toBe("help");
  });

  test("lists what the caller may use", async () => {
    const namesFor = async (role: string) =>
      (await listed(shipped, role)).services.map(({ name }) => name).toSorted();
    expect(await namesFor("pricer")).toEqual(["optimizer", "sensitivity"]);
    expect(await namesFor("traveller")).toEqual(["plane", "train"]);
    expect(await namesFor("viewer")).toEqual([]);
  });
});
