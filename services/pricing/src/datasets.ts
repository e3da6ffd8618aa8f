import { readFileSync, statSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { SettingError } from "@interlock/contracts/settings";
import { type Dataset, parseCsv } from "./csv.ts";
import { PricingError } from "./errors.ts";
import { FitCache } from "./fit-cache.ts";
import type { DatasetSource } from "./resolve.ts";
import { parseRulePack, type RulePack, RulePackError, standardRulePack } from "./rule-pack.ts";
import type { PricingInputs } from "./types.ts";

/** The only module of this library that reads the file system. */

const ID = /^[A-Za-z0-9_-]{1,64}$/;
const MOST_BYTES = 128 * 1024 * 1024;
const MOST_CACHED = 32;

/** The directory with the sample catalogue and its scanner dataset. */
export const sampleDirectory = fileURLToPath(new URL("../data", import.meta.url));

/**
 * CSV datasets by id: the file `<id>.csv` of the first directory that has it. Parsed files are cached until
 * their size or modification time changes.
 * @throws (from `load`) PricingError UNKNOWN_DATASET for an id that is malformed or that no directory has;
 *   INVALID_DATASET for a file that is not a table or is larger than 128 MiB
 */
export function directoryDatasets(directories: readonly string[]): DatasetSource {
  const cache = new Map<string, { stamp: string; dataset: Promise<Dataset> }>();

  async function load(id: string): Promise<Dataset> {
    if (!ID.test(id))
      throw new PricingError("UNKNOWN_DATASET", "A dataset is named by an id of letters, digits, _ and -.");
    for (const directory of directories) {
      const path = join(directory, `${id}.csv`);
      const info = await stat(path).catch(() => undefined);
      if (!info?.isFile()) continue;
      if (info.size > MOST_BYTES) {
        throw new PricingError("INVALID_DATASET", `Dataset ${id} is larger than ${MOST_BYTES} bytes.`, {
          dataset: id,
        });
      }
      return cached(path, `${info.mtimeMs}:${info.size}`, id);
    }
    throw new PricingError("UNKNOWN_DATASET", `No dataset is named ${id}.`, { dataset: id });
  }

  function cached(path: string, stamp: string, id: string): Promise<Dataset> {
    const known = cache.get(path);
    if (known?.stamp === stamp) return known.dataset;
    const dataset = readFile(path, "utf8").then((text) => parseCsv(text, id));
    // Do not cache a failure: the next request reads the file again.
    dataset.catch(() => cache.delete(path));
    cache.delete(path);
    cache.set(path, { stamp, dataset });
    const oldest = cache.keys().next();
    if (cache.size > MOST_CACHED && !oldest.done) cache.delete(oldest.value);
    return dataset;
  }

  return { load, fits: new FitCache() };
}

/**
 * The datasets of an agent: those in the directories of DATASETS_DIR, then the shipped sample.
 * @param directories the value of DATASETS_DIR, if set: one or more directories, separated as in PATH
 * @throws SettingError where there is no such directory
 */
export function datasetsUnder(directories: string | undefined): DatasetSource {
  const given = (directories ?? "").split(delimiter).filter((directory) => directory !== "");
  for (const directory of given)
    if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory())
      throw new SettingError(`DATASETS_DIR: there is no directory ${directory}.`);
  return directoryDatasets([...given, sampleDirectory]);
}

/**
 * The rule pack in a file, or the shipped one if no file is given.
 * @param path the value of RULE_PACK, if set
 * @throws SettingError if the file cannot be read, or is not a valid pack
 */
export function readRulePack(path: string | undefined): RulePack {
  if (path === undefined || path === "") return standardRulePack;
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    throw new SettingError(`RULE_PACK: the file ${path} cannot be read.`);
  }
  try {
    return parseRulePack(JSON.parse(text));
  } catch (error) {
    const reason = error instanceof RulePackError ? error.message : "it is not JSON";
    throw new SettingError(`RULE_PACK: ${path}: ${reason}.`);
  }
}

/**
 * The shipped sample request:
 * a small catalogue, most of it with demand fitted on the shipped scanner dataset.
 */
export function sampleInputs(): PricingInputs {
  const sample = JSON.parse(readFileSync(join(sampleDirectory, "sample-catalogue.json"), "utf8"));
  return { catalogue: "Sample catalogue (not your data)", ...sample };
}
