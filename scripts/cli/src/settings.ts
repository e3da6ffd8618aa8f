import { whoAnswers } from "./neighbours.ts";
import { freePorts, isFree } from "./ports.ts";
import type { ServiceDefinition } from "./services.ts";

/** The ports of `npm start`: from each service's environment variable, or its default. */
export function portsFrom(
  env: NodeJS.ProcessEnv,
  services: readonly ServiceDefinition[],
): Record<string, number> {
  return Object.fromEntries(
    services.map(({ name, portVariable, defaultPort }) => {
      const text = env[portVariable];
      const port = text ? Number(text) : defaultPort;
      if (!Number.isInteger(port) || port < 1 || port > 65_535) {
        throw new Error(`${portVariable} must be a port between 1 and 65535`);
      }
      return [name, port];
    }),
  );
}

/** @throws where a port is taken or assigned twice; the message says by what, if that is a service of a mesh, and how to choose others */
export async function refuseTakenPorts(
  ports: Readonly<Record<string, number>>,
  services: readonly ServiceDefinition[],
  host: string,
): Promise<void> {
  const problems: string[] = [];
  const taken: string[] = [];
  const seen = new Map<number, string>();
  for (const { name, portVariable } of services) {
    const port = ports[name] ?? 0;
    const twin = seen.get(port);
    seen.set(port, name);
    if (twin !== undefined)
      problems.push(`Port ${port} is meant for ${twin} and for ${name}: change ${portVariable}.`);
    else if (!(await isFree(port, host))) {
      const who = await whoAnswers(`http://${host}:${port}`);
      problems.push(
        `Port ${port} (${name}) is taken${who ? ` by ${who}` : ""}: set ${portVariable} to a free one.`,
      );
      taken.push(portVariable);
    }
  }
  if (taken.length > 0) {
    const free = await freePorts(taken.length, host);
    const choice = taken.map((variable, at) => `${variable}=${free[at]}`).join(" ");
    problems.push(`Ports that are free now: ${choice} npm start`);
  }
  if (problems.length > 0) throw new Error(problems.join("\n"));
}
