import type { SlotDeclaration } from "../../../services/understanding/src/index.ts";
import {
  assemble,
  decode,
  type Model,
  type Op,
  unitsOf,
  viewOf,
} from "../../../services/understanding/src/tagger/index.ts";
import type { Message } from "./generate.ts";
import { isFound, labelOf } from "./label.ts";

type Count = { right: number; all: number };

/** How often a model is right on messages whose roles are known, as tables. */
export function judge(messages: readonly Message[], model: Model): string {
  const roles = new Map<string, { en: Count; ko: Count }>();
  const readings = { en: { right: 0, all: 0 }, ko: { right: 0, all: 0 } };
  const found = { right: 0, all: 0 };
  for (const message of messages) {
    const { text, before, world } = message;
    const language = message.korean ? "ko" : "en";
    const cut = unitsOf(text, world.reader, world.index);
    const view = viewOf(cut, world.reader.slots, before, world.index);
    const decisions = decode(view, model);
    const meant = cut.units.map((unit, at) => {
      const candidates = view.candidates[at] ?? [];
      const right: { op: Op; slot?: SlotDeclaration; name: string } = candidates[
        labelOf(unit, candidates, message)
      ] ?? { op: "none", name: "none" };
      const name = unit.mention ? right.name : right.op === "none" ? "word" : `word: ${right.op}`;
      const counts = roles.get(name) ?? { en: { right: 0, all: 0 }, ko: { right: 0, all: 0 } };
      roles.set(name, counts);
      const role = decisions[at]?.role;
      counts[language].all++;
      if (role?.op === right.op && role.slot === right.slot) counts[language].right++;
      return right;
    });
    for (const span of message.spans) {
      if (!span.slot || span.op === "none") continue;
      if (
        message.spans.some(
          ({ op, start, end }) => op === "unsupported" && start <= span.start && span.end <= end,
        )
      )
        continue;
      found.all++;
      if (isFound(span, cut.units, view.candidates)) found.right++;
    }
    const said = { slots: world.reader.slots, index: world.index, before };
    const read = assemble(
      cut.text,
      cut.units,
      decisions.map(({ role }) => role),
      said,
    );
    const expected = assemble(cut.text, cut.units, meant, said);
    readings[language].all++;
    if (JSON.stringify(read.slots) === JSON.stringify(expected.slots)) readings[language].right++;
  }
  const lines = [...roles]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { en, ko }]) => `| ${name} | ${share(en)} | ${share(ko)} |`);
  return [
    "| role | English | Korean |",
    "|---|---|---|",
    ...lines,
    `| all slots of a message | ${share(readings.en)} | ${share(readings.ko)} |`,
    "",
    `Mentions found: ${share(found)}.`,
  ].join("\n");
}

const share = ({ right, all }: Count): string =>
  all === 0 ? "" : `${((100 * right) / all).toFixed(1)} % of ${all}`;
