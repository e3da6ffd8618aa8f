import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { FinopsError } from "../errors.ts";
import { literal, type Param } from "./sql.ts";

/** A row with its decimals, counts and dates as texts, so that no digit is lost. */
export type Row = Readonly<Record<string, unknown>>;

export type Limits = {
  /** As DuckDB has it: "800MB". */
  readonly memory: string;
  readonly threads: number;
  /** Milliseconds that a question may take. */
  readonly timeoutMs: number;
  /** Rows, of half a kilobyte, that are kept in memory. More are kept in a compressed file. */
  readonly rowsInMemory: number;
};

const AGAIN_MS = 20;

/** DuckDB with the rows of one data set, as the database `focus`. */
export class Database {
  readonly #instance: DuckDBInstance;
  readonly #limits: Limits;
  /** A directory for the file of many rows, until it is open. */
  #scratch: string | undefined;

  private constructor(instance: DuckDBInstance, limits: Limits) {
    this.#instance = instance;
    this.#limits = limits;
  }

  static async open(limits: Limits): Promise<Database> {
    // Its library is 70 MB, which a process that is not asked about bills need not load.
    const { DuckDBInstance } = await import("@duckdb/node-api");
    const instance = await DuckDBInstance.create(":memory:", {
      memory_limit: limits.memory,
      threads: String(limits.threads),
      // Nothing is downloaded, and no question spills to the disk.
      temp_directory: "",
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
      allow_community_extensions: "false",
    });
    return new Database(instance, limits);
  }

  /** Runs statements of our own, without a limit of time: while data are loaded. */
  async load<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const connection = await this.#instance.connect();
    try {
      return await work(connection);
    } finally {
      connection.closeSync();
    }
  }

  /** Makes `focus`: in memory, or for many rows in a compressed file for temporary files, of which memory holds what is asked for. */
  async attach(rows: number): Promise<void> {
    if (rows > this.#limits.rowsInMemory) this.#scratch = mkdtempSync(join(tmpdir(), "interlock-focus-"));
    await this.load((connection) => connection.run(`ATTACH ${this.#place} AS focus`));
  }

  /**
   * From now on the database reaches no other file and no network, and nobody can change that. A file can only be read, and its name is gone:
   * nobody else sees it, and it ends with the process.
   */
  async lock(): Promise<void> {
    await this.load(async (connection) => {
      if (this.#scratch !== undefined) {
        await connection.run("DETACH focus");
        await connection.run(`ATTACH ${this.#place} AS focus (READ_ONLY)`);
        this.#removeName();
      }
      await connection.run("SET enable_external_access = false");
      await connection.run("SET lock_configuration = true");
    });
  }

  /**
   * One statement with bound values.
   * @throws the signal's reason once it is aborted; FinopsError QUERY_TIMEOUT, QUERY_FAILED (whose cause may hold SQL, never values)
   */
  async all(sql: string, values: readonly Param[], signal?: AbortSignal): Promise<Row[]> {
    signal?.throwIfAborted();
    const connection = await this.#instance.connect();
    let late = false;
    let again: NodeJS.Timeout | undefined;
    // A statement that waits for a thread has nothing yet that could be interrupted.
    const stop = () => {
      connection.interrupt();
      again ??= setInterval(() => connection.interrupt(), AGAIN_MS);
    };
    const timer = setTimeout(() => {
      late = true;
      stop();
    }, this.#limits.timeoutMs);
    signal?.addEventListener("abort", stop, { once: true });
    try {
      const reader = await connection.runAndReadAll(sql, [...values]);
      signal?.throwIfAborted();
      return reader.getRowObjectsJson();
    } catch (cause) {
      signal?.throwIfAborted();
      if (late) throw new FinopsError("QUERY_TIMEOUT", "The question took longer than it may.");
      throw new FinopsError("QUERY_FAILED", "The billing data could not be asked.", {}, { cause });
    } finally {
      clearTimeout(timer);
      clearInterval(again);
      signal?.removeEventListener("abort", stop);
      connection.closeSync();
    }
  }

  close(): void {
    this.#instance.closeSync();
    this.#removeName();
  }

  get isInMemory(): boolean {
    return this.#scratch === undefined;
  }

  get #place(): string {
    return literal(this.#scratch === undefined ? ":memory:" : join(this.#scratch, "focus.db"));
  }

  #removeName(): void {
    if (this.#scratch !== undefined) rmSync(this.#scratch, { recursive: true, force: true });
  }
}
