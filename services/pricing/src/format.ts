import {
  type Format,
  formatFor as formatIn,
  type Printing,
  UnknownLocaleError,
} from "@interlock/contracts/format";
import { PricingError } from "./errors.ts";

export type { Format, Printing };

/** The format of a request. @throws PricingError UNKNOWN_LOCALE */
export function formatFor(printing: Printing = {}): Format {
  try {
    return formatIn(printing);
  } catch (error) {
    if (!(error instanceof UnknownLocaleError)) throw error;
    throw new PricingError("UNKNOWN_LOCALE", error.message, { constraint: "locale" });
  }
}
