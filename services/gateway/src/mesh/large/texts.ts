/** Characters of a text that are sent with one message: more would hold the event loop for milliseconds. */
const PIECE = 512 * 1024;

/** A text within a message: itself, or its number among those that came before the message in pieces. */
export type SentText = string | { number: number };

/** Of a text, or of its UTF-8. */
type Piece = { piece: string | Uint8Array; isLast: boolean };

/** Sends the long texts of a message ahead of it, piece by piece. */
export class TextSender {
  readonly #long: (string | Buffer)[] = [];

  /**
   * @param text its UTF-8, too
   * @returns what stands in the message for the text
   */
  add(text: string | Buffer): SentText {
    return text.length <= PIECE ? text.toString() : { number: this.#long.push(text) - 1 };
  }

  /** The messages to send before. */
  *pieces(): Generator<Piece> {
    for (const text of this.#long) {
      for (let from = 0; from < text.length; from += PIECE) {
        const isLast = from + PIECE >= text.length;
        yield { piece: pieceOf(text, from, from + PIECE), isLast };
      }
    }
  }
}

/** Receives them. */
export class TextReceiver {
  #texts: string[] = [];
  #begun: Piece["piece"][] = [];

  /** @returns whether the message is a piece of a text: another one follows, which has the text */
  takes(message: object): message is Piece {
    if (!("piece" in message)) return false;
    const { piece, isLast } = message as Piece;
    this.#begun.push(piece);
    if (!isLast) return true;
    this.#texts.push(joined(this.#begun));
    this.#begun = [];
    return true;
  }

  /** The texts that came before a message. @returns how its texts are read */
  read(): (text: SentText) => string {
    const texts = this.#texts;
    this.#texts = [];
    return (text) => (typeof text === "string" ? text : (texts[text.number] ?? "null"));
  }
}

function pieceOf(text: string | Buffer, from: number, to: number): string | Buffer {
  return typeof text === "string" ? text.slice(from, to) : text.subarray(from, to);
}

function joined(pieces: readonly Piece["piece"][]): string {
  const bytes = pieces.filter((piece) => typeof piece !== "string");
  return bytes.length === 0 ? pieces.join("") : Buffer.concat(bytes).toString();
}
