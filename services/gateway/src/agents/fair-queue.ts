/**
 * A queue that takes turns between keys, so that many items of one key do not hold up the few of another. A key that had nothing in the
 * queue goes before those that have waited for more than one turn, but not twice in a row.
 */
export class FairQueue<T> {
  readonly #items = new Map<string, Set<T>>();
  /** Every key of `#items` is in one of these, in the order of their turns. */
  readonly #fresh = new Set<string>();
  readonly #seen = new Set<string>();
  /** Whether the last turn went to a key that was new to the queue, although others waited. */
  #letAhead = false;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(key: string, item: T): void {
    const items = this.#items.get(key);
    if (items) items.add(item);
    else {
      this.#items.set(key, new Set([item]));
      this.#fresh.add(key);
    }
    this.#size++;
  }

  shift(): T | undefined {
    const fresh = this.#seen.size === 0 || (this.#fresh.size > 0 && !this.#letAhead);
    const [key] = fresh ? this.#fresh : this.#seen;
    if (key === undefined) return undefined;
    this.#letAhead = fresh && this.#seen.size > 0;
    const [item] = this.#items.get(key) ?? [];
    if (item === undefined) return undefined;
    this.delete(key, item);
    this.#fresh.delete(key);
    this.#seen.delete(key);
    if (this.#items.has(key)) this.#seen.add(key);
    return item;
  }

  delete(key: string, item: T): void {
    const items = this.#items.get(key);
    if (!items?.delete(item)) return;
    this.#size--;
    if (items.size > 0) return;
    this.#items.delete(key);
    this.#fresh.delete(key);
    this.#seen.delete(key);
  }

  /** Removes the last item of the key with the most items, if it has more than `key` would have with one more. */
  displace(key: string): T | undefined {
    let [longest, most] = [key, (this.#items.get(key)?.size ?? 0) + 1];
    for (const [other, { size }] of this.#items) if (size > most) [longest, most] = [other, size];
    const last = longest === key ? undefined : [...(this.#items.get(longest) ?? [])].at(-1);
    if (last !== undefined) this.delete(longest, last);
    return last;
  }

  /** The first item of each key. */
  *heads(): Generator<T> {
    for (const [first] of this.#items.values()) if (first !== undefined) yield first;
  }
}
