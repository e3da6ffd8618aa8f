import { freePorts } from "../lib/ports.ts";

const FIRST = 8080;
const LAST = 8099;

/**
 * The ports that documents use, 8080 to 8099, and the free ones that take their place here. Nothing else of a block is changed before it is
 * run; in what it prints the ports are those of the document again.
 */
export class DocumentPorts {
  private readonly inUse: ReadonlyMap<string, string>;
  private readonly shown: ReadonlyMap<string, string>;

  private constructor(ports: readonly number[]) {
    this.inUse = new Map(ports.map((port, index) => [String(FIRST + index), String(port)]));
    this.shown = new Map([...this.inUse].map(([shown, used]) => [used, shown]));
  }

  static async choose(): Promise<DocumentPorts> {
    return new DocumentPorts(await freePorts(LAST - FIRST + 1, "127.0.0.1"));
  }

  of(port: number): number {
    return Number(this.inUse.get(String(port)) ?? port);
  }

  toRun(text: string): string {
    return replaceNumbers(text, this.inUse);
  }

  asShown(text: string): string {
    return replaceNumbers(text, this.shown);
  }
}

function replaceNumbers(text: string, by: ReadonlyMap<string, string>): string {
  return text.replace(/(?<![\w.])\d{4,5}(?![\w.]\d|\d)/g, (number) => by.get(number) ?? number);
}
