export { DEFAULT_ISSUER_PORT } from "./config.ts";
export { newKey, publicKeys, rotateKeys } from "./keys.ts";
export { issueToken, signToken, type TokenOrder } from "./token.ts";
export { tokenCommand } from "./token-command.ts";
