import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect as connectTo } from "node:net";
import { afterEach, describe, expect, test } from "@jest/globals";
import { Client } from "undici";
import { addressClass } from "./address.ts";
import { urlProblem } from "./check-url.ts";
import { Egress, type Resolve } from "./egress.ts";
import { EgressRules } from "./rules.ts";

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

test.each([
  ["forbidden", "0.0.0.0"],
  ["forbidden", "0.1.2.3"],
  ["forbidden", "169.254.169.254"],
  ["forbidden", "169.254.0.1"],
  ["forbidden", "100.100.100.200"],
  ["forbidden", "168.63.129.16"],
  ["forbidden", "224.0.0.1"],
  ["forbidden", "255.255.255.255"],
  ["forbidden", "::"],
  ["forbidden", "fe80::1"],
  ["forbidden", "febf::1"],
  ["forbidden", "fd00:ec2::254"],
  ["forbidden", "ff02::1"],
  ["forbidden", "::ffff:169.254.169.254"],
  ["forbidden", "::ffff:a9fe:a9fe"],
  ["forbidden", "64:ff9b::a9fe:a9fe"],
  ["forbidden", "2002:a9fe:a9fe::1"],
  ["forbidden", "::169.254.169.254"],
  ["loopback", "127.0.0.1"],
  ["loopback", "127.255.255.254"],
  ["loopback", "::1"],
  ["loopback", "::ffff:127.0.0.1"],
  ["loopback", "::ffff:7f00:1"],
  ["private", "10.0.0.1"],
  ["private", "172.16.0.1"],
  ["private", "172.31.255.255"],
  ["private", "192.168.1.1"],
  ["private", "100.64.0.1"],
  ["private", "198.18.0.1"],
  ["private", "::ffff:10.0.0.1"],
  ["private", "64:ff9b::a00:1"],
  ["private", "2002:a00:1::1"],
  ["private", "::10.0.0.1"],
  ["private", "fc00::1"],
  ["private", "fdff::1"],
  ["private", "2001:0:1::1"],
  ["public", "172.32.0.1"],
  ["public", "11.0.0.1"],
  ["public", "100.128.0.1"],
  ["public", "1.1.1.1"],
  ["public", "::ffff:1.1.1.1"],
  ["public", "2606:4700::1111"],
])("%s: %s", (kind, address) => {
  expect(addressClass(address)).toBe(kind);
});

describe("a URL of the manifest", () => {
  const none = new EgressRules({ loopback: false });
  const here = new EgressRules({ loopback: true });

  // Each is a way to write 127.0.0.1, or a name for it.
  test.each([
    ["http://127.0.0.1:1"],
    ["http://2130706433:1"],
    ["http://0x7f000001:1"],
    ["http://0x7f.1:1"],
    ["http://0177.0.0.1:1"],
    ["http://127.1:1"],
    ["http://127.0.0.1.:1"],
    ["http://１２７.0.0.1:1"],
    ["http://127。0。0。1:1"],
    ["http://[::1]:1"],
    ["http://[0:0:0:0:0:0:0:1]:1"],
    ["http://[::ffff:127.0.0.1]:1"],
    ["http://[::ffff:7f00:1]:1"],
    ["http://localhost:1"],
    ["http://LOCALHOST:1"],
    ["http://localhost.:1"],
    ["http://agent.localhost:1"],
    ["http://ⓛocalhost:1"],
  ])("%s is the gateway's own machine", (url) => {
    expect(urlProblem(url, none)).toMatch(/not on the public internet; to allow it, write: egress: /);
    expect(urlProblem(url, here)).toBeUndefined();
  });

  test.each([
    ["http://0.0.0.0:1", "link-local"],
    ["http://0:1", "link-local"],
    ["http://[::]:1", "link-local"],
    ["http://169.254.169.254/latest", "link-local"],
    ["http://2852039166/", "link-local"],
    ["http://0xa9.0xfe.0xa9.0xfe/", "link-local"],
    ["http://[::ffff:169.254.169.254]/", "link-local"],
    ["http://[fe80::1]/", "link-local"],
    ["http://[fd00:ec2::254]/", "link-local"],
    ["http://100.100.100.200/", "link-local"],
    ["http://metadata.google.internal/", "link-local"],
    ["http://METADATA.google.internal./", "link-local"],
    ["http://user@agents.example/", "credentials"],
    ["http://user:word@127.0.0.1/", "credentials"],
    ["http://:word@agents.example/", "credentials"],
    ["http://agents.example:99999/", "not a valid address"],
    ["http://256.256.256.256/", "not a valid address"],
  ])("%s is refused whatever the list says", (url, why) => {
    const all = new EgressRules({ loopback: true, allow: ["0.0.0.0/0", "::/0", "metadata.google.internal"] });
    expect(urlProblem(url, all)).toContain(why);
  });

  test("of a private place says which line allows it, and that line does", () => {
    const said = urlProblem("http://10.1.2.3:80/", here);
    expect(said).toContain('egress: { allow: ["127.0.0.0/8","::1","10.1.2.3"] }');
    const allow = ["127.0.0.0/8", "::1", "10.1.2.3"];
    expect(urlProblem("http://10.1.2.3:80/", new EgressRules({ allow, loopback: true }))).toBeUndefined();
  });

  test("must not be the gateway's own store, by any of its names", () => {
    const rules = new EgressRules({ loopback: true, reserved: [{ host: "127.0.0.1", port: 6379 }] });
    for (const host of ["127.0.0.1", "localhost", "[::1]", "127.9.9.9", "[::ffff:127.0.0.1]"])
      expect(urlProblem(`http://${host}:6379`, rules)).toContain("the gateway's own store");
    expect(urlProblem("http://127.0.0.1:6380", rules)).toBeUndefined();
  });

  test("that is a name is left to the connection", () => {
    expect(urlProblem("http://optimizer:8081", none)).toBeUndefined();
  });
});

