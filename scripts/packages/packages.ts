/** A package of this repository that others install. */
export interface Package {
  /** The folder of its package.json, and of its code in `src`. */
  readonly folder: string;
  /** Files that its code reads when it runs: patterns in its folder. They have the same paths in the published package. */
  readonly data: readonly string[];
  /** Files of elsewhere in the repository that it has too, by their path in it. */
  readonly brings?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
  /** Types that it has a copy of, by the name of the import: nobody then installs a package for its types alone. */
  /** Whether nobody installs it for itself: it comes with the command `interlock`, whose section of the document is enough. */
  readonly internal?: boolean;
  /** Bytes that its tarball may have, where that is more than usual. */
  readonly largest?: number;
  /** Its name, where that is not in our scope. */
  readonly name?: string;
  readonly copies?: Readonly<Record<string, { readonly from: string; readonly to: string }>>;
}

/** Contracts first: the others compile against its declarations. */
export const PACKAGES: Readonly<Record<string, Package>> = {
  contracts: { folder: "contracts", data: ["*/v1/*.schema.json", "*/v1/*.yaml"] },
  client: {
    folder: "services/client",
    data: [],
    copies: { "#contract": { from: "contracts/dist/types.generated.d.ts", to: "dist/contract.d.ts" } },
  },
  "agent-kit": { folder: "services/agent-kit", data: [] },
  conformance: {
    folder: "scripts/conformance",
    data: [],
    bin: { "interlock-conformance": "dist/main.js" },
  },
  // Its models are most of it.
  understanding: {
    folder: "services/understanding",
    data: ["models/*.bin", "models/goals.json", "models/risk.json"],
    internal: true,
    largest: 1_000_000,
  },
  telemetry: { folder: "services/telemetry", data: [], internal: true },
  issuer: { folder: "services/issuer", data: [], internal: true },
  gateway: {
    folder: "services/gateway",
    data: ["guards/injection/scorer.json"],
    internal: true,
    largest: 3_000_000,
  },
  cli: { folder: "scripts/cli", data: [], bin: { interlock: "dist/main.js" } },
  "create-interlock": {
    folder: "scripts/create-interlock",
    name: "create-interlock",
    data: ["template/**/*", "template/**/.github/**/*"],
    brings: { "template/python/agent/contract.py": "scripts/new-agent/templates/python/contract.py" },
    bin: { "create-interlock": "dist/main.js" },
  },
};

/** The name that a package is published under. */
export function publishedName(name: string): string {
  return PACKAGES[name]?.name ?? `${SCOPE}${name}`;
}

/** The document that describes the packages. The README of each is its section. */
export const DOCUMENT = "docs/packages.md";

export const SCOPE = "@interlock/";
