import { freePorts, isFree } from "../cli/src/ports.ts";

const HOST = "127.0.0.1";
const FIRST = 8080;
const LAST = 8099;
/** From here on ports are those of agents that documents make or start, whose files in the repository name them too. */
const OF_OTHERS = 8090;

/**
 * The ports that documents use, 8080 to 8099, and the free ones that take their place here; those that the mesh does not use stay, where they
 * are free. Nothing else of a block is changed before it is run; in what it prints the ports are those of the document again.
 */
export class DocumentPorts {
  private readonly inUse: ReadonlyMap<string, string>;
  private readonly shown: ReadonlyMap<string, string>;

  private constructor(ports: readonly number[]) {
    this.inUse = new Map(ports.map((port, index) => [String(FIRST + index), String(port)]));
    this.shown = new Map([...this.inUse].map(([shown, used]) => [used, shown]));
  }

  static async choose(): Promise<DocumentPorts> {
    const ports = await freePorts(LAST - FIRST + 1, HOST);
    for (let port = OF_OTHERS; port <= LAST; port += 1)
      if (await isFree(port, HOST)) ports[port - FIRST] = port;
    return new DocumentPorts(ports);
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
