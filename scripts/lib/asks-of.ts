import { writtenManifest } from "../../services/gateway/src/mesh/index.ts";

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
