import { expect, test } from "@jest/globals";
import { loadMesh } from "../../mesh/index.ts";
import { echoSlots, type Slots } from "../index.ts";

const file = new URL("../../../../../mesh.yaml", import.meta.url).pathname;
const declared = loadMesh(file, {}).flows.get("pricing")?.slots?.slots ?? [];

test.each<[slots: Slots, en: string, ko: string]>([
  [{}, "", ""],
  [{ only_violating: false }, "", ""],
  [
    { max_change_pct: 0.05, region: "EMEA", items: ["VALVE-V7"] },
    "For VALVE-V7, EMEA, at most 5 % change",
    "VALVE-V7, EMEA, 최대 5 % 변동",
  ],
  [{ price_move: 0.075 }, "Prices +7.5 %", "가격 +7.5 %"],
  [{ cost_move: -0.1 }, "Costs -10 %", "원가 -10 %"],
  [{ tiers: ["new", "repair"] }, "For tiers new and repair", "new·repair 등급"],
  [{ items: ["A", "B", "C"] }, "For A, B and C", "A·B·C"],
  [{ items: ["A", "B", "C", "D", "E", "F", "G"] }, "For A, B, C, D, E and 2 more", "A, B, C, D, E 외 2개"],
  [
    {
      max_change_pct: {
        limits: [
          { value: 0.05, scope: { tiers: ["exchange"] } },
          { value: 0.03, way: "up" },
        ],
      },
    },
    "At most 5 % change for exchange, at most 3 % change (increases)",
    "exchange: 최대 5 % 변동, 최대 3 % 변동(인상)",
  ],
  [{ min_price: 1234.5, top: 3 }, "Prices from 1234.5, top 3", "가격 1234.5 이상, 상위 3개"],
])("%j is echoed in both languages, in the order of the declarations", (slots, en, ko) => {
  expect(echoSlots(slots, declared, "en")).toBe(en);
  expect(echoSlots(slots, declared, "ko")).toBe(ko);
});

test("a slot without an echo is named by its label", () => {
  const [top] = declared.filter(({ name }) => name === "top");
  if (!top) throw new Error("The flow pricing has no slot top.");
  const { echo: _, ...plain } = top;
  expect(echoSlots({ top: 3 }, [plain], "en")).toBe("Number of items 3");
});
