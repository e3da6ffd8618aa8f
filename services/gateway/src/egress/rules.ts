import { type BlockList, isIP } from "node:net";
import { addressClass, blockList, contains, isRange, nameClass, plainHost } from "./address.ts";

export type Endpoint = { readonly host: string; readonly port: number };

export type EgressOptions = {
  /** Ranges, addresses and names that may be private, as the manifest lists them; absent: what `loopback` says. */
  allow?: readonly string[] | undefined;
  /** Without a list, loopback addresses are allowed: the gateway itself serves this machine alone. */
  loopback: boolean;
  /** What is never an upstream, whatever the list says: the gateway's own store. */
  reserved?: readonly Endpoint[];
};

/** Why a place is refused. `unlisted`: it would be allowed if the manifest listed it. */
export type EgressRefusal = "forbidden" | "unlisted" | "reserved";

const LOOPBACK = ["127.0.0.0/8", "::1"];
const NAME = /^(?:\*\.)?[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?$/;

/** Which places the gateway may connect to. */
export class EgressRules {
  readonly reserved: readonly Endpoint[];
  readonly #allow: readonly string[];
  readonly #ranges: BlockList;
  readonly #names: readonly string[];

  constructor({ allow, loopback, reserved = [] }: EgressOptions) {
    this.#allow = allow ?? (loopback ? LOOPBACK : []);
    this.#ranges = blockList(this.#allow.filter(isRange));
    this.#names = this.#allow.filter((entry) => !isRange(entry)).map(plainHost);
    this.reserved = reserved.map(({ host, port }) => ({ host: plainHost(host), port }));
  }

  /** Entries of a list that are neither a range nor a name, or that never could be allowed. */
  static problemsOf(allow: readonly string[]): string[] {
    return allow.flatMap((entry) => {
      if (!isRange(entry))
        return NAME.test(plainHost(entry)) && nameClass(plainHost(entry)) !== "forbidden"
          ? []
          : [`"${entry}" is neither a range of addresses nor a host's name that may be allowed`];
      const [base = ""] = entry.split("/");
      const isAll = /\/0$/.test(entry);
      return !isAll && addressClass(base) === "forbidden"
        ? [`"${entry}" is link-local or a metadata service, which is never allowed`]
        : [];
    });
  }

  /** Whether the list has this name, or the range of this literal address. What it lists is connected to directly, without the proxy. */
  lists(host: string): boolean {
    const plain = plainHost(host);
    if (isIP(plain) !== 0) return contains(this.#ranges, plain);
    if (nameClass(plain) === "loopback" && contains(this.#ranges, "127.0.0.1")) return true;
    return this.#names.some((name) =>
      name.startsWith("*.") ? plain.endsWith(name.slice(1)) : plain === name,
    );
  }

  /** Judges an address that `host` has resolved to, or is. Reserved endpoints are the connector's to judge: they may be names. */
  judgeAddress(host: string, address: string): EgressRefusal | undefined {
    const kind = addressClass(address);
    if (kind === "forbidden") return "forbidden";
    if (kind === "public" || contains(this.#ranges, address) || this.lists(host)) return undefined;
    return "unlisted";
  }

  /** Judges what can be known of a URL's place before it is resolved. */
  judgeHost(host: string, port: number): EgressRefusal | undefined {
    const plain = plainHost(host);
    const isReserved = this.reserved.some((one) => one.port === port && isSameHost(one.host, plain));
    if (isIP(plain) !== 0) return this.judgeAddress(plain, plain) ?? (isReserved ? "reserved" : undefined);
    const kind = nameClass(plain);
    if (kind === "forbidden") return "forbidden";
    if (isReserved) return "reserved";
    return kind === "loopback" && !this.lists(plain) ? "unlisted" : undefined;
  }

  /** Whether they list the same; what else decides is the same for all rules of a process. */
  isSameAs(other: EgressRules): boolean {
    return JSON.stringify(this.#allow) === JSON.stringify(other.#allow);
  }

  /** The manifest's section with one more place, as one line. */
  sectionWith(entry: string): string {
    return `egress: { allow: ${JSON.stringify([...this.#allow, entry])} }`;
  }
}

/** All names and addresses of the loopback interface are one host. */
export function isSameHost(one: string, other: string): boolean {
  return one === other || (isLoopback(one) && isLoopback(other));
}

function isLoopback(host: string): boolean {
  const plain = plainHost(host);
  return isIP(plain) === 0 ? nameClass(plain) === "loopback" : addressClass(plain) === "loopback";
}
