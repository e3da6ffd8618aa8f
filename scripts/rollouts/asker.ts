import { localToken } from "../lib/local-issuer.ts";

export type Reply = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

/** Somebody who asks the mesh through the balancer. Each request is sent once: whatever fails is a failure that users see. */
export class Asker {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  readonly token = (): Promise<string> => localToken({ user: "ann" });

  get(path: string): Promise<Reply> {
    return this.#send(path, {});
  }

  post(path: string, body: object): Promise<Reply> {
    const headers = { "content-type": "application/json" };
    return this.#send(path, { method: "POST", headers, body: JSON.stringify(body) });
  }

  /** Status 0: no answer came. */
  async #send(path: string, init: RequestInit): Promise<Reply> {
    const headers = { ...init.headers, authorization: `Bearer ${await this.token()}` };
    try {
      const response = await fetch(`${this.url}/api/v1${path}`, {
        ...init,
        headers,
        signal: AbortSignal.timeout(30_000),
      });
      const text = await response.text();
      const isJson = response.headers.get("content-type")?.startsWith("application/json");
      return { status: response.status, body: isJson ? JSON.parse(text) : {} };
    } catch (error) {
      return { status: 0, body: { error: causeOf(error) } };
    }
  }
}

function causeOf(error: unknown): string {
  if (!Error.isError(error)) return "unknown";
  const { cause } = error;
  return Error.isError(cause) ? `${"code" in cause ? cause.code : cause.name}` : error.name;
}
