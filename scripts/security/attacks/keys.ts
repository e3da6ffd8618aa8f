import { setTimeout } from "node:timers/promises";
import { jwt, newKey } from "../../../services/gateway/test/support/issuer.ts";
import type { Area } from "../attack.ts";
import { verdict } from "../http.ts";
import { bearer, type Place, type World } from "../world.ts";

const PATH = "/api/v1/runs";

const using = (token: string, { url }: World): Promise<string> =>
  verdict(url + PATH, { headers: bearer(token) });

const others = async (world: World, work: () => Promise<unknown>): Promise<string> => {
  const started = performance.now();
  const under = work();
  const seen = await using(world.issuer.token(), world);
  const waited = performance.now() - started;
  await under;
  return seen === "200" && waited < 4_000 ? "others are served" : `${seen} after ${Math.round(waited)} ms`;
};

const at = (place: Place) => (world: World) => using(world.issuer.token({}, place), world);

export const KEYS: Area = {
  title: "keys",
  attacks: [
    { name: "an issuer that answers nothing", expected: "503 issuer_unavailable", run: at("slow") },
    {
      name: "many tokens of an issuer that answers nothing",
      expected: "others are served",
      run: (world) =>
        others(world, () =>
          Promise.all(Array.from({ length: 50 }, () => using(world.issuer.token({}, "slow"), world))),
        ),
    },
    { name: "an issuer whose keys are no JSON", expected: "503 issuer_unavailable", run: at("broken") },
    {
      name: "an issuer that redirects to another's keys",
      expected: "503 issuer_unavailable",
      run: at("redirecting"),
    },
    {
      name: "a thousand keys: those beyond the limit do not count",
      expected: "401 unauthorized",
      run: at("crowded"),
    },
    {
      name: "a thousand unknown key ids",
      expected: "keys are asked for as often as their age wants it",
      run: async (world) => {
        const before = world.issuer.asked.main;
        const started = performance.now();
        for (let part = 0; part < 10; part++)
          await Promise.all(
            Array.from({ length: 100 }, (_, n) =>
              using(jwt(world.issuer.claims(), newKey(`unknown-${part}-${n}`)), world),
            ),
          );
        const asked = world.issuer.asked.main - before;
        // The cache lasts a second: keys are looked at again after half of it, and once for an id that is unknown.
        const most = 2 + (performance.now() - started) / 500;
        return asked <= most
          ? "keys are asked for as often as their age wants it"
          : `${asked} requests for keys, not ${Math.floor(most)}`;
      },
    },
    {
      name: "a key that was taken back",
      expected: "200, then 401 unauthorized",
      run: async (world) => {
        const old = world.issuer.token({}, "rotating");
        const first = await using(old, world);
        world.issuer.keys.rotating = [newKey("rotating-2")];
        let then = "";
        // The cache lasts a second; the fetch follows a request.
        for (let tries = 0; tries < 60 && !then.startsWith("401"); tries++) {
          await setTimeout(500);
          then = await using(old, world);
        }
        return `${first}, then ${then}`;
      },
    },
    {
      name: "the new key counts",
      expected: "200",
      run: async (world) => {
        let seen = "";
        for (let tries = 0; tries < 60 && seen !== "200"; tries++) {
          seen = await using(world.issuer.token({}, "rotating"), world);
          await setTimeout(500);
        }
        return seen;
      },
    },
  ],
};
