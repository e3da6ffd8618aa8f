import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../lib/paths.ts";
import type { Area } from "../attack.ts";
import type { World } from "../world.ts";

/** Places that nobody's agent is at. `STORE` stands for the address of Redis. */
const PLACES: Readonly<Record<string, string>> = {
  "the metadata service": "http://169.254.169.254/latest",
  "the metadata service, as one number": "http://2852039166/",
  "the metadata service, in hex": "http://0xa9fea9fe/",
  "the metadata service, in octal": "http://0251.0376.0251.0376/",
  "the metadata service, with a dot at the end": "http://169.254.169.254./",
  "the metadata service, as mapped IPv6": "http://[::ffff:169.254.169.254]/",
  "the metadata service, as IPv6": "http://[fd00:ec2::254]/",
  "the metadata service of another cloud": "http://100.100.100.200/",
  "the metadata service, by name": "http://metadata.google.internal/",
  "a link-local address": "http://[fe80::1]/",
  "every address of this machine": "http://0.0.0.0:8081/",
  "a private network that is not listed": "http://10.11.12.13:8081/",
  "another private network that is not listed": "http://192.168.1.1/",
  "a private network of IPv6": "http://[fc00::1]/",
  "a name with credentials": "http://user:secret@agents.example/",
  "a file": "file:///etc/passwd",
  gopher: "gopher://127.0.0.1:6379/_FLUSHALL",
  "the store": "http://STORE/",
};

export const EGRESS: Area = {
  title: "egress",
  attacks: Object.entries(PLACES).map(([name, place]) => ({
    name: `an agent at ${name}`,
    expected: "the gateway does not start",
    run: async (world) => {
      const url = place.replace("STORE", new URL(world.redisUrl).host);
      return (await starts(url, world)) ? "it starts" : "the gateway does not start";
    },
  })),
};

/** Whether a gateway starts whose only agent is there. */
async function starts(url: string, { redisUrl }: World): Promise<boolean> {
  const dir = mkdtempSync(join(tmpdir(), "interlock-egress-"));
  const file = join(dir, "mesh.yaml");
  writeFileSync(file, JSON.stringify({ agents: { worker: { url, tasks: { WORK: "Works." } } } }));
  const env = { MESH_FILE: file, REDIS_URL: redisUrl, PORT: "0" };
  const child = spawn(process.execPath, [join(root, "services/gateway/src/main.ts")], {
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const started = new Promise<boolean>((resolve) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += String(chunk);
      if (text.includes('"listening"')) resolve(true);
    });
    child.once("exit", () => resolve(false));
  });
  const exited = once(child, "exit");
  const result = await started;
  child.kill("SIGKILL");
  await exited;
  rmSync(dir, { recursive: true, force: true });
  return result;
}
