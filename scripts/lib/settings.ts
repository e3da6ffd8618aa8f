import { isFree } from "./ports.ts";
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

/** @throws where a port is taken or assigned twice; the message names the variables to change */
export async function refuseTakenPorts(
  ports: Readonly<Record<string, number>>,
  services: readonly ServiceDefinition[],
  host: string,
): Promise<void> {
  const problems: string[] = [];
  const seen = new Map<number, string>();
  for (const { name, portVariable } of services) {
    const port = ports[name] ?? 0;
    const twin = seen.get(port);
    seen.set(port, name);
    if (twin !== undefined)
      problems.push(`Port ${port} is meant for ${twin} and for ${name}: change ${portVariable}.`);
    else if (!(await isFree(port, host))) {
      problems.push(`Port ${port} (${name}) is taken: set ${portVariable} to a free one.`);
    }
  }
  if (problems.length > 0) throw new Error(problems.join("\n"));
}
