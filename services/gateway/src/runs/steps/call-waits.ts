import type { Step } from "../../mesh/index.ts";

/** Exactly what was checked and is to be approved, and the constraints that it cannot show. */
export type Asked = { proposal: unknown; unseen: readonly string[] };

/** A call within a step waits for a person. What is decided counts for this call alone. */
export class CallWaits extends Error {
  override readonly name = "CallWaits";
  /** The step, with the call's key as its id and the call's rule. */
  readonly step: Step;
  readonly asked: Asked;
  /** The flow whose step it is; absent: the step is a call of its service. */
  readonly flow: string | undefined;

  constructor(step: Step, asked: Asked, flow?: string) {
    super("a call waits for an approval");
    this.step = step;
    this.asked = asked;
    this.flow = flow;
  }
}
