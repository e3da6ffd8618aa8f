import type { Order } from "../order.ts";

/** The images of issuer and gateway are prepared further. */
const AGENT = /^FROM service AS (?!issuer$|gateway$)/;
const PACKAGE = /^COPY services\/(\S+)\/package\.json .*$/;

/** Dockerfile: the package among those that are installed, and a target for the agent's image. */
export function addToDockerfile(text: string, { name, port }: Order): string {
  const lines = text.split("\n");
  const after = lines.findLastIndex((line) => (PACKAGE.exec(line)?.[1] ?? name) < name);
  const first = lines.findIndex((line) => PACKAGE.test(line));
  if (first < 0) throw new Error("no line copies services/…/package.json");
  lines.splice(after < 0 ? first : after + 1, 0, `COPY services/${name}/package.json services/${name}/`);

  const last = lines.findLastIndex((line) => AGENT.test(line));
  const end = lines.indexOf("", last);
  if (last < 0 || end < 0) throw new Error("there is no target of an agent to add another one to");
  lines.splice(
    end,
    0,
    "",
    `FROM service AS ${name}`,
    `ENV PORT=${port}`,
    `EXPOSE ${port}`,
    `CMD ["node", "services/${name}/src/main.ts"]`,
  );
  return lines.join("\n");
}

/** The names of all targets. */
export function targetsOf(text: string): string[] {
  return [...text.matchAll(/^FROM .* AS (\S+)$/gim)].map(([, name = ""]) => name);
}
