export { Access, type Action, compileAccess, type Resource, type Scope } from "./access.ts";
export { type Identify, identifyByHeaders } from "./by-headers.ts";
export type { Granted, RoleTable, Rows } from "./compile-roles.ts";
export { isCrossSite } from "./origin.ts";
