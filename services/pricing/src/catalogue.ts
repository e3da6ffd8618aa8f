import { formatFor, type Printing } from "./format.ts";

/** Which items an answer is about (wire shape). */
export type Catalogue = {
  name?: string;
  items: number;
  /** The request had no inputs: these are the items that come with the agent. */
  sample: boolean;
};

type Asked = Printing & { readonly catalogue?: string; readonly items?: readonly unknown[] };

/**
 * An answer with the catalogue that it is about: as a field, and as the first line of its summary, so that nobody
 * takes the sample for their own items.
 * @param inputs without `items`, one item is meant
 */
export function aboutCatalogue<T extends { summary: string }>(
  answer: T,
  inputs: Asked,
  sample: boolean,
): T & { catalogue: Catalogue } {
  const items = inputs.items?.length ?? 1;
  const size = formatFor(inputs).counted(items, "item", "items");
  const line = sample
    ? `This is the sample catalogue of ${size} that comes with the agent, not your data.`
    : `${inputs.catalogue ?? "Catalogue without a name"}, ${size}.`;
  const catalogue = {
    ...(inputs.catalogue === undefined ? {} : { name: inputs.catalogue }),
    items,
    sample,
  };
  return { ...answer, catalogue, summary: `${line}\n${answer.summary}` };
}