test.each([
  ["169.254.0.0/16"],
  ["fe80::/10"],
  ["10.0.0.0/33"],
  ["http://agents.internal"],
  ["*"],
  ["metadata.google.internal"],
])("the list cannot have %s", (entry) => {
  expect(EgressRules.problemsOf([entry])).toHaveLength(1);
});

test.each([
  ["10.0.0.0/8"],
  ["10.0.0.7"],
  ["::1"],
  ["fd00::/8"],
  ["agents.internal"],
  ["*.agents.internal"],
  ["0.0.0.0/0"],
])("the list can have %s", (entry) => {
  expect(EgressRules.problemsOf([entry])).toEqual([]);
});

describe("a connection", () => {
  async function listening(server: Server): Promise<number> {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    open.push(async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    });
    return (server.address() as AddressInfo).port;
  }

  async function upstream() {
    const asked: string[] = [];
    const server = createServer((req, res) => {
      asked.push(req.headers.host ?? "");
      res.end("hello");
    });
    return { asked, port: await listening(server) };
  }

  /** A name server that gives each of the answers once, and the last for ever. */
  function answering(...answers: string[][]): { resolve: Resolve; names: string[] } {
    const names: string[] = [];
    return {
      names,
      resolve: async (name) => {
        names.push(name);
        const found = (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
        return found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
      },
    };
  }

  /** One request on a connection of its own. @returns the body, or the code of the error */
  async function get(egress: Egress, url: string): Promise<string> {
    const client = new Client(new URL(url).origin, { connect: egress.connector(5_000) });
    try {
      const { body } = await client.request({ method: "GET", path: "/" });
      return await body.text();
    } catch (error) {
      return Error.isError(error) && "code" in error ? String(error.code) : "unknown";
    } finally {
      await client.destroy();
    }
  }

  test("goes to the address that was judged", async () => {
    const { asked, port } = await upstream();
    const rules = new EgressRules({ allow: ["127.0.0.1"], loopback: false });
    const egress = new Egress({ rules, ...answering(["127.0.0.1"]) });
    expect(await get(egress, `http://agents.test:${port}`)).toBe("hello");
    expect(asked).toEqual([`agents.test:${port}`]);
  });

  test("of a listed name may be private, and never link-local", async () => {
    const { port } = await upstream();
    const rules = new EgressRules({ allow: ["agents.test", "*.mesh.test"], loopback: false });
    const here = new Egress({ rules, ...answering(["127.0.0.1"]) });
    expect(await get(here, `http://agents.test:${port}`)).toBe("hello");
    expect(await get(here, `http://one.mesh.test.:${port}`)).toBe("hello");
    expect(await get(here, `http://other.test:${port}`)).toBe("EGRESS_REFUSED");
    expect(await get(here, `http://agents.test.evil.test:${port}`)).toBe("EGRESS_REFUSED");
    const metadata = new Egress({ rules, ...answering(["169.254.169.254"]) });
    expect(await get(metadata, `http://agents.test:${port}`)).toBe("EGRESS_REFUSED");
  });

  test.each([
    ["a private address", ["10.0.0.5"]],
    ["a private address beside a public one", ["192.0.66.1", "10.0.0.5"]],
    ["loopback in IPv6 form", ["::ffff:127.0.0.1"]],
    ["loopback", ["127.0.0.1"]],
    ["the metadata service", ["169.254.169.254"]],
    ["no host's address", ["0.0.0.0"]],
  ])("of a name that resolves to %s is refused, and nothing is asked", async (_, answer) => {
    const { asked, port } = await upstream();
    const told: object[] = [];
    const egress = new Egress({
      rules: new EgressRules({ allow: [], loopback: true }),
      ...answering(answer),
      onRefused: (refused) => told.push(refused),
    });
    expect(await get(egress, `http://agents.test:${port}`)).toBe("EGRESS_REFUSED");
    expect(await get(egress, `http://agents.test:${port}`)).toBe("EGRESS_REFUSED");
    expect(asked).toEqual([]);
    expect(told).toEqual([expect.objectContaining({ host: "agents.test" })]);
  });

  test("cannot be rebound: what is resolved once is what is connected to, and every connection is judged anew", async () => {
    const { asked, port } = await upstream();
    const names = answering(["127.0.0.2"], ["127.0.0.1"], ["10.0.0.5"]);
    // The second answer leads to the listener: a connection that asked twice would reach it.
    const rules = new EgressRules({ allow: ["127.0.0.2"], loopback: false });
    const egress = new Egress({ rules, ...names });
    expect(await get(egress, `http://agents.test:${port}`)).toBe("ECONNREFUSED");
    expect(names.names).toHaveLength(1);
    expect(await get(egress, `http://agents.test:${port}`)).toBe("EGRESS_REFUSED");
    expect(await get(egress, `http://agents.test:${port}`)).toBe("EGRESS_REFUSED");
    expect(asked).toEqual([]);
  });

  test("never goes to the store, whatever name leads there", async () => {
    const { asked, port } = await upstream();
    const rules = new EgressRules({
      allow: ["127.0.0.0/8"],
      loopback: true,
      reserved: [{ host: "redis.test", port }],
    });
    const egress = new Egress({ rules, ...answering(["127.0.0.1"]) });
    expect(await get(egress, `http://agents.test:${port}`)).toBe("EGRESS_REFUSED");
    expect(await get(egress, `http://127.0.0.1:${port}`)).toBe("EGRESS_REFUSED");
    expect(asked).toEqual([]);
  });

  describe("with a proxy", () => {
    /** Opens tunnels to the one upstream, whatever is asked for. */
    async function proxyTo(port: number, status = "200 OK") {
      const tunnels: string[] = [];
      const server = createServer();
      server.on("connect", (req, socket) => {
        tunnels.push(`${req.url} ${req.headers["proxy-authorization"] ?? ""}`.trim());
        socket.on("error", () => undefined);
        socket.write(`HTTP/1.1 ${status}\r\n\r\n`);
        const there = connectTo(port, "127.0.0.1");
        there.on("error", () => socket.destroy());
        socket.pipe(there).pipe(socket);
        open.push(async () => {
          socket.destroy();
          there.destroy();
        });
      });
      return { tunnels, port: await listening(server) };
    }

    test("goes through it, except to what the list has", async () => {
      const { asked, port } = await upstream();
      const proxy = await proxyTo(port);
      const rules = new EgressRules({ allow: ["inside.test", "127.0.0.1"], loopback: false });
      const names = answering(["127.0.0.1"]);
      const egress = new Egress({ rules, proxy: `http://bo:se%20cret@127.0.0.1:${proxy.port}`, ...names });
      expect(await get(egress, "http://outside.test:81")).toBe("hello");
      expect(proxy.tunnels).toEqual([
        `outside.test:81 Basic ${Buffer.from("bo:se cret").toString("base64")}`,
      ]);
      expect(await get(egress, `http://inside.test:${port}`)).toBe("hello");
      expect(await get(egress, `http://127.0.0.1:${port}`)).toBe("hello");
      expect(proxy.tunnels).toHaveLength(1);
      expect(asked).toHaveLength(3);
    });

    test("is still refused where the place is known to be private or a metadata service", async () => {
      const { asked, port } = await upstream();
      const proxy = await proxyTo(port);
      const rules = new EgressRules({ allow: [], loopback: false });
      const egress = new Egress({ rules, proxy: `http://127.0.0.1:${proxy.port}` });
      for (const host of ["10.0.0.5", "169.254.169.254", "metadata.google.internal", "localhost"])
        expect(await get(egress, `http://${host}`)).toBe("EGRESS_REFUSED");
      expect([proxy.tunnels, asked]).toEqual([[], []]);
    });

    test("fails where it opens no tunnel", async () => {
      const { port } = await upstream();
      const proxy = await proxyTo(port, "403 Forbidden");
      const rules = new EgressRules({ allow: [], loopback: false });
      const egress = new Egress({ rules, proxy: `http://127.0.0.1:${proxy.port}` });
      expect(await get(egress, "http://outside.test:81")).toBe("EGRESS_PROXY");
    });

    test("of the environment is not used", async () => {
      const { asked, port } = await upstream();
      const proxy = await proxyTo(port);
      const names = ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"];
      const before = names.map((name) => process.env[name]);
      for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`;
      try {
        const egress = new Egress({ rules: new EgressRules({ loopback: true }) });
        expect(await get(egress, `http://127.0.0.1:${port}`)).toBe("hello");
      } finally {
        for (const [at, name] of names.entries()) {
          const value = before[at];
          if (value === undefined) delete process.env[name];
          else process.env[name] = value;
        }
      }
      expect([asked.length, proxy.tunnels]).toEqual([1, []]);
    });
  });
});
