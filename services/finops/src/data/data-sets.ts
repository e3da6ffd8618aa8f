import { fileURLToPath } from "node:url";
import { FinopsError } from "../errors.ts";
import { type FocusData, openFocus } from "./open.ts";

const TENANT = "{tenant}";
const NAME = /^[A-Za-z0-9_-]{1,64}$/;
/** Each holds its rows in memory. */
const MOST_OPEN = 4;

/** The data set of each tenant. */
export interface DataSets {
  /** @throws FinopsError UNKNOWN_DATA_SET, INVALID_DATA */
  of(tenant: string | undefined): Promise<FocusData>;
  /** Loads what all tenants share. @throws FinopsError INVALID_DATA */
  preload(): Promise<void>;
  close(): Promise<void>;
}

/** The generated sample: thirteen months of three providers. */
export const samplePlace = fileURLToPath(new URL("../../data/sample.parquet", import.meta.url));

/**
 * @param place the value of FOCUS_DATA: a file, or a directory. With `{tenant}` in it, each tenant has its own, and is never shown another's;
 *   without, all tenants share one. Not set: the sample
 */
export function dataSets(place: string | undefined, open = openFocus): DataSets {
  const given = place || samplePlace;
  const opened = new Map<string, Promise<FocusData>>();

  async function of(tenant: string | undefined): Promise<FocusData> {
    const path = given.includes(TENANT) ? given.replaceAll(TENANT, nameOf(tenant)) : given;
    const known = opened.get(path);
    if (known !== undefined) {
      opened.delete(path);
      opened.set(path, known);
      return await known;
    }
    const data = open(path);
    opened.set(path, data);
    // The next question tries again: the files may be mended by then.
    data.catch(() => opened.delete(path));
    await closeOldest();
    return await data;
  }

  async function closeOldest(): Promise<void> {
    const [oldest] = opened;
    if (oldest === undefined || opened.size <= MOST_OPEN) return;
    opened.delete(oldest[0]);
    // A question that is under way keeps its own connection.
    (await oldest[1].catch(() => undefined))?.close();
  }

  async function close(): Promise<void> {
    const all = [...opened.values()];
    opened.clear();
    for (const data of all) (await data.catch(() => undefined))?.close();
  }

  async function preload(): Promise<void> {
    if (!given.includes(TENANT)) await of(undefined);
  }

  return { of, preload, close };
}

function nameOf(tenant: string | undefined): string {
  if (tenant === undefined || !NAME.test(tenant))
    throw new FinopsError(
      "UNKNOWN_DATA_SET",
      "The billing data are kept by tenant, and the caller's is not known.",
    );
  return tenant;
}
