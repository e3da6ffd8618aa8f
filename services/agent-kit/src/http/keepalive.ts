/** A stream that may need a keepalive comment. */
export type SilentStream = {
  /** As of `performance.now()`. */
  readonly lastWriteAt: number;
  comment(): void;
};

export type Keepalive = {
  add(stream: SilentStream): void;
  delete(stream: SilentStream): void;
};

/** Sends keepalive comments on silent streams. One timer serves all streams, and runs only while there are any. */
export function createKeepalive(keepaliveMs: () => number): Keepalive {
  const streams = new Set<SilentStream>();
  let timer: NodeJS.Timeout | undefined;

  const sendComments = (): void => {
    const silentSince = performance.now() - keepaliveMs();
    for (const stream of streams) if (stream.lastWriteAt <= silentSince) stream.comment();
  };

  return {
    add(stream) {
      streams.add(stream);
      timer ??= setInterval(sendComments, Math.min(1000, keepaliveMs() / 4));
    },
    delete(stream) {
      streams.delete(stream);
      if (streams.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    },
  };
}
