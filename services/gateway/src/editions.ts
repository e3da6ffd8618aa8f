import { setTimeout as sleep } from "node:timers/promises";
import type { ReloadAnswer } from "@interlock/contracts";
import type { Logger } from "pino";
import type { Audit } from "./audit/index.ts";
import type { Caller } from "./caller.ts";
import { changesBetween } from "./changes.ts";
import { Edition, type EditionDeps } from "./edition.ts";
import { GatewayError } from "./errors.ts";
import { describeError } from "./http/index.ts";
import { IssuerError, undecidableSteps } from "./identity/index.ts";
import { type LoadedEdition, loadEditionInTurns, MeshError } from "./mesh/index.ts";
import type { RunEditions } from "./runs/index.ts";
import { type Gate, type GateDeps, gateOf, type Serving } from "./serving.ts";
import type { RunOrder } from "./store/index.ts";

export type EditionsDeps = EditionDeps &
  GateDeps & {
    manifest: Parameters<typeof loadEditionInTurns>[0];
    /** Builds the part that serves callers from an edition. */
    serve: (edition: Edition, gate: Gate) => Promise<Serving>;
    audit: Pick<Audit, "note">;
    logger: Logger;
    onTrouble: (where: string, error: unknown) => void;
  };

/** The edition for new requests, and what serves them. */
type Current = { edition: Edition; serving: Serving };

const RENEWAL_MS = 3_600_000;

/** What is silent for longer is no reason to keep a replica from work. */
const LONGEST_LOOK_MS = 5_000;

/** Earlier editions that are kept as they were read: many runs may wait for a person since one of them, and come back one by one. */
const KEPT = 4;

/** The editions of the manifest in this process: the one that counts for new requests, and those with which runs under way here began. */
export class Editions implements RunEditions {
  readonly #deps: EditionsDeps;
  #now: Current | undefined;
  /** All that are open, also the current one. */
  readonly #open = new Set<Edition>();
  readonly #opening = new Map<string, Promise<void>>();
  readonly #read = new Map<string, LoadedEdition>();
  /** Editions whose sources are no manifest here. All that they are made from stays the same while this process lives. */
  readonly #unusable = new Set<string>();
  #reloading: Promise<unknown> = Promise.resolve();
  #renewal: NodeJS.Timeout | undefined;
  #hasLooked = false;
  #closed = false;

  constructor(deps: EditionsDeps) {
    this.#deps = deps;
  }

  get current(): Edition {
    return this.#latest.edition;
  }

  /** What serves callers by the current edition. */
  get serving(): Serving {
    return this.#latest.serving;
  }

