export { chooseModel } from "./choose.ts";
