/** Money and quantities. Bills have prices per request, so that twelve decimals are needed. */
const AMOUNT = "DECIMAL(38, 12)";

export type Column = {
  /** Its name in the table of charges. */
  readonly name: string;
  readonly type: "VARCHAR" | "DATE" | "BOOLEAN" | typeof AMOUNT;
  /** The names of FOCUS, that of 1.4 first. The first one that has a value in a row counts. */
  readonly from: readonly string[];
  /** `column`: a file without it is refused; `value`: so is a row without a value. */
  readonly needs?: "column" | "value";
};

/**
 * What the table of charges keeps of FOCUS 1.4, with the names of 1.0 to 1.3. In 1.3 `ProviderName` gave way to `ServiceProviderName`
 * (who sells the service) and `HostProviderName` (whose infrastructure it runs on).
 */
export const COLUMNS: readonly Column[] = [
  { name: "day", type: "DATE", from: ["ChargePeriodStart"], needs: "value" },
  { name: "billing_month", type: "DATE", from: ["BillingPeriodStart"], needs: "value" },
  {
    name: "provider",
    type: "VARCHAR",
    from: ["ServiceProviderName", "ProviderName", "HostProviderName"],
    needs: "value",
  },
  { name: "service", type: "VARCHAR", from: ["ServiceName"], needs: "value" },
  { name: "category", type: "VARCHAR", from: ["ServiceCategory"] },
  { name: "region", type: "VARCHAR", from: ["RegionId", "Region", "RegionName"] },
  { name: "account", type: "VARCHAR", from: ["SubAccountId"] },
  { name: "account_name", type: "VARCHAR", from: ["SubAccountName", "SubAccountId"] },
  { name: "resource", type: "VARCHAR", from: ["ResourceId"] },
  { name: "resource_name", type: "VARCHAR", from: ["ResourceName", "ResourceId"] },
  { name: "resource_type", type: "VARCHAR", from: ["ResourceType"] },
  { name: "sku", type: "VARCHAR", from: ["SkuPriceId", "SkuId"] },
  { name: "charge", type: "VARCHAR", from: ["ChargeCategory"], needs: "value" },
  { name: "class", type: "VARCHAR", from: ["ChargeClass"] },
  { name: "pricing", type: "VARCHAR", from: ["PricingCategory"] },
  { name: "commitment", type: "VARCHAR", from: ["CommitmentDiscountId"] },
  { name: "commitment_type", type: "VARCHAR", from: ["CommitmentDiscountType"] },
  { name: "commitment_status", type: "VARCHAR", from: ["CommitmentDiscountStatus"] },
  { name: "currency", type: "VARCHAR", from: ["BillingCurrency"], needs: "value" },
  { name: "quantity", type: AMOUNT, from: ["ConsumedQuantity"] },
  { name: "unit", type: "VARCHAR", from: ["ConsumedUnit"] },
  { name: "billed", type: AMOUNT, from: ["BilledCost"], needs: "value" },
  { name: "effective", type: AMOUNT, from: ["EffectiveCost"], needs: "value" },
  { name: "list", type: AMOUNT, from: ["ListCost"], needs: "column" },
  { name: "contracted", type: AMOUNT, from: ["ContractedCost"], needs: "column" },
];

/** Tags are a map in Parquet, and JSON in CSV. */
export const TAGS = "Tags";

/** Columns of FOCUS that the table of charges leaves out. Any other column is named in the report. */
export const LEFT_OUT: ReadonlySet<string> = new Set(
  [
    "AllocatedMethodDetails AllocatedMethodId AllocatedResourceId AllocatedResourceName AllocatedTags AvailabilityZone BilledCost",
    "BillingAccountId BillingAccountName BillingAccountType BillingPeriodEnd CapacityReservationId CapacityReservationStatus",
    "ChargeDescription ChargeFrequency ChargePeriodEnd CommitmentDiscountCategory CommitmentDiscountName CommitmentDiscountQuantity",
    "CommitmentDiscountUnit ContractApplied ContractedUnitPrice InvoiceId InvoiceIssuerName ListUnitPrice PricingCurrency",
    "PricingCurrencyContractedUnitPrice PricingCurrencyEffectiveCost PricingCurrencyListUnitPrice PricingQuantity PricingUnit",
    "PublisherName ServiceSubcategory SkuMeter SkuPriceDetails SubAccountType Tags",
  ]
    .join(" ")
    .split(" "),
);

/** `ChargeCategory` as the specification has it. */
export const CHARGES = ["Usage", "Purchase", "Tax", "Credit", "Adjustment"] as const;
