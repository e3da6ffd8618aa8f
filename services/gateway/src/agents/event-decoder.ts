import { createParser } from "eventsource-parser";
import { Defect } from "./defect.ts";
import { Utf8Decoder } from "./utf8.ts";

/** A name is a word; a longer one is a way to put a body where ids are expected. */
const MAX_NAME_LENGTH = 128;
/** What an unfinished line may hold beyond its data: `data: `. */
const LINE_SLACK = 16;

export type EventDecoder = {
  /** Throws a Defect. */
  push(chunk: Buffer): void;
  /** Throws a Defect. An event without its blank line is discarded, as the event stream format says. */
  end(): void;
};

/**
 * From bytes to events: strict UTF-8, the event stream format of the WHATWG (the library's), and a limit on the
 * bytes of one event's data. `onEvent` gets the name (`message` where there was none) and the data.
 */
export function createEventDecoder(
  maxEventBytes: number,
  onEvent: (name: string, data: string) => void,
): EventDecoder {
  const utf8 = new Utf8Decoder();
  const parser = createParser({
    // The library counts UTF-16 units, of which a text never has more than bytes. It looks at what is left
    // over when a chunk is done; events that are whole within a chunk are measured below.
    maxBufferSize: maxEventBytes + LINE_SLACK,
    onEvent: ({ event: name = "message", data }) => {
      if (exceeds(data, maxEventBytes)) throw new Defect("event_too_large");
      if (name.length > MAX_NAME_LENGTH) throw new Defect("event_name_too_long");
      onEvent(name, data);
    },
    onError: (error) => {
      // Other errors are unknown fields and odd retry values: the format says to ignore them.
      if (error.type === "max-buffer-size-exceeded") throw new Defect("event_too_large");
    },
  });
  return {
    push: (chunk) => parser.feed(utf8.decode(chunk)),
    end: () => utf8.end(),
  };
}

/** In UTF-8 a UTF-16 unit takes 1 to 3 bytes, so most texts need no counting. */
function exceeds(text: string, bytes: number): boolean {
  return text.length * 3 > bytes && (text.length > bytes || Buffer.byteLength(text) > bytes);
}
