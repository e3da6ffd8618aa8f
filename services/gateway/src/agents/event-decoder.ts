import { createParser } from "eventsource-parser";
import { Defect } from "./defect.ts";
import { LongLines } from "./long-lines.ts";
import { Utf8Decoder } from "./utf8.ts";

/** Event names may appear in logs; a longer one could smuggle a body into them. */
const MAX_NAME_LENGTH = 128;
/** Lines of at least this many bytes bypass the parser. */
const LONG_LINE = 256 * 1024;
/** Room for the field name of an unfinished line: `data: `. */
const LINE_SLACK = 16;

export type EventDecoder = {
  /** Throws a Defect. */
  push(chunk: Buffer): void;
  /** Throws a Defect. Discards an event that no blank line ends, as the event stream format requires. */
  end(): void;
};

/**
 * Decodes bytes to events: strict UTF-8, the WHATWG event stream format (by the library), and a limit on the bytes of
 * one event's data. A line of data of more than `longLine` bytes is taken past the parser. `onEvent` gets the name (`message` if there was none)
 * and the data: bytes, where a long line is in it.
 */
export function createEventDecoder(
  maxEventBytes: number,
  onEvent: (name: string, data: string | Buffer, id: string | undefined) => void,
  longLine = LONG_LINE,
): EventDecoder {
  const utf8 = new Utf8Decoder();
  const parser = createParser({
    // The library counts UTF-16 units, never more than there are bytes, and only in what remains of a chunk. Events
    // that are complete within a chunk are measured in onEvent.
    maxBufferSize: maxEventBytes + LINE_SLACK,
    onEvent: ({ event: name = "message", data: parsed, id }) => {
      const data = longLines.restored(parsed);
      if (exceeds(data, maxEventBytes)) throw new Defect("event_too_large");
      if (name.length > MAX_NAME_LENGTH) throw new Defect("event_name_too_long");
      onEvent(name, data, id);
    },
    onError: (error) => {
      // The other errors are unknown fields and malformed retry values, which the format says to ignore.
      if (error.type === "max-buffer-size-exceeded") throw new Defect("event_too_large");
    },
  });
  const longLines = new LongLines({
    from: longLine,
    most: maxEventBytes + LINE_SLACK,
    feed: (bytes) => parser.feed(utf8.decode(bytes)),
  });
  return {
    push: (chunk) => longLines.push(chunk),
    end: () => {
      longLines.end();
      utf8.end();
    },
  };
}

/** A UTF-16 unit takes 1 to 3 bytes of UTF-8, so most texts need not be measured. */
function exceeds(data: string | Buffer, bytes: number): boolean {
  return data.length * 3 > bytes && (data.length > bytes || Buffer.byteLength(data) > bytes);
}
