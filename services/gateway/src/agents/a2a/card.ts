/** Whether a card is one of an agent that can be asked: by JSON-RPC, with streams, and with a skill for each task. */
export function isAskable(card: unknown, tasks: readonly string[]): boolean {
  const { supportedInterfaces, capabilities, skills } = Object(card);
  const speaks =
    Array.isArray(supportedInterfaces) &&
    supportedInterfaces.some((one) => {
      const { protocolBinding, protocolVersion } = Object(one);
      return protocolBinding === "JSONRPC" && /^1(\.|$)/.test(String(protocolVersion));
    });
  const named = new Set(Array.isArray(skills) ? skills.map((skill) => plain(Object(skill).id)) : []);
  return speaks && Object(capabilities).streaming === true && tasks.every((task) => named.has(plain(task)));
}

/** `price-lookup`, `Price Lookup` and `PRICE_LOOKUP` are one name. */
const plain = (name: unknown): string =>
  String(name)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "");
