import { readdirSync } from "node:fs";
import { join } from "node:path";
import { edited } from "../../../services/gateway/src/conversation/constraints-over-turns.ts";
import { ownWords, spellers } from "../../../services/gateway/src/conversation/spelling.ts";
import { merged } from "../../../services/gateway/src/conversation/working-set.ts";
import { constraintsOf, type Flow, loadMesh, slotsOf } from "../../../services/gateway/src/mesh/index.ts";
import { namesOf } from "../../../services/understanding/src/catalogue/entity-index.ts";
import {
  type EntityIndex,
  indexEntities,
  type SlotReader,
  type Slots,
} from "../../../services/understanding/src/index.ts";
import { unknownNames } from "../../../services/understanding/src/ledger/unknown-names.ts";
import {
  assemble,
  type Candidate,
  decode,
  Features,
  type Model,
  rolesIn,
  scoreUnit,
  type Units,
  unitsOf,
  viewOf,
} from "../../../services/understanding/src/tagger/index.ts";
import { type Domain, readDomain, valuesIn } from "../../judge/domain.ts";
import { Meaning, textsOf } from "../../judge/meaning.ts";
import { type Conversation, catalogueOf, readSet, tasksOf, type Wanted } from "../../judge/set.ts";
import type { Example } from "./train.ts";

const SETS = join(import.meta.dirname, "../../judge/sets");

/** A message of a set, with what was in force before it and what is wanted behind it. */
export type Said = {
  readonly id: string;
  readonly writer: string;
  readonly domain: Domain;
  readonly korean: boolean;
  readonly flow: Flow;
  readonly reader: SlotReader;
  readonly index: EntityIndex;
  readonly meaning: Meaning;
  readonly text: string;
  readonly before: Slots;
  readonly wanted: readonly Wanted[];
  readonly named: readonly string[];
  readonly all: (slot: string) => readonly string[];
  /** Units that are names which the inputs do not have. */
  readonly unknown: (cut: Units) => readonly boolean[];
};

/** The judged messages of the sets that ask for something. */
export function readSaid(files = setFiles()): Said[] {
  return files.flatMap((file) => {
    const set = readSet(join(SETS, file));
    const domain = readDomain(set[0]?.domain ?? "");
    const mesh = loadMesh(domain.meshFile, { ...process.env });
    const flow = mesh.flows.get(domain.flow);
    if (!flow?.slots) throw new Error(`${domain.flow} has no slots`);
    const spellerFor = spellers(ownWords(flow, mesh, flow.slots.slots));
    return set.flatMap((conversation) => saidIn(conversation, file, domain, flow, spellerFor));
  });
}

const setFiles = (): string[] =>
  readdirSync(SETS)
    .filter((name) => /^(?:strangers|phrases)-.*\.jsonl$/.test(name))
    .sort();

function saidIn(
  conversation: Conversation,
  file: string,
  domain: Domain,
  flow: Flow,
  spellerFor: ReturnType<typeof spellers>,
): Said[] {
  const { slots: reader } = flow;
  if (!reader) return [];
  const catalogue = catalogueOf(conversation, join(SETS, file)) ?? domain.catalogue;
  const index = indexEntities(reader.slots, catalogue);
  const spelled = spellerFor(index);
  const meaning = new Meaning(domain, catalogue);
  const all = (name: string): readonly string[] => {
    const slot = domain.slots.get(name);
    return slot ? [...valuesIn(catalogue, slot).keys()] : [];
  };
  const found = new WeakMap<Units, readonly boolean[]>();
  const unknown = (cut: Units): readonly boolean[] => {
    const known = found.get(cut) ?? unknownNames(cut.text, cut.units, namesOf(index));
    found.set(cut, known);
    return known;
  };
  let before: Slots = {};
  return conversation.turns.flatMap(({ says, wants }, at) => {
    const inForce = before;
    if (!wants) return [];
    const wanted = wants.constraints ?? [];
    const word = tasksOf(wants)[0] ?? "";
    if (word !== "none" && word !== "talk" && word !== "ask")
      before = slotsOf(
        flow,
        plain(
          wanted.filter((one) => !isPassing(one.slot, domain)),
          all,
        ),
      );
    else return [];
    return [
      {
        id: `${conversation.id}.${at + 1}`,
        writer: file.split("-").slice(0, 2).join("-"),
        domain,
        korean: conversation.language === "ko",
        flow,
        reader,
        index,
        meaning,
        text: spelled(says.replace(/\s+/g, " ")),
        before: inForce,
        wanted,
        named: wants.named ?? [],
        all,
        unknown,
      },
    ];
  });
}

const isPassing = (slot: string, { slots }: Domain): boolean => {
  const { reads, kind } = slots.get(slot) ?? {};
  return reads === "change" || kind === "count";
};

