import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { Validator as OpenApiValidator } from "@seriousme/openapi-schema-validator";
import { parse } from "yaml";
import { html, prose } from "../src/console/html.ts";
import { ERRORS } from "../src/errors.ts";
import { closed } from "./support/closed.ts";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { ask } from "./support/http.ts";
import { pricingMesh } from "./support/mesh.ts";
import { testRedis } from "./support/redis.ts";
import { standIn } from "./support/stand-in.ts";

const keep = closingAtEnd();
let gateway: TestGateway;

beforeAll(async () => {
  const redis = keep(await testRedis());
  const agent = keep(await standIn({}));
  gateway = keep(await testGateway({ manifest: pricingMesh(agent.url), redisUrl: redis.url }));
});

const get = (path: string, headers: Record<string, string> = {}) => ask(`${gateway.url}${path}`, { headers });

/** What a browser sends with a navigation. */
const BROWSER = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8" };

describe("at / and /api/v1", () => {
  test("a program gets the index, whose links are all there", async () => {
    for (const path of ["/", "/api/v1", "/api/v1/"]) {
      for (const headers of [{}, { accept: "*/*" }, { accept: "application/json" }]) {
        const { status, headers: got, json } = await get(path, headers);
        expect([status, got["content-type"]]).toEqual([200, "application/json; charset=utf-8"]);
        expect(got.vary).toContain("accept");
        expect(closed("apiIndex")(json())).toMatchObject({ ok: true });
      }
    }
    for (const link of Object.values(Object((await get("/")).json().links)))
      expect([link, (await get(String(link))).status]).toEqual([link, link === "/api/v1/chat" ? 405 : 200]);
  });

  test("a browser gets the page, or is sent to it", async () => {
    const page = await get("/", BROWSER);
    expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.text).toMatch(/^<!doctype html>\n<html lang="en">/);
    const sent = await get("/api/v1", BROWSER);
    expect([sent.status, sent.headers.location, sent.text]).toEqual([302, "/", ""]);
  });

  test("who accepts neither is told so", async () => {
    expect((await get("/", { accept: "image/png" })).status).toBe(406);
  });
});

