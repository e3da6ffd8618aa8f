/** Documents that are right pass, and each way in which one can be wrong is found. The commands run in a real shell, against a real server. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { blocksOf } from "./blocks.ts";
import { startRequests } from "./control.ts";
import { type Result, runDocument } from "./document.ts";
import { DocumentPorts } from "./ports.ts";
import { Shell } from "./shell.ts";
import { isStrangersEnvironment, strangersEnvironment } from "./stranger.ts";
import { table } from "./table.ts";

const EVENTS = [
  'id: 1\ndata: {"seq":1,"done":false,"thread_id":"9b1f0123456789abcdef0123456789ab"}\n\n',
  'id: 2\ndata: {"seq":2,"done":true,"message":"Here it is.","duration_ms":14}\n\n',
];

let server: Server;
let ports: DocumentPorts;
let tree: string;

beforeAll(async () => {
  ports = await DocumentPorts.choose();
  server = createServer((request, response) => {
    if (request.url === "/refused") {
      response.statusCode = 403;
      response.end('{"code":"forbidden"}');
    } else if (request.url === "/json")
      response.end('{"id":"0ac61f2078de154ec6a76e30a9deb8f0","price":12.5,"tags":["a","b"],"took_ms":31}');
    else {
      response.setHeader("Content-Type", "text/event-stream");
      for (const event of request.url === "/cut" ? EVENTS.slice(0, 1) : EVENTS) response.write(event);
      response.end();
    }
  });
  await new Promise<void>((resolve) => server.listen(ports.of(8080), "127.0.0.1", resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), "interlock-docs-test-"));
});
afterEach(() => rmSync(tree, { recursive: true, force: true }));

const openShell = () => new Shell(tree, strangersEnvironment());

async function check(markdown: string, limitMs = 20_000): Promise<Result[]> {
  return await runDocument(blocksOf("doc.md", markdown), { tree, ports, openShell, limitMs });
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\`\n`;
}

const outcomes = (results: readonly Result[]) => results.map(({ outcome }) => outcome);

const STREAM = `id: 1
data: {"seq":1,"done":false,"thread_id":"0ac6…"}

id: 2
data: {"seq":2,
  "done":true,"message":"Here …","duration_ms":9}`;

const RIGHT: readonly (readonly [what: string, language: string, commands: string, shown: string])[] = [
  ["text", "text", "echo one; echo two; echo three", "one\n…\nthree"],
  ["a stream", "text", "curl -sN http://127.0.0.1:8080/stream", STREAM],
  [
    "JSON whose id and time differ",
    "json",
    "curl -s http://127.0.0.1:8080/json",
    '{"id":"ffffffffffffffffffffffffffffff01",\n "price":12.5,"tags":["a",…],"took_ms":5}',
  ],
  [
    "members that are left out",
    "json",
    "curl -s http://127.0.0.1:8080/json",
    '{"price":12.5,"tags":[…,"b"],…}',
  ],
  ["a text that is wrapped", "json", "echo '[\"one two\"]'", '["one\n  two"]'],
  ["the ports of the document", "text", "echo http://127.0.0.1:8081/", "http://127.0.0.1:8081/"],
  ["a duration", "text", "echo PASS in 0.25 s", "PASS in 3 s"],
];

test.each(RIGHT)("it passes: %s", async (_, language, commands, shown) => {
  const results = await check(fenced("sh", commands) + fenced(language, shown));
  expect(results.map(({ note }) => note)).toEqual([undefined, undefined]);
  expect(outcomes(results)).toEqual(["run", "checked"]);
});

const WRONG: readonly (readonly [what: string, language: string, commands: string, shown: string])[] = [
  ["another line", "text", "echo one; echo two", "one\nthree"],
  ["a line too few", "text", "echo one; echo two", "one"],
  ["a line too many", "text", "echo one", "one\ntwo"],
  ["lines in another order", "text", "echo one; echo two", "two\none"],
  ["nothing", "text", "true", "one"],
  ["another number", "text", "echo 12 prices", "13 prices"],
  ["a stream that is cut", "text", "curl -sN http://127.0.0.1:8080/cut", STREAM],
  ["another value", "json", "curl -s http://127.0.0.1:8080/json", '{"price":12.6,…}'],
  ["a member that is not there", "json", "curl -s http://127.0.0.1:8080/json", '{"cost":12.5,…}'],
  ["members that are not shown", "json", "curl -s http://127.0.0.1:8080/json", '{"price":12.5}'],
  ["an element too few", "json", "curl -s http://127.0.0.1:8080/json", '{"tags":["a"],…}'],
  ["an id that is none", "json", 'echo \'{"id":"none"}\'', '{"id":"0ac61f2078de154ec6a76e30a9deb8f0"}'],
  ["JSON that is none", "json", "echo '{}'", '{"a":}'],
];

test.each(WRONG)("it fails: the document shows %s", async (_, language, commands, shown) => {
  expect(outcomes(await check(fenced("sh", commands) + fenced(language, shown)))).toEqual(["run", "failed"]);
});

const BROKEN: readonly (readonly [what: string, document: string, note: RegExp])[] = [
  ["a command fails", fenced("sh", "true\nfalse\necho on"), /doc\.md:3 ended with 1/],
  ["a part of a pipe fails", fenced("sh", "false | cat"), /ended with 1/],
  [
    "a request is refused",
    fenced("sh", "curl -s http://127.0.0.1:8080/refused"),
    /ended with 22[\s\S]*forbidden/,
  ],
  ["the shell ends", fenced("sh", "exit 0"), /ended the shell/],
  ["a program throws", fenced("ts", "const no: string = 'no';\nthrow new Error(no);"), /Error: no/],
  ["the marker has no reason", `<!-- not run: -->\n${fenced("sh", "true")}`, /names no reason/],
  [
    "the marker is misspelt",
    `<!-- notrun: it takes long -->\n${fenced("sh", "true")}`,
    /no marker is called/,
  ],
  ["nothing should fail", `<!-- fails -->\n${fenced("sh", "true")}`, /nothing failed/],
  ["no command prints it", `Text.\n\n${fenced("text", "one")}`, /nothing before it prints this/],
  ["the language is unknown", fenced("cobol", "STOP RUN."), /not known/],
  ["YAML that is none", fenced("yaml", "a: [1"), /\S/],
  ["JSON that is none", fenced("json", "{]"), /expected/],
  ["the fence is not closed", "```sh\ntrue", /no closing fence/],
  [
    "an excerpt that is not in the file",
    `<!-- part of: code.py -->\n${fenced("python", "b = 2\na = 1")}`,
    /does not go on/,
  ],
];

test.each(BROKEN)("it fails: %s", async (_, document, note) => {
  writeFileSync(join(tree, "code.py"), "a = 1\nif a:\n    b = 2\n");
  const results = await check(document);
  expect(outcomes(results)).toEqual(["failed"]);
  expect(results[0]?.note).toMatch(note);
});

test("it fails: a command that does not end", async () => {
  const results = await check(fenced("sh", "echo begun; sleep 600"), 1_000);
  expect(results[0]).toMatchObject({
    outcome: "failed",
    note: expect.stringContaining("took longer than 1 s"),
  });
  expect(results[0]?.note).toContain("begun");
});

test("blocks share variables, the working directory and files", async () => {
  const document =
    fenced("sh", "NAME=ann\nmkdir -p deep && cd deep") +
    `<!-- file: deep/greeting.txt -->\n${fenced("text", "Hello")}` +
    fenced("sh", 'echo "$(cat greeting.txt), $NAME"') +
    fenced("text", "Hello, ann");
  expect(outcomes(await check(document))).toEqual(["run", "run", "run", "checked"]);
});

test.each([
  ["npm start", true],
  ["MESH_FILE=other.yaml npm start", false],
  ["export RULE_PACK=other.json\nnpm start", false],
])("a mesh of a document is the repository's where nothing else is set: %j", async (commands, isUsual) => {
  const seen: boolean[] = [];
  const control = await startRequests(async (env) => {
    seen.push(isStrangersEnvironment(env));
    return "ready";
  });
  const shell = new Shell(tree, { ...strangersEnvironment(), DOCS_CHECK_START: control.url });
  const { status, stdout } = await shell.run(`cd ..\nWORD=x\n${commands}\n`, 60_000);
  await shell.close();
  await control.close();
  expect([status, stdout, seen]).toEqual([0, "ready", [isUsual]]);
});

test("what a command writes is compared with the document that it makes", async () => {
  const write = "printf '# Made\\n\\n%s\\n\\n```text\\nOne 1\\n```\\n' x > doc.md";
  const document = (line: string) => `# Made\n\n<!-- made by: ${write} -->\n\n${fenced("text", line)}`;
  expect(outcomes(await check(document("One 1")))).toEqual(["checked"]);
  expect(outcomes(await check(document("One 2")))).toEqual(["failed"]);
});

test("a program in a second terminal goes on, and what it prints is compared", async () => {
  const document =
    `<!-- in a second terminal -->\n${fenced("sh", "echo ready; sleep 600")}${fenced("text", "ready")}` +
    fenced("sh", "echo on");
  expect(outcomes(await check(document))).toEqual(["run", "checked", "run"]);
});

test("what is marked is not run and counted with its reason, and so is its output", async () => {
  mkdirSync(join(tree, "empty"));
  const document = `   <!-- not run: it needs\n   a tenant -->\n   ${fenced("sh", "rmdir empty")}${fenced("text", "gone")}`;
  const results = await check(document);
  expect(outcomes(results)).toEqual(["marked", "marked"]);
  expect(table(new Map([["doc.md", results]]))).toContain("doc.md:3 it needs a tenant");
  expect(outcomes(await check(fenced("sh", "rmdir empty")))).toEqual(["run"]);
});
