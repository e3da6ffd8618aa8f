import { type Agent, agentWith, type Change } from "./agent.ts";
import { type Served, type ServeOptions, serveAgent } from "./serve.ts";

/** One agent of the table tests. */
export type Peer = {
  readonly name: string;
  readonly serve: () => Promise<Served>;
};
/** An agent that breaks exactly one rule. */
export type BrokenPeer = Peer & { readonly rule: string };

export function peer(name: string, change?: Change, options?: ServeOptions): Peer {
  return {
    name,
    serve: () => serveAgent(agentWith(change), options),
  };
}

export function broken(rule: string, name: string, change: Change, options?: ServeOptions): BrokenPeer {
  return {
    rule,
    ...peer(name, change, options),
  };
}

export type { Agent };