  /** Whether the agents and tool servers of the first edition were looked at: until then a request would find none of their tools. */
  get hasLooked(): boolean {
    return this.#hasLooked;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Begins with an edition, which was checked before anything was opened. */
  async start(first: LoadedEdition, gate: Gate): Promise<void> {
    this.#now = await this.#made(first, gate);
    await this.#share(this.current);
    const looking = this.current.start();
    void Promise.race([looking, sleep(LONGEST_LOOK_MS, undefined, { ref: false })]).then(() => {
      this.#hasLooked = true;
    });
    this.#renewal = setInterval(() => this.#renew(), RENEWAL_MS).unref();
  }

  async of({ edition: hash = this.current.hash }: Pick<RunOrder, "edition">): Promise<Edition> {
    for (;;) {
      if (this.#closed) throw new GatewayError("draining");
      const open = this.#find(hash);
      if (open) {
        open.enter();
        return open;
      }
      await this.#reopened(hash);
    }
  }

  /**
   * Reads the manifest again. All of it is checked before anything changes; requests that come after that are served by the new edition.
   * @param by absent: a signal asks for it
   * @throws GatewayError invalid_manifest, draining
   */
  reload(by?: Caller): Promise<ReloadAnswer> {
    const reloaded = this.#reloading.then(() => this.#reload(by));
    this.#reloading = reloaded.catch(() => undefined);
    return reloaded;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#renewal);
    await this.#reloading;
    await Promise.allSettled(this.#opening.values());
    await Promise.all([...this.#open].map((edition) => edition.close()));
  }

  get #latest(): Current {
    if (!this.#now) throw new TypeError("no edition has been loaded yet");
    return this.#now;
  }

  /** If several have the same sources, the current one. */
  #find(hash: string): Edition | undefined {
    const { current } = this;
    return current.hash === hash ? current : [...this.#open].find((edition) => edition.hash === hash);
  }

  async #reload(by: Caller | undefined): Promise<ReloadAnswer> {
    const { logger, audit, manifest } = this.#deps;
    const before = this.#latest;
    try {
      const loaded = await loadEditionInTurns(manifest);
      const now = await this.#made(loaded, gateOf(loaded, this.#deps, before.serving));
      // Callers are told of agents and tools as they are, not that nobody has looked yet.
      await now.edition.start();
      if (this.#closed) throw new GatewayError("draining");
      this.#now = now;
      before.edition.retire();
    } catch (error) {
      const problems = problemsOf(error);
      logger.error({ problems, cause: describeError(error) }, "the manifest was not reloaded");
      throw problems ? new GatewayError("invalid_manifest", undefined, { extra: { problems } }) : error;
    }
    const { current } = this;
    await this.#share(current);
    const changed = changesBetween(before.edition.loaded, current.loaded);
    logger.info({ edition: current.hash, before: before.edition.hash, changed }, "manifest reloaded");
    const reason = by ? {} : { reason: "SIGHUP" };
    audit.note({ act: "manifest_reloaded", caller: by, resource: `edition ${current.hash}`, ...reason });
    return { edition: current.hash, changed };
  }

  /** What can be wrong with a manifest has been found by now: the connections of the agents know of it from here on. */
  async #made(loaded: LoadedEdition, gate: Gate): Promise<Current> {
    const { logger } = this.#deps;
    for (const about of undecidableSteps(loaded.mesh, gate.access, gate.reach))
      logger.warn(about, "an approval that nobody can give");
    const edition = this.#opened(loaded, "manifest");
    return { edition, serving: await this.#deps.serve(edition, gate) };
  }

  #opened(loaded: LoadedEdition, origin: "manifest" | "store"): Edition {
    const edition = new Edition(loaded, origin, this.#deps, (closed) => this.#keep(closed));
    this.#open.add(edition);
    return edition;
  }

  /** Opens the edition of a run that began with an earlier one, here or on another replica; once for all that wait for it. */
  #reopened(hash: string): Promise<void> {
    const known = this.#opening.get(hash);
    if (known) return known;
    const opening = this.#reopen(hash).finally(() => this.#opening.delete(hash));
    this.#opening.set(hash, opening);
    return opening;
  }

  async #reopen(hash: string): Promise<void> {
    const edition = this.#opened(this.#read.get(hash) ?? (await this.#stored(hash)), "store");
    void edition.start();
  }

  /** @throws GatewayError edition_gone, store_unavailable */
  async #stored(hash: string): Promise<LoadedEdition> {
    const { store, manifest, logger } = this.#deps;
    // After an upgrade many runs of one unusable edition may return: remember the failure, so that it is read only once.
    if (this.#unusable.has(hash)) throw new GatewayError("edition_gone");
    const sources = await store.find(hash);
    if (!sources) throw new GatewayError("edition_gone");
    try {
      return await loadEditionInTurns(manifest, sources);
    } catch (error) {
      const problems = problemsOf(error);
      logger.error({ edition: hash, problems }, "an earlier edition of the manifest cannot be used");
      if (!problems) throw error;
      this.#unusable.add(hash);
      throw new GatewayError("edition_gone", undefined, { cause: error });
    }
  }

  #keep(closed: Edition): void {
    this.#open.delete(closed);
    this.#read.delete(closed.hash);
    this.#read.set(closed.hash, closed.loaded);
    const [oldest] = this.#read.keys();
    if (this.#read.size > KEPT && oldest !== undefined) this.#read.delete(oldest);
  }

  /** If the store is away, use the edition anyway; starting a run of it tries again to keep it. */
  async #share(edition: Edition): Promise<void> {
    await edition.shared()?.catch((error) => this.#deps.onTrouble("edition", error));
  }

  #renew(): void {
    for (const edition of this.#open)
      void edition.renew().catch((error) => this.#deps.onTrouble("edition", error));
  }
}

function problemsOf(error: unknown): readonly string[] | undefined {
  if (error instanceof MeshError) return error.located;
  return error instanceof IssuerError ? [error.message] : undefined;
}
