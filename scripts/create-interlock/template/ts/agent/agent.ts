import { createAgent, serve, TaskError } from "@interlock/agent-kit";

/** What one costs. */
const PRICES: Readonly<Record<string, number>> = { chair: 120, desk: 340, lamp: 45 };

export const agent = createAgent({
  card: { name: "quotes", version: "0.1.0", description: "Says what an order costs." },
  tasks: {
    QUOTE: {
      description: "What an order costs",
      inputs: {
        type: "object",
        required: ["item", "quantity"],
        properties: {
          item: { type: "string", minLength: 1, maxLength: 100 },
          quantity: { type: "integer", minimum: 1, maximum: 1000 },
        },
        additionalProperties: false,
      },
      outputs: { type: "object", required: ["quote", "summary"] },
      sample: () => ({ item: "desk", quantity: 2 }),
      async *run({ inputs: { item, quantity } }: { inputs: { item: string; quantity: number } }) {
        const price = PRICES[item];
        if (price === undefined) throw new TaskError("UNKNOWN_ITEM", "There is no such item.");
        yield { type: "progress", message: "quote" };
        const cost = price * quantity;
        return { quote: { item, quantity, cost }, summary: `${quantity} × ${item}: ${cost}.` };
      },
    },
  },
});

if (import.meta.main) await serve(agent, process.env, { port: 8090 });
