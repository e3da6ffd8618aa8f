import { parentPort } from "node:worker_threads";
import { contractFolders } from "@interlock/contracts";
import { stringify } from "yaml";
import { ERRORS } from "../errors.ts";
import { apiHtml } from "./api-html.ts";
import { readAssets } from "./assets.ts";
import { bundle } from "./bundle.ts";
import { layout, PLACES, rawOf } from "./layout.ts";

/** @property type of the content; `page`: HTML */
export type MadeDocument = { path: string; type: string; text: string };

const page = layout(readAssets());

parentPort?.postMessage([...documentsOf("gateway", PLACES.api), ...documentsOf("agent", PLACES.agents)]);

/** Those of a contract. */
function documentsOf(name: string, place: string): MadeDocument[] {
  const contract = contractFolders.find((folder) => folder.name === name);
  if (!contract) throw new Error(`there is no contract ${name}`);
  const document = bundle(contract);
  const { json, yaml } = rawOf(place);
  const codes = Object.entries(ERRORS).map(([code, error]) => ({ code, ...error }));
  const body = apiHtml(document, { json, yaml }, place === PLACES.api ? codes : []);
  const { text } = page({ title: document.info.title, here: place, body, styles: ["docs"], script: "docs" });
  return [
    { path: place, type: "page", text },
    { path: json, type: "application/json; charset=utf-8", text: JSON.stringify(document) },
    {
      path: yaml,
      type: "application/yaml; charset=utf-8",
      text: stringify(document, { aliasDuplicateObjects: false }),
    },
  ];
}
