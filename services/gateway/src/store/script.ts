import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { RedisClient } from "./redis-url.ts";

/** A large text comes as bytes, so that the client library does not encode all of it at once. */
export type ScriptArgument = string | number | Buffer;

/** A Lua script. It runs by its digest, and loads itself on a server that does not know it, such as one after a failover. */
export class Script {
  readonly name: string;
  readonly #source: string;
  readonly #sha: string;

  constructor(name: string) {
    this.name = name;
    this.#source = `${read("common")}\n${read(name)}`;
    this.#sha = createHash("sha1").update(this.#source).digest("hex");
  }

  async run(redis: RedisClient, keys: readonly string[], args: readonly ScriptArgument[]): Promise<unknown> {
    try {
      return await redis.evalsha(this.#sha, keys.length, ...keys, ...args);
    } catch (error) {
      if (!(Error.isError(error) && error.message.startsWith("NOSCRIPT"))) throw error;
      return await redis.eval(this.#source, keys.length, ...keys, ...args);
    }
  }

  /**
   * Runs it, and waits on the same connection until replicas have what it wrote. Both go in one pipeline: after a reconnect the client
   * library sends all of it again or none.
   * @returns the script's answer, and how many replicas have it
   */
  async runReplicated(
    redis: RedisClient,
    keys: readonly string[],
    args: readonly ScriptArgument[],
    { replicas, ms }: { replicas: number; ms: number },
  ): Promise<{ answer: unknown; replicas: number }> {
    const results = await redis
      .pipeline()
      .eval(this.#source, keys.length, ...keys, ...args)
      .wait(replicas, ms)
      .exec();
    const [[failed, answer] = [], [late, count] = []] = results ?? [];
    const error = failed ?? late;
    if (error) throw error;
    return { answer, replicas: Number(count ?? 0) };
  }
}

function read(name: string): string {
  return readFileSync(new URL(`./lua/${name}.lua`, import.meta.url), "utf8");
}

/** A script's answer as a list. */
export function words(answer: unknown): readonly unknown[] {
  return Array.isArray(answer) ? answer : [];
}
