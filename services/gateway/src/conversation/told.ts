import type { Claim } from "../language/index.ts";

/** What a model says that a message says. Nothing of it is believed without the message. */
export type Told = {
  /** Goals, or one service; or that it is talk, or for nobody here. */
  route:
    | { kind: "goals"; goals: readonly string[] }
    | { kind: "service"; service: string }
    | { kind: "talk" | "none" };
  /** It goes on with what was asked last: what was said for one ask still holds. */
  goesOn: boolean;
  /** It first takes back the last change, or everything. */
  command: "none" | "undo" | "start_over";
  claims: readonly Claim[];
  /** Phrases that constrain and that no slot takes. */
  named: readonly string[];
  /** The model that said it. */
  model: string;
};