test("pages may load nothing from elsewhere, and nobody may frame them", async () => {
  for (const path of ["/", "/docs/api", "/docs/agents", "/console/runs", "/console/approvals/some-id"]) {
    const { headers, text } = await get(path, BROWSER);
    expect(headers).toMatchObject({
      "content-security-policy": expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'/),
      "cross-origin-opener-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    });
    expect(headers["content-security-policy"]).not.toMatch(/unsafe|https?:|\*/);
    expect(headers["set-cookie"]).toBeUndefined();
    // No inline script or style would run.
    const [, importMap = ""] = /<script type="importmap">(.*?)<\/script>/.exec(text) ?? [];
    const digest = createHash("sha256").update(importMap).digest("base64");
    expect(headers["content-security-policy"]).toContain(`script-src 'self' 'sha256-${digest}';`);
    expect(text.replace(importMap, "")).not.toMatch(
      /<script(?! type="importmap">)(?![^>]* src="\/assets\/)|<style| style=| on[a-z]+=/,
    );
    for (const [, link] of text.matchAll(/(?:src|href)="([^"]*)"/g)) expect(link).toMatch(/^[/#]/);
  }
});

test("a page tells a stranger nothing of the mesh", async () => {
  const stranger = { ...BROWSER, host: "evil.example", "sec-fetch-site": "cross-site" };
  const { text, headers } = await get("/", stranger);
  const own = await get("/", BROWSER);
  expect([text, headers.etag]).toEqual([own.text, own.headers.etag]);
  for (const name of Object.keys(pricingMesh("").agents)) expect(text).not.toContain(name);
  expect((await get("/api/v1/agents", stranger)).status).toBe(401);
});

test("who has a file is told that it is the same; who has another one gets it", async () => {
  for (const path of ["/docs/api.json", "/assets/home.js", "/assets/page.css", "/assets/icon.svg"]) {
    const { status, headers, text } = await get(path);
    expect([status, headers["cache-control"]]).toEqual([200, "no-cache"]);
    const etag = String(headers.etag);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await get(path, { "if-none-match": known });
      expect([again.status, again.text, again.headers.etag]).toEqual([304, "", etag]);
    }
    expect((await get(path, { "if-none-match": '"other"' })).text).toBe(text);
    const head = await ask(`${gateway.url}${path}`, { method: "HEAD" });
    expect([head.status, head.text, head.headers.etag]).toEqual([200, "", etag]);
  }
});

test("a file under its digest lasts for ever; of another digest it is what there is now, for a moment", async () => {
  const { text } = await get("/", BROWSER);
  const [href = ""] = /\/assets\/frame\.[\w-]{16}\.js/.exec(text) ?? [];
  const lasting = await get(href);
  expect(lasting.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  const other = await get(href.replace(/\.[\w-]{16}\./, `.${"0".repeat(16)}.`));
  expect([other.status, other.headers["cache-control"], other.text]).toEqual([200, "no-cache", lasting.text]);
});

test("all that a screen of the console loads is at most 150 KB, compressed", async () => {
  const { text } = await get("/console/runs", BROWSER);
  const map = JSON.parse(/<script type="importmap">(.*?)<\/script>/.exec(text)?.[1] ?? "{}");
  const styles = Array.from(text.matchAll(/href="(\/assets\/[^"]*)"/g), ([, href]) => String(href));
  const files = new Set<string>([...Object.values<string>(map.imports), ...styles]);
  let bytes = gzipSync(text).length;
  for (const file of files) bytes += gzipSync((await get(file)).text).length;
  expect(files.size).toBeGreaterThan(15);
  expect(bytes).toBeLessThan(150_000);
});

test("there are no other files", async () => {
  for (const path of [
    "/docs",
    "/docs/",
    "/docs/other",
    "/assets/",
    "/assets/other.js",
    "/assets/..%2fhome.ts",
  ])
    expect([path, (await get(path)).status, (await get(path)).json().code]).toEqual([path, 404, "not_found"]);
});

describe.each([
  ["api", "Interlock gateway", "POST /api/v1/chat", "ChatRequest"],
  ["agents", "Interlock agent contract", "POST /agents/run/stream", "RunRequest"],
])("/docs/%s", (name, title, operation, schema) => {
  test("is valid OpenAPI in one file, the same as JSON and as YAML", async () => {
    const json = await get(`/docs/${name}.json`);
    const yaml = await get(`/docs/${name}.yaml`);
    expect([json.headers["content-type"], yaml.headers["content-type"]]).toEqual([
      "application/json; charset=utf-8",
      "application/yaml; charset=utf-8",
    ]);
    expect(parse(yaml.text)).toEqual(json.json());
    expect(json.text).not.toMatch(/"\$ref":"[^#]/);
    expect(await new OpenApiValidator().validate(json.json())).toEqual({ valid: true });
    expect(json.json()).toMatchObject({ info: { title }, components: { schemas: { [schema]: {} } } });
  });

  test("has every operation and schema on its page, and no link into nowhere", async () => {
    const { text } = await get(`/docs/${name}`, BROWSER);
    const { paths, components } = (await get(`/docs/${name}.json`)).json() as {
      paths: Record<string, Record<string, { operationId: string }>>;
      components: { schemas: object };
    };
    const ids = new Set(Array.from(text.matchAll(/ id="([^"]*)"/g), ([, id]) => id));
    for (const { operationId } of Object.values(paths).flatMap((item) => Object.values(item)))
      expect(ids).toContain(operationId);
    for (const one of Object.keys(components.schemas)) expect(ids).toContain(`schema-${one}`);
    for (const [, target] of text.matchAll(/href="#([^"]*)"/g)) expect(ids).toContain(target);
    expect(text.replaceAll(/<[^>]*>/g, "")).toContain(operation);
  });
});

test("the API's page has every code of its errors", async () => {
  const { text } = await get("/docs/api", BROWSER);
  for (const code of Object.keys(ERRORS)) expect(text).toContain(`<code>${code}</code>`);
});

describe("templates", () => {
  test("escape what is put into them, in elements and in attributes", () => {
    const evil = `"><script>alert('&')</script>`;
    expect(html`<p title="${evil}">${[evil, undefined, 1]}</p>`.text).toBe(
      '<p title="&#34;&#62;&#60;script&#62;alert(&#39;&#38;&#39;)&#60;/script&#62;">&#34;&#62;&#60;script&#62;alert(&#39;&#38;&#39;)&#60;/script&#62;1</p>',
    );
    expect(html`<p>${html`<b>${"<"}</b>`}</p>`.text).toBe("<p><b>&#60;</b></p>");
  });

  test("make code of what stands in backticks, where they are pairs", () => {
    expect(prose("take `<id>` or `x`").text).toBe("take <code>&#60;id&#62;</code> or <code>x</code>");
    expect(prose("a ` alone").text).toBe("a ` alone");
  });
});
