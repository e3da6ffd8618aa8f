export { DEFAULT_ISSUER_PORT } from "./config.ts";
export { rotateKeys } from "./keys.ts";
export { issueToken, type TokenOrder } from "./token.ts";
export { tokenCommand } from "./token-command.ts";
