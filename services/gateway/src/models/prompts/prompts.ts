import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

/** Which text a model was asked with. The hash tells versions of a file apart that were changed without a new number. */
export type PromptRef = { name: string; version: number; hash: string };

export type Prompt = PromptRef & {
  /** The text with its `{{places}}` filled. @throws TypeError where a place has no value, or a value no place */
  fill(values: Readonly<Record<string, string>>): string;
};

const FILE = /^([a-z][a-z0-9_-]*)\.v(\d{1,4})\.md$/;
const PLACE = /\{\{([a-z_]+)\}\}/g;

/** The templates of a folder: `<name>.v<number>.md`. A template that was used in earnest is not changed; it gets a new version. */
export class Prompts {
  readonly #prompts: ReadonlyMap<string, readonly Prompt[]>;

  constructor(folder: URL = new URL("./templates/", import.meta.url)) {
    const found = readdirSync(folder).flatMap((file) => {
      const [, name, version] = FILE.exec(file) ?? [];
      if (name === undefined) return [];
      return promptOf(name, Number(version), readFileSync(new URL(file, folder), "utf8"));
    });
    this.#prompts = Map.groupBy(found, ({ name }) => name);
  }

  /** @param version absent: the latest @throws TypeError where there is none */
  get(name: string, version?: number): Prompt {
    const versions = this.#prompts.get(name) ?? [];
    const prompt =
      version === undefined
        ? versions.toSorted((one, other) => other.version - one.version)[0]
        : versions.find((one) => one.version === version);
    if (!prompt)
      throw new TypeError(`there is no prompt ${name}${version === undefined ? "" : `.v${version}`}`);
    return prompt;
  }
}

function promptOf(name: string, version: number, text: string): Prompt {
  const places = new Set(Array.from(text.matchAll(PLACE), ([, place = ""]) => place));
  return {
    name,
    version,
    hash: createHash("sha256").update(text).digest("hex"),
    fill(values) {
      for (const given of Object.keys(values))
        if (!places.has(given)) throw new TypeError(`the prompt ${name}.v${version} has no place ${given}`);
      // One pass: what a value says is never taken for a place.
      return text.trim().replace(PLACE, (_, place: string) => {
        const value = Object.hasOwn(values, place) ? values[place] : undefined;
        if (value === undefined) throw new TypeError(`the prompt ${name}.v${version} needs ${place}`);
        return value;
      });
    },
  };
}
