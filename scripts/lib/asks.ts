/** What is asked of a mesh over its sample, by the commands that show or check one. */

/** Of one agent, which answers at once. */
export const SIMPLE_ASK = "Which of our prices violate the policy?";

/** Of several, in a plan. */
export const COMPOSITE_ASK = "Propose Q1 prices that respect the hierarchy, then explain the drivers";

/** A plan with an effect, for which it needs somebody's approval. */
export const PUBLISHING_ASK = "Propose prices and publish them";
