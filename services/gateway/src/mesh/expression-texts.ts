/** Characters of a text that are sent with one message: more would hold the event loop for milliseconds. */
const PIECE = 512 * 1024;

/** A text within a message: itself, or its number among those that came before the message in pieces. */
export type SentText = string | { number: number };

type Piece = { piece: string; isLast: boolean };

/** Sends the long texts of a message ahead of it, piece by piece. */
export class TextSender {
  readonly #long: string[] = [];

  /** @returns what stands in the message for the text */
  add(text: string): SentText {
    return text.length <= PIECE ? text : { number: this.#long.push(text) - 1 };
  }

  /** The messages to send before. */
  *pieces(): Generator<Piece> {
    for (const text of this.#long) {
      for (let from = 0; from < text.length; from += PIECE) {
        const isLast = from + PIECE >= text.length;
        yield { piece: text.slice(from, from + PIECE), isLast };
      }
    }
  }
}

/** Receives them. */
export class TextReceiver {
  #texts: string[] = [];
  #begun = "";

  /** @returns whether the message is a piece of a text: another one follows, which has the text */
  takes(message: object): message is Piece {
    if (!("piece" in message)) return false;
    const { piece, isLast } = message as Piece;
    this.#begun += piece;
    if (!isLast) return true;
    this.#texts.push(this.#begun);
    this.#begun = "";
    return true;
  }

  /** The texts that came before a message. @returns how its texts are read */
  read(): (text: SentText) => string {
    const texts = this.#texts;
    this.#texts = [];
    return (text) => (typeof text === "string" ? text : (texts[text.number] ?? "null"));
  }
}
