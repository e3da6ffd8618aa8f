import type { ToolCallRecord } from "@interlock/contracts";
import type { Artifact } from "../callees/index.ts";
import { GatewayError } from "../errors.ts";
import { seal, unseal } from "../sealing.ts";
import {
  artifactField,
  callField,
  type Journal,
  type JournaledCall,
  type JournaledRound,
  roundField,
} from "../store/index.ts";
import { shownCalls } from "./lineage.ts";
import type { LiveRun } from "./live-run.ts";

export type LineageOptions = {
  /** Whether arguments and results stay when a run is over, and answers have them. */
  isKept: boolean;
  /** 32 bytes; with it the store has them encrypted, and events none of them. */
  key?: Buffer | undefined;
};

/** How the journal keeps what tools were called with, and what they answered. */
export class LineageKeeping {
  readonly #options: LineageOptions;

  constructor(options: LineageOptions) {
    this.#options = options;
  }

  /** An entry of the journal. @param field binds it to its place: it cannot be read as another one */
  write(entry: JournaledCall | JournaledRound, run: string, field: string): string {
    return this.#sealed(JSON.stringify(entry), `${run} ${field}`);
  }

  #sealed(text: string, place: string): string {
    const { key } = this.#options;
    if (!key) return text;
    return JSON.stringify({ sealed: seal(key, text, place).toString("base64") });
  }

  /** Likewise what a call has brought that is no text. */
  writeArtifact(
    { contentType, data }: Pick<Artifact, "contentType" | "data">,
    run: string,
    id: string,
  ): string {
    return this.#sealed(JSON.stringify({ contentType, data }), `${run} ${artifactField(id)}`);
  }

  /** @returns undefined for what is not kept. @throws GatewayError internal, where the key is another one */
  openArtifact(entry: string, run: string, id: string): { contentType: string; data: Buffer } | undefined {
    const { sealed }: { sealed?: unknown } = JSON.parse(entry);
    const text = typeof sealed === "string" ? this.#opened(sealed, `${run} ${artifactField(id)}`) : entry;
    const { contentType, data }: { contentType?: string; data?: string } = JSON.parse(text);
    if (contentType === undefined || data === undefined) return undefined;
    return { contentType, data: Buffer.from(data, "base64") };
  }

  /** Opens what {@link write} has sealed, in a journal as it was read. @throws GatewayError internal, where the key is another one */
  open(journal: Journal, run: string): Journal {
    for (const key of Object.keys(journal.calls)) this.#openIn(journal.calls, key, run, callField(key));
    for (const key of Object.keys(journal.rounds)) this.#openIn(journal.rounds, key, run, roundField(key));
    return journal;
  }

  /** What answers and events say of calls. Events are in clear text. */
  shown(calls: Journal["calls"]): ToolCallRecord[] {
    const { isKept, key } = this.#options;
    if (!isKept) return [];
    return key ? shownCalls(calls).map(bare) : shownCalls(calls);
  }

  /** Takes arguments and results out of the journal, with the run's last write. */
  forget(run: LiveRun, { calls, rounds }: Pick<Journal, "calls" | "rounds">): void {
    if (this.#options.isKept) return;
    for (const [key, { record, acts }] of Object.entries(calls)) {
      const { artifacts = [], ...rest } = bare(record);
      const entry: JournaledCall = { record: rest, text: "", signature: "", acts };
      run.note(callField(key), JSON.stringify(entry));
      for (const { id } of artifacts) run.note(artifactField(id), "{}");
    }
    for (const [key, { model }] of Object.entries(rounds))
      run.note(roundField(key), JSON.stringify({ text: "", calls: [], model }));
  }

  #openIn<T>(entries: Record<string, T>, key: string, run: string, field: string): void {
    const { sealed }: { sealed?: unknown } = Object(entries[key]);
    if (typeof sealed === "string") entries[key] = JSON.parse(this.#opened(sealed, `${run} ${field}`)) as T;
  }

  #opened(sealed: string, place: string): string {
    const { key } = this.#options;
    try {
      if (!key) throw new TypeError("there is no key");
      return unseal(key, Buffer.from(sealed, "base64"), place);
    } catch (cause) {
      throw new GatewayError("internal", "The lineage of the run is encrypted with another key.", { cause });
    }
  }
}

/** Without what was said and answered. */
function bare({ input: _, output: __, result_summary: ___, ...record }: ToolCallRecord): ToolCallRecord {
  return record;
}
