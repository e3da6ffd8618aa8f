import { type ClientRequest, request } from "node:http";
import { request as requestByTls } from "node:https";
import type { buildConnector } from "undici";

type Callback = Parameters<buildConnector.connector>[1];

export type TunnelTarget = {
  host: string;
  port: number;
  timeoutMs: number;
  options: buildConnector.Options;
  /** Speaks TLS over the tunnel's socket. */
  upgrade: buildConnector.connector;
};

/** The proxy did not open the tunnel. */
class TunnelError extends Error {
  readonly code = "EGRESS_PROXY";
}

/** Connects through an HTTP proxy, by CONNECT. The proxy resolves names and decides what they may be. */
export class Tunnel {
  readonly #proxy: URL;

  constructor(proxy: string) {
    this.#proxy = new URL(proxy);
  }

  connect({ host, port, timeoutMs, options, upgrade }: TunnelTarget, callback: Callback): void {
    const asked = this.#ask(`${host.includes(":") ? `[${host}]` : host}:${port}`, timeoutMs);
    const fail = (): void => {
      asked.destroy();
      callback(new TunnelError("the proxy did not open a tunnel"), null);
    };
    asked.once("connect", ({ statusCode }, socket) => {
      if (statusCode !== 200) {
        socket.destroy();
        fail();
        return;
      }
      asked.off("error", fail);
      socket.setTimeout(0);
      if (options.protocol === "https:") upgrade({ ...options, httpSocket: socket }, callback);
      else callback(null, socket);
    });
    asked.once("error", fail);
    asked.once("timeout", () => asked.destroy(new Error("timeout")));
    // The proxy has answered with a page instead of opening a tunnel.
    asked.once("response", (answer) => answer.destroy(new Error("refused")));
    asked.end();
  }

  #ask(target: string, timeout: number): ClientRequest {
    const { protocol, hostname, port, username, password } = this.#proxy;
    const secret = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
    const headers = {
      host: target,
      ...(username === "" ? {} : { "proxy-authorization": `Basic ${secret.toString("base64")}` }),
    };
    const secure = protocol === "https:";
    const open = secure ? requestByTls : request;
    const host = hostname.replace(/^\[(.*)\]$/, "$1");
    return open({
      host,
      port: port || (secure ? 443 : 80),
      method: "CONNECT",
      path: target,
      headers,
      timeout,
      agent: false,
    });
  }
}
