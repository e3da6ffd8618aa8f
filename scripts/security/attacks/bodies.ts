import { randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { ask } from "../../../services/gateway/test/support/http.ts";
import type { Area, Attack } from "../attack.ts";
import { verdict } from "../http.ts";
import type { World } from "../world.ts";

const JSON_TYPE = { "content-type": "application/json" };

const chat = (world: World, body: string | Buffer, headers: Record<string, string> = {}): Promise<string> =>
  verdict(`${world.url}/api/v1/chat`, {
    body,
    headers: { ...JSON_TYPE, ...world.issuer.as("ann"), ...headers },
  });

const fields = (more: string): string =>
  `{"message":"What is the optimal price?","session_id":"${randomUUID()}"${more}}`;

/** Expected outcomes with several codes. */
const ACCEPTED: Readonly<Record<string, RegExp>> = {
  "400 or 422": /^(?:400|422) /,
  "413 or 400": /^(?:413|400) /,
  "413 or closed": /^(?:413 payload_too_large|closed)$/,
};

function posted(
  name: string,
  expected: string,
  body: () => string | Buffer,
  headers: Record<string, string> = {},
): Attack {
  const accepts = ACCEPTED[expected];
  return { name, expected, ...(accepts ? { accepts } : {}), run: (world) => chat(world, body(), headers) };
}

export const BODIES: Area = {
  title: "bodies",
  attacks: [
    posted("a good body (control)", "200", () => fields("")),
    posted("__proto__ beside the fields", "400 invalid_request", () =>
      fields(',"__proto__":{"roles":["admin"]}'),
    ),
    posted("constructor.prototype beside the fields", "400 invalid_request", () =>
      fields(',"constructor":{"prototype":{"admin":true}}'),
    ),
    {
      name: "__proto__ within the inputs",
      expected: "nothing is polluted",
      run: async (world) => {
        const inputs =
          ',"inputs":{"items":[{"item_id":"A","__proto__":{"polluted":"yes"}}],"__proto__":{"polluted":"yes"}}';
        await chat(world, fields(inputs));
        const { text } = await ask(`${world.url}/api/v1/agents`, { headers: world.issuer.as("ann") });
        return text.includes("polluted") ? "polluted" : "nothing is polluted";
      },
    },
    posted(
      "two messages in one body: the last one counts",
      "200",
      () => `{"message":"a","message":"b","session_id":"${randomUUID()}"}`,
    ),
    posted(
      "two sessions in one body: the last one counts",
      "200",
      () => `{"message":"a","session_id":"s-1","session_id":"s-2"}`,
    ),
    posted("100,000 levels of lists", "400 invalid_request", () =>
      fields(`,"inputs":{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`),
    ),
    posted("100,000 levels of objects", "400 invalid_request", () =>
      fields(`,"inputs":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`),
    ),
    posted("a million small values", "413 or 400", () =>
      fields(`,"inputs":{"a":[${"0,".repeat(1_000_000)}0]}`),
    ),
    posted("a hundred thousand fields", "413 or 400", () =>
      fields(`,"inputs":{${Array.from({ length: 600_000 }, (_, n) => `"k${n}":0`).join(",")}}`),
    ),
    posted("a body of 64 MiB", "413 or closed", () =>
      fields(`,"inputs":{"a":"${"x".repeat(64 * 1024 * 1024)}"}`),
    ),
    posted("a gzip bomb", "415 unsupported_media_type", () => gzipSync(Buffer.alloc(64 * 1024 * 1024, " ")), {
      "content-encoding": "gzip",
    }),
    posted("an unknown encoding", "415 unsupported_media_type", () => fields(""), {
      "content-encoding": "br",
    }),
    posted("bytes that are no UTF-8", "400 invalid_json", () =>
      Buffer.concat([
        Buffer.from('{"message":"'),
        Buffer.from([0xc3, 0x28, 0xff]),
        Buffer.from('","session_id":"s"}'),
      ]),
    ),
    posted("half a surrogate pair", "200", () => `{"message":"\\ud800","session_id":"${randomUUID()}"}`),
    posted("UTF-16", "400 invalid_json", () => Buffer.from(fields(""), "utf16le")),
    posted("a number that overflows", "400 or 422", () =>
      fields(',"inputs":{"items":[{"item_id":"A","price":1e999}]}'),
    ),
    posted("NaN", "400 invalid_json", () => fields(',"inputs":{"a":NaN}')),
    posted("a comment in the JSON", "400 invalid_json", () => `${fields("")} // yes`),
    posted("text behind the JSON", "400 invalid_json", () => `${fields("")}{"message":"b"}`),
    posted(
      "control characters in the message",
      "400 invalid_request",
      () => `{"message":"a\\u0000b","session_id":"${randomUUID()}"}`,
    ),
    posted(
      "a message of 100,000 characters",
      "400 invalid_request",
      () => `{"message":"${"a".repeat(100_000)}","session_id":"${randomUUID()}"}`,
    ),
    posted(
      "a list in the place of the message",
      "400 invalid_request",
      () => `{"message":["a"],"session_id":"${randomUUID()}"}`,
    ),
    posted(
      "an object in the place of the session",
      "400 invalid_request",
      () => '{"message":"a","session_id":{"$ne":null}}',
    ),
    posted("another caller in the body", "400 invalid_request", () =>
      fields(',"caller":{"subject":"root","roles":["admin"]}'),
    ),
    posted("a tenant in the body", "400 invalid_request", () => fields(',"tenant":"other"')),
    posted("the wrong type", "415 unsupported_media_type", () => fields(""), {
      "content-type": "text/plain",
    }),
    posted("a form", "415 unsupported_media_type", () => "message=a&session_id=s", {
      "content-type": "application/x-www-form-urlencoded",
    }),
    posted(
      "a regular expression that explodes",
      "200",
      () => `{"message":"${"a".repeat(3_900)}!","session_id":"${randomUUID()}"}`,
    ),
    {
      name: "expressions in the message",
      expected: "not evaluated",
      run: async (world) => {
        const body = { message: "What is $eval('7777*7') {{7777*7}} of VALVE-V7?", session_id: randomUUID() };
        const { text } = await ask(`${world.url}/api/v1/chat`, { body, headers: world.issuer.as("ann") });
        return text.includes("54439") ? "evaluated" : "not evaluated";
      },
    },
    {
      name: "twenty bodies of 8 MiB at once",
      expected: "others are served",
      run: async (world) => {
        const body = fields(`,"inputs":{"a":"${"x".repeat(7 * 1024 * 1024)}"}`);
        const many = Promise.all(Array.from({ length: 20 }, () => chat(world, body)));
        const other = await verdict(`${world.url}/api/v1/agents`, { headers: world.issuer.as("bo") });
        const all = await many;
        const odd = all.filter((one) => !/^(?:200|4\d\d|503|closed)/.test(one));
        return other === "200" && odd.length === 0 ? "others are served" : `${other}; ${odd.join(", ")}`;
      },
    },
  ],
};