/** All but some as the others. */
function plain(wanted: readonly Wanted[], all: (slot: string) => readonly string[]) {
  return wanted.map(({ slot, op, value, unit, direction, scope }) => {
    const out = op === "except" || op === "freeze";
    const named = new Set(textsOf(value));
    const values = out ? all(slot).filter((one) => !named.has(one.toLowerCase())) : value;
    return {
      slot,
      op: out ? "only" : op,
      value: values,
      ...(unit ? { unit } : {}),
      ...(direction ? { direction } : {}),
      ...(scope ? { scope } : {}),
    } as never;
  });
}

/** What is in force behind a message that was read so. */
export function behind(said: Said, cut: Units, roles: readonly Candidate[]): Slots {
  const decisions = roles.map((role) => ({ role, probability: 1 }));
  const reading = assemble(cut.text, cut.units, rolesIn(cut, decisions, said.index, said.unknown(cut)), {
    slots: said.reader.slots,
    index: said.index,
    before: said.before,
  });
  const changed = edited(reading, said.before, said.all);
  const aside = said.reader.slots.flatMap(({ name, setsAside = [] }) =>
    changed.slots[name] === undefined ? [] : setsAside,
  );
  return merged(merged(said.before, changed.slots, changed.cleared), {}, aside);
}

/** Faults of what is in force: wanted constraints that are not, and others that are. */
export function faultsOf(said: Said, slots: Slots): { missing: number; extra: number } {
  const { missing, other, extra } = said.meaning.compare(said.wanted, constraintsOf(said.flow, slots));
  return { missing: missing.length, extra: extra.length + other.length };
}

const sum = ({ missing, extra }: { missing: number; extra: number }): number => missing + extra;

/** Roles of the units under which all is in force that is wanted, and nothing else: the most probable ones by a model. */
export function align(said: Said, model: Model): Example | undefined {
  const cut = unitsOf(said.text, said.reader, said.index);
  const view = viewOf(cut, said.reader.slots, said.before, said.index);
  const features = new Features();
  const first = decode(view, model).map(({ role }) => role);
  const named = said.named.map((phrase) => {
    const start = cut.text.toLowerCase().indexOf(phrase.toLowerCase());
    return [start, start + phrase.length] as const;
  });
  const isNamed = (at: number): boolean => {
    const unit = cut.units[at];
    return unit !== undefined && named.some(([from, to]) => from >= 0 && unit.start < to && from < unit.end);
  };
  const roles = first.map((role, at) => {
    const unit = cut.units[at];
    const candidates = view.candidates[at] ?? [];
    const unsupported = candidates.find(({ op }) => op === "unsupported");
    if (isNamed(at) && unsupported && (unit?.mention || !unit?.common)) return unsupported;
    if (!isNamed(at) && role.op === "unsupported" && candidates[0]) return candidates[0];
    return role;
  });
  const costs = view.units.map((_, at) => {
    const { candidates, scores } = scoreUnit(view, roles, at, model, features);
    const best = Math.max(...scores);
    return candidates.map((_, i) => best - (scores[i] ?? 0));
  });
  const faults = (some: readonly Candidate[]): number => sum(faultsOf(said, behind(said, cut, some)));
  type State = { roles: Candidate[]; cost: number; faults: number };
  let beam: State[] = [{ roles, cost: 0, faults: faults(roles) }];
  let found = beam.filter((one) => one.faults === 0);
  for (let depth = 0; depth < DEPTH && found.length === 0; depth++) {
    const next: State[] = [];
    const seen = new Set<string>();
    for (const state of beam) {
      for (const [at, unit] of view.units.entries()) {
        if (isNamed(at)) continue;
        for (const [i, candidate] of (view.candidates[at] ?? []).entries()) {
          if (candidate === state.roles[at] || candidate.op === "unsupported") continue;
          if (!unit.mention && (candidate.op !== "clear" || (unit.common && unit.means === 0))) continue;
          const changed = state.roles.with(at, candidate);
          const key = changed.map((one) => `${one.name}${one.slot?.name ?? ""}`).join();
          if (seen.has(key)) continue;
          seen.add(key);
          next.push({
            roles: changed,
            cost: state.cost + (costs[at]?.[i] ?? 0) + (unit.mention ? 0 : 2),
            faults: faults(changed),
          });
        }
      }
    }
    found = next.filter((one) => one.faults === 0);
    beam = next.sort((a, b) => a.faults - b.faults || a.cost - b.cost).slice(0, BEAM);
  }
  const best = found.sort((a, b) => a.cost - b.cost)[0];
  if (!best) return undefined;
  const labels = Uint8Array.from(view.units, (_, at) =>
    Math.max(0, (view.candidates[at] ?? []).indexOf(best.roles[at] as Candidate)),
  );
  return { view, labels };
}

const DEPTH = 4;
const BEAM = 12;

/** Whether a model reads a message right. */
export function readsRight(said: Said, model: Model): boolean {
  const cut = unitsOf(said.text, said.reader, said.index);
  const roles = decode(viewOf(cut, said.reader.slots, said.before, said.index), model).map(
    ({ role }) => role,
  );
  return sum(faultsOf(said, behind(said, cut, roles))) === 0;
}
