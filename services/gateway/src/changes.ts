import type { MeshManifest, ReloadAnswer } from "@interlock/contracts";
import { canonicalJson, sha256 } from "./canonical-json.ts";
import type { LoadedEdition } from "./mesh/index.ts";

type Changes = ReloadAnswer["changed"];

const SECTIONS = [
  ...(["agents", "flows", "services", "endpoints", "roles", "issuers"] as const),
  ...(["files", "settings"] as const),
] satisfies (keyof Changes)[];
type Section = (typeof SECTIONS)[number];

/** What differs between two editions of the manifest, by section and name. */
export function changesBetween(before: LoadedEdition, after: LoadedEdition): Changes {
  const [earlier, later] = [sectionsOf(before), sectionsOf(after)];
  const changes: Changes = {};
  for (const section of SECTIONS) {
    const [then, now] = [earlier[section], later[section]];
    const added = Object.keys(now).filter((name) => !Object.hasOwn(then, name));
    const removed = Object.keys(then).filter((name) => !Object.hasOwn(now, name));
    const changed = Object.keys(now).filter(
      (name) => Object.hasOwn(then, name) && canonicalJson(now[name]) !== canonicalJson(then[name]),
    );
    if (added.length + removed.length + changed.length > 0) changes[section] = { added, removed, changed };
  }
  return changes;
}

function sectionsOf({
  manifest,
  sources,
}: LoadedEdition): Record<Section, Readonly<Record<string, unknown>>> {
  const { agents, flows, services, endpoints, access, identity, ...settings }: MeshManifest = manifest;
  return {
    agents,
    flows: flows ?? {},
    services: services ?? {},
    endpoints: endpoints ?? {},
    roles: access?.roles ?? {},
    issuers: identity?.issuers ?? {},
    files: Object.fromEntries(Array.from(sources.files, ([name, content]) => [name, sha256(content)])),
    settings,
  };
}
