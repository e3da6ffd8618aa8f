/** A stream as the keeper sees it. */
export type Kept = {
  /** By `performance.now()`. */
  readonly lastWriteAt: number;
  comment(): void;
};

export type Keeper = {
  add(stream: Kept): void;
  delete(stream: Kept): void;
};

/** One timer for all streams: it has those comment that have been silent. It runs only while there are any. */
export function createKeeper(keepaliveMs: () => number): Keeper {
  const streams = new Set<Kept>();
  let timer: NodeJS.Timeout | undefined;

  const look = (): void => {
    const silentSince = performance.now() - keepaliveMs();
    for (const stream of streams) if (stream.lastWriteAt <= silentSince) stream.comment();
  };

  return {
    add(stream) {
      streams.add(stream);
      timer ??= setInterval(look, Math.min(1000, keepaliveMs() / 4));
    },
    delete(stream) {
      streams.delete(stream);
      if (streams.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    },
  };
}
