import { planOfFlow } from "../../runs/index.ts";
import type { Turn, TurnDeps } from "../turn-step.ts";
import { languageOf } from "../wording.ts";
import { STATE_TEXTS } from "./state-texts.ts";

/** Where the turn's run may come to wait for an approval, the user is offered to ask how it stands. */
export function offerState(turn: Turn, { state, mesh }: TurnDeps): void {
  const { target, request } = turn;
  const flow = target.kind === "flow" ? mesh.flows.get(target.flow) : undefined;
  if (!state || !flow || target.kind !== "flow") return;
  const mayWait = planOfFlow(flow, target.goals).steps.some(({ approval }) => approval !== undefined);
  if (mayWait) turn.pauseButtons = [STATE_TEXTS[languageOf(request.message ?? "")].button];
}
