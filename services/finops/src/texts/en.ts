import type { Words } from "./words.ts";

const days = ({ from, to }: { readonly from: string; readonly to: string }): string =>
  from === to ? from : `${from} to ${to}`;

export const en: Words = {
  metric: {
    effective: "Effective cost",
    billed: "Billed cost",
    list: "List cost",
    contracted: "Contracted cost",
    usage: "Usage",
    unit_cost: "Cost per unit",
    credits: "Credits",
    refunds: "Refunds",
  },
  dimension: (name) => (name.startsWith("tag:") ? `tag ${name.slice(4)}` : name.replaceAll("_", " ")),
  days,
  period: ({ name, from, to, relative_to, to_date, begins_late }) => {
    const when = days({ from, to });
    const notes = [
      ...(relative_to === undefined
        ? []
        : [`${name.replaceAll("_", " ")}, as the data end on ${relative_to}`]),
      ...(to_date && relative_to === undefined ? ["the data end there"] : []),
      ...(begins_late ? ["the data begin there"] : []),
    ];
    return notes.length === 0 ? when : `${when} (${notes.join("; ")})`;
  },
  total: (what, when, amount, charges) =>
    `${what}, ${when}: ${amount} from ${charges} ${charges === "1" ? "charge" : "charges"}.`,
  nothing: (what, when) => `${what}, ${when}: no charges.`,
  paidBack: (gross, credits, refunds) => `Gross ${gross}, credits ${credits}, refunds ${refunds}.`,
  compared: (change, share, when, before) =>
    `That is ${change}${share === undefined ? "" : ` (${share})`} against ${when}, which came to ${before}.`,
  by: (dimensions) => `By ${dimensions}:`,
  other: (groups) => `other (${groups} more)`,
  without: (dimension) => `(no ${dimension})`,
  filter: (parts) => `Only: ${parts}.`,
  except: (values) => `not ${values}`,
  restricted: "You see only some of the charges, as your roles say.",
  missing: (rows) => `${rows} charges have no such cost and are left out.`,
  moreParts: (count) => `${count} more units are not shown.`,
  moreLines: (count) => `… and ${count} more in the table.`,
  warnings: (count, first) => `The data have ${count} warnings; the first: ${first}.`,
  notApplied: (slots) => `Not applied: ${slots}.`,
  sample: "These are the sample's bills, not yours.",
  anomaly: {
    heading: (count, when, groups) =>
      `${count} unusual in ${when}, of ${groups} series of daily effective usage cost:`,
    none: (when, groups) => `Nothing unusual in ${when}, of ${groups} series of daily effective usage cost.`,
    line: ({ who, kind, from, to, lasting, impact, actual, expected }) =>
      `${who}: ${kind} ${from === to ? `on ${from}` : `from ${from} to ${to}`}${lasting ? ", lasting" : ""}: ${impact} (${actual} instead of ${expected}).`,
    why: (driver, change, contributors) => `Why: mostly ${driver} (${change} a day); ${contributors}.`,
    more: (count) => `${count} more with a smaller impact.`,
    kinds: { spike: "a spike", dip: "a dip", ramp: "rising", step: "a higher level", fall: "a lower level" },
    drivers: {
      quantity: "how much was used",
      mix: "what was used",
      price: "the price",
      other: "charges without usage",
    },
  },
  inventory: {
    heading: (resources, cost, when) =>
      `${resources} resources were charged for in ${when}: ${cost} of effective cost.`,
    type: (name, resources, cost) => `${name}: ${resources}, ${cost}`,
    untagged: (resources, cost, share) => `Without any tag: ${resources} resources, ${cost} (${share}).`,
    byKey: (shares) => `Cost without a tag, by key: ${shares}.`,
    idle: (resources, cost, examples) =>
      `Idle, by their usage data: ${resources} resources, ${cost}: ${examples}.`,
    noneIdle: "By their usage data, no resource is idle.",
    unmeasured: (resources, cost) =>
      `Without usage data, so that nothing tells whether they are idle: ${resources} resources, ${cost}.`,
    bare: (rows, cost) => `${rows} charges name no resource: ${cost}.`,
  },
  forecast: {
    total: ({ when, expected, p80, p95 }) =>
      `Forecast of effective cost, ${when}: ${expected} (80 %: ${p80}; 95 %: ${p95}).`,
    range: (low, high) => `${low} to ${high}`,
    soFar: (actual, last) => `Of that, ${actual} was spent up to ${last}.`,
    budget: ({ budget, chance, over, isOver }) =>
      `Budget ${budget}: ${chance === undefined ? "too few such periods could be tested to tell a chance" : `the chance of exceeding it is ${chance}`}; the forecast is ${over} ${isOver ? "above" : "below"} it.`,
    oneSided: (tooLow) =>
      `So far ahead, earlier forecasts were mostly too ${tooLow ? "low" : "high"}, which the chance takes into account.`,
    months: "By month:",
    line: (period, expected, p80) => `${period}: ${expected} (80 %: ${p80})`,
    apart: "What is forecast, by kind, each with the method of the least error:",
    component: (name, cost, method, error) => `${name}: ${cost}, by ${method}${error}`,
    compared: (name, methods) => `Compared for ${name}, by error (MASE): ${methods}.`,
    components: { usage: "usage", commitments: "commitments", fees: "fees and taxes", credits: "credits" },
    tested: (origins, days, rows, from, to) =>
      `From ${rows} charges of ${from} to ${to}; tested from ${origins} days, ${days} days ahead.`,
    leftOut: (amount) => `Corrections of ${amount} are in no forecast.`,
    lastMonth: (amount, period) => `For comparison, ${period} came to ${amount}.`,
    warnings: {
      SHORT_HISTORY: "The history is short.",
      BEYOND_TESTED_HORIZON:
        "The end is further ahead than forecasts could be tested: the bands are an extrapolation.",
      MISSING_PERIODS: "Days without any charge are taken for unknown, and estimated.",
      CHANGES_NOT_APPLIED: "Some known changes are too recent to be estimated, and are not applied.",
    },
  },
  alert: {
    proposed: ({ kind, amount, every, span }) =>
      `Proposed ${kind}: ${amount} of effective cost${every === undefined ? "" : ` each ${every}`}${span === undefined ? "" : `, ${span}`}.`,
    tells: (spent, forecast) =>
      `It tells when ${[...(spent === "" ? [] : [`${spent} of it is spent`]), ...(forecast === "" ? [] : [`${forecast} of it is forecast`])].join(", and when ")}.`,
    nobodySaid: "Nobody said an amount: this is the upper end of the 80 % band of the forecast, rounded up.",
    chance: ({ when, expected, range, chance }) =>
      `For ${when} ${expected} is forecast (80 %: ${range}); ${chance === undefined ? "too few such periods could be tested to tell a chance" : `the chance of exceeding it is ${chance}`}.`,
    past: ({ every, periods, exceeded, most }) =>
      `Of the last ${periods} ${every}s, ${exceeded} exceeded it; the most was ${most}.`,
  },
  report: {
    title: (when) => `Cloud cost, ${when}`,
    summary: "Summary",
    trend: "By month",
    services: "By service",
    accounts: "By account",
    anomalies: "What was unusual",
    resources: "Resources and tags",
    contents: (sections) => `Sections: ${sections}.`,
  },
};
