export { Access, type Action, compileAccess, type Resource, type Scope } from "./access.ts";
export { type AuthenticationOptions, authenticator, type Identify } from "./authenticate.ts";
export type { Granted, RoleTable, Rows } from "./compile-roles.ts";
export { dispatchSigner } from "./dispatch-token.ts";
export { type Issuer, IssuerError, type IssuerSources, issuersOf } from "./issuers.ts";
export { isFromHere, isLoopback } from "./loopback.ts";
export { isCrossSite, isForeignGet } from "./origin.ts";
export { type RemoteSigner, remoteSigner } from "./remote-token.ts";
export { KeyFileError, type PublicJwk, SigningKeys } from "./signing-keys.ts";
