import { BlockList, isIP } from "node:net";

/**
 * `forbidden`: link-local and cloud metadata services, whose answers are credentials, and what is no address of one machine.
 * `private`: everything else that is not on the public internet.
 */
export type AddressClass = "forbidden" | "loopback" | "private" | "public";

const FORBIDDEN = blockList([
  "0.0.0.0/8", // this network
  "169.254.0.0/16", // link-local, and the metadata service of most clouds
  "100.100.100.200/32", // metadata of Alibaba Cloud
  "168.63.129.16/32", // platform services of Azure
  "192.0.0.192/32", // metadata of Oracle Cloud
  "224.0.0.0/4", // multicast
  "255.255.255.255/32", // broadcast
  "::/128",
  "fe80::/10", // link-local
  "fd00:ec2::254/128", // metadata of AWS
  "fd20:ce::254/128", // metadata of Google Cloud
  "fd00:42::42/128", // metadata of Scaleway
  "ff00::/8", // multicast
  // The link-local range of IPv4 as translators (NAT64, 6to4) and old stacks write it.
  "64:ff9b::a9fe:0/112",
  "2002:a9fe::/32",
  "::a9fe:0/112",
]);

const LOOPBACK = blockList(["127.0.0.0/8", "::1/128"]);

const PRIVATE = blockList([
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "100.64.0.0/10", // shared by a carrier's customers
  "192.0.0.0/24", // protocol assignments
  "192.0.2.0/24", // documentation
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "240.0.0.0/4", // reserved
  "::/96", // IPv4 as old stacks write it
  "64:ff9b::/96", // NAT64: the translator may reach private IPv4
  "64:ff9b:1::/48",
  "100::/64", // discard
  "2001::/23", // protocol assignments, Teredo among them
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4
  "3fff::/20", // documentation
  "fc00::/7", // unique local
  "fec0::/10", // site-local
]);

/** Names of metadata services. Their addresses are forbidden too; a resolver may know others. */
const METADATA_NAMES: ReadonlySet<string> = new Set([
  "metadata",
  "metadata.google.internal",
  "metadata.goog",
  "instance-data",
  "instance-data.ec2.internal",
  "metadata.azure.internal",
  "metadata.tencentyun.com",
]);

/** @param address IPv4 or IPv6, without brackets; an IPv4 address in IPv6 form counts as that IPv4 address */
export function addressClass(address: string): AddressClass {
  if (contains(FORBIDDEN, address)) return "forbidden";
  if (contains(LOOPBACK, address)) return "loopback";
  return contains(PRIVATE, address) ? "private" : "public";
}

/** What is known of a name before it is resolved. */
export function nameClass(name: string): "forbidden" | "loopback" | undefined {
  if (METADATA_NAMES.has(name)) return "forbidden";
  return name === "localhost" || name.endsWith(".localhost") ? "loopback" : undefined;
}

/** A host as a URL has it, in the form in which hosts are compared: without brackets, final dot and capitals. */
export function plainHost(host: string): string {
  return host
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "")
    .toLowerCase();
}

export function contains(list: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 4 ? "ipv4" : "ipv6");
}

/** @param ranges addresses, or ranges such as 10.0.0.0/8 */
export function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [base = "", bits] = range.split("/");
    const family = isIP(base) === 4 ? "ipv4" : "ipv6";
    if (bits === undefined) list.addAddress(base, family);
    else list.addSubnet(base, Number(bits), family);
  }
  return list;
}

/** Whether the text is an address or a range of addresses. */
export function isRange(text: string): boolean {
  const [, base = "", bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = isIP(base);
  return family !== 0 && Number(bits ?? 0) <= (family === 4 ? 32 : 128);
}
