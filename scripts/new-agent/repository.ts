import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { writtenManifest } from "../../services/gateway/src/mesh/index.ts";
import { SERVICES } from "../lib/services.ts";
import { targetsOf } from "./edits/dockerfile.ts";
import type { Taken } from "./order.ts";

export const FILES = {
  manifest: "mesh.yaml",
  compose: "docker-compose.yml",
  dockerfile: "Dockerfile",
  lint: "biome.json",
  lock: "package-lock.json",
} as const;

/** The files that know of every agent. */
export type Texts = Readonly<Record<keyof typeof FILES, string>>;

export interface Repository {
  readonly texts: Texts;
  readonly taken: Taken;
  /** The agent that new ones are put behind. */
  readonly last: string | undefined;
}

interface Manifest {
  readonly agents?: Readonly<Record<string, { readonly url?: string; readonly tasks?: object }>>;
  readonly services?: object;
}

/** Reads what a new agent is added to. Changes nothing. */
export function readRepository(root: string): Repository {
  const text = (file: string) => readFileSync(join(root, file), "utf8");
  const texts: Texts = {
    manifest: text(FILES.manifest),
    compose: text(FILES.compose),
    dockerfile: text(FILES.dockerfile),
    lint: text(FILES.lint),
    lock: text(FILES.lock),
  };
  const { agents = {}, services = {} }: Manifest = writtenManifest(join(root, FILES.manifest));
  const containers = Object.keys((parse(texts.compose) as { services?: object }).services ?? {});
  const packages = Object.keys((JSON.parse(texts.lock) as { packages: object }).packages);
  return {
    texts,
    taken: {
      names: new Set([
        ...readdirSync(join(root, "services")),
        ...Object.keys(agents),
        ...Object.keys(services),
        ...containers,
        ...targetsOf(texts.dockerfile),
        ...SERVICES.map(({ name }) => name),
        ...packages.flatMap((path) => /^node_modules\/@interlock\/(.+)$/.exec(path)?.[1] ?? []),
      ]),
      tasks: new Set(
        Object.values(agents).flatMap(({ tasks = {} }) =>
          Object.keys(tasks).map((task) => task.toLowerCase()),
        ),
      ),
      ports: new Set([
        ...SERVICES.map(({ defaultPort }) => defaultPort),
        ...Object.values(agents).flatMap(({ url = "" }) => Number(/:(\d+)\}?\/?$/.exec(url)?.[1] ?? 0)),
      ]),
    },
    last: Object.keys(agents).findLast((name) => containers.includes(name)),
  };
}
