import type { SlotDeclaration } from "../catalogue/declarations.ts";
import type { Op } from "./candidates.ts";

/** A role as it is assembled: without the labels of the model. */
export type Role = { op: Op; slot?: SlotDeclaration };
