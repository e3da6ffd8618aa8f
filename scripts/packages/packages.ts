/** A package of this repository that others install. */
export interface Package {
  /** The folder of its package.json, and of its code in `src`. */
  readonly folder: string;
  /** Files that its code reads when it runs: patterns in its folder. They have the same paths in the published package. */
  readonly data: readonly string[];
  readonly bin?: Readonly<Record<string, string>>;
  /** Types that it has a copy of, by the name of the import: nobody then installs a package for its types alone. */
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
};

/** The document that describes the packages. The README of each is its section. */
export const DOCUMENT = "docs/packages.md";

export const SCOPE = "@interlock/";
