export { toolsOf } from "./catalogue.ts";
