import { randomUUID } from "node:crypto";
import type { Area } from "../attack.ts";
import { verdict } from "../http.ts";
import { bearer, type World } from "../world.ts";

const AT_ONCE = 500;

const chat = ({ url, issuer }: World, user: string, query = ""): Promise<string> =>
  verdict(`${url}/api/v1/chat${query}`, {
    headers: issuer.as(user),
    body: { message: "What is the optimal price?", session_id: randomUUID() },
  });

export const FLOODS: Area = {
  title: "floods",
  attacks: [
    {
      name: "a flood of bad tokens",
      expected: "401, then 429",
      run: async ({ open }) => {
        const seen = new Set<string>();
        for (let n = 0; n < 200; n++)
          seen.add((await verdict(`${open}/api/v1/runs`, { headers: bearer(`bad-${n}`) })).slice(0, 3));
        return [...seen].join(", then ");
      },
    },
    {
      name: "a good token beside the flood",
      expected: "200",
      run: ({ open, issuer }) => verdict(`${open}/api/v1/runs`, { headers: issuer.as("ann") }),
    },
    {
      name: `${AT_ONCE} streams of one user`,
      expected: "others are served",
      run: async (world) => {
        const flood = Promise.all(
          Array.from({ length: AT_ONCE }, () => chat(world, "greedy", "?stream=true").catch(String)),
        );
        const other = await chat(world, "modest");
        const odd = (await flood).filter((one) => !/^(?:200|429|503)/.test(one));
        return other === "200" && odd.length === 0
          ? "others are served"
          : `${other}; ${odd.slice(0, 3).join(", ")}`;
      },
    },
    {
      name: `${AT_ONCE} sessions of one user`,
      expected: "others are served",
      run: async (world) => {
        const flood = Promise.all(Array.from({ length: AT_ONCE }, () => chat(world, "greedy").catch(String)));
        const other = await chat(world, "modest");
        const odd = (await flood).filter((one) => !/^(?:200|429|503)/.test(one));
        return other === "200" && odd.length === 0
          ? "others are served"
          : `${other}; ${odd.slice(0, 3).join(", ")}`;
      },
    },
  ],
};
