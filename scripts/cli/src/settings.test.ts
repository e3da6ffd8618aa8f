import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "@jest/globals";
import { SERVICES } from "../../lib/services.ts";
import { portsFrom, refuseTakenPorts } from "./settings.ts";

const HOST = "127.0.0.1";

test("every service has its usual port, or the one its variable says", () => {
  const usual = Object.fromEntries(SERVICES.map(({ name, defaultPort }) => [name, defaultPort]));
  expect(usual).toMatchObject({ gateway: 8080, optimizer: 8081, policy: 8082 });
  expect(new Set(Object.values(usual)).size).toBe(SERVICES.length);
  expect(portsFrom({ POLICY_PORT: "9000" }, SERVICES)).toEqual({ ...usual, policy: 9000 });
});

test.each(["0", "65536", "80a", "-1", "8080.5"])("%s is no port", (text) => {
  expect(() => portsFrom({ GATEWAY_PORT: text }, SERVICES)).toThrow("GATEWAY_PORT must be a port");
});

test("a taken port is named with the variable that changes it", async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, HOST);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const ports = { ...portsFrom({}, SERVICES), gateway: port };
  const gateway = SERVICES.filter(({ name }) => name === "gateway");
  await expect(refuseTakenPorts(ports, gateway, HOST)).rejects.toThrow(
    `Port ${port} (gateway) is taken: set GATEWAY_PORT`,
  );
  server.close();
});

test("one port for two services is refused", async () => {
  const ports = { ...portsFrom({}, SERVICES), policy: 8081 };
  await expect(refuseTakenPorts(ports, SERVICES, HOST)).rejects.toThrow(
    "meant for optimizer and for policy: change POLICY_PORT",
  );
});
