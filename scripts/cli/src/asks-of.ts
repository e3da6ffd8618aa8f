import { writtenManifest } from "@interlock/gateway/manifest";

/** Messages that a manifest gives as examples: one of an agent, and one of a flow, as far as it has them. */
export type ExampleAsks = { readonly agent?: string; readonly flow?: string };

/** @param only names of the parts to take; absent: all */
export function asksOf(file: string, only?: readonly string[]): ExampleAsks {
  const services = Object.values(Object(writtenManifest(file, only).services)).map(Object);
  const first = (member: string): string | undefined => {
    const found = services.find(
      (service) => service[member] !== undefined && exampleOf(service) !== undefined,
    );
    return found && exampleOf(found);
  };
  const [agent, flow] = [first("agent"), first("flow")];
  return { ...(agent === undefined ? {} : { agent }), ...(flow === undefined ? {} : { flow }) };
}

function exampleOf({ examples }: { examples?: unknown }): string | undefined {
  const [example] = Array.isArray(examples) ? examples : [];
  return typeof example === "string" ? example : undefined;
}

/** A role that the manifest has somebody decide with: that of its first approval. @param only as in `asksOf` */
export function approverIn(file: string, only?: readonly string[]): string {
  const flows = Object.values(Object(writtenManifest(file, only).flows)).map(Object);
  const approvals = flows.flatMap(({ steps }) =>
    Object.values(Object(steps)).map((step) => Object(step).approval),
  );
  const [role] = approvals.flatMap((approval) => {
    const { roles } = Object(approval);
    return Array.isArray(roles) ? roles.map(String) : [];
  });
  return role ?? "approver";
}
