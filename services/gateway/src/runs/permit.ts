import type { Caller } from "../caller.ts";
import { GatewayError } from "../errors.ts";
import type { Access } from "../identity/index.ts";
import type { Plan, Use } from "./plan.ts";

/**
 * Refuses a plan before anything of it is started: a step in the middle that its caller may not use would leave half of it done.
 * @throws GatewayError forbidden with the name of what is refused
 */
export function permit(access: Access, caller: Caller, plan: Plan): void {
  for (const use of plan.uses) if (!access.may(caller, "use", use.resource)) throw refusalOf(use);
}

/** Names from the manifest, safe to show. */
function refusalOf({ resource, step }: Use): GatewayError {
  if (step !== undefined)
    return new GatewayError("forbidden", `You may not use what the step "${step}" does.`, {
      extra: { step },
    });
  switch (resource.kind) {
    case "goal": {
      const { flow, goal } = resource;
      const message = `You may not ask for the goal "${goal}" of the flow "${flow}".`;
      return new GatewayError("forbidden", message, { extra: { flow, goal } });
    }
    case "flow": {
      const { name } = resource;
      return new GatewayError("forbidden", `You may not use the flow "${name}".`, { extra: { flow: name } });
    }
    case "service": {
      const { name } = resource;
      return new GatewayError("forbidden", `You may not use the service "${name}".`, {
        extra: { service: name },
      });
    }
    default:
      return new GatewayError("forbidden");
  }
}
