/** Messages that commands send to a mesh to show or check it. Each is answered from the shipped sample. */

/** A simple ask: one agent answers. */
export const SIMPLE_ASK = "Which of our prices violate the policy?";

/** A composite ask: a plan over several agents. */
export const COMPOSITE_ASK = "Propose Q1 prices that respect the hierarchy, then explain the drivers";

/** A plan whose effect waits for an approval. */
export const PUBLISHING_ASK = "Propose prices and publish them";
