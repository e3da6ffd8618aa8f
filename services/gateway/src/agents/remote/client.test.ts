import { expect, test } from "@jest/globals";
import { Egress, EgressRules } from "../../egress/index.ts";
import { startAgent } from "../test/agent.ts";
import { RemoteClient } from "./client.ts";

test("another gateway is asked only where the egress rules allow it, whatever its name leads to", async () => {
  const here = await startAgent((call) => void call.res.writeHead(204).end());
  const client = new RemoteClient({
    gatewayId: "here",
    egress: new Egress({
      rules: new EgressRules({ allow: ["10.0.0.0/8"], loopback: false }),
      resolve: async () => [{ address: "127.0.0.1", family: 4 }],
    }),
  });
  try {
    const signal = new AbortController().signal;
    const ask = { service: "s", url: `http://partner.test:${here.port}`, authorization: undefined, signal };
    const asked = client.follow(ask, "run", 0);
    await expect(asked).rejects.toMatchObject({
      code: "upstream_unavailable",
      reason: "egress_refused",
      passing: false,
      sent: false,
    });
    expect(here.calls).toEqual([]);
  } finally {
    await client.close();
    await here.close();
  }
});
