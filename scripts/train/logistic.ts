/** An example: its features, each present once, whether it is an attack, and how much it counts. */
export type Example = { features: readonly number[]; attack: boolean; weight: number };

export type Linear = { weights: Float64Array; bias: number };

const ROUNDS = 250;
const RATE = 0.08;
const [BETA1, BETA2, EPSILON] = [0.9, 0.999, 1e-8];

/**
 * Logistic regression by Adam over all examples at once, so that the order of the examples does not matter.
 * @param penalty of the squared distance of a weight from its prior, by feature
 */
export function trainLogistic(
  examples: readonly Example[],
  size: number,
  { penalty, prior }: { penalty: (feature: number) => number; prior: (feature: number) => number },
): Linear {
  const priors = Float64Array.from({ length: size }, (_, feature) => prior(feature));
  const penalties = Float64Array.from({ length: size }, (_, feature) => penalty(feature));
  const weights = Float64Array.from(priors);
  const first = new Float64Array(size + 1);
  const second = new Float64Array(size + 1);
  const gradient = new Float64Array(size + 1);
  const total = examples.reduce((sum, { weight }) => sum + weight, 0);
  let bias = -1;
  for (let round = 1; round <= ROUNDS; round += 1) {
    gradient.fill(0);
    for (const { features, attack, weight } of examples) {
      let score = bias;
      for (const feature of features) score += weights[feature] ?? 0;
      const error = ((1 / (1 + Math.exp(-score)) - (attack ? 1 : 0)) * weight) / total;
      for (const feature of features) gradient[feature] = (gradient[feature] ?? 0) + error;
      gradient[size] = (gradient[size] ?? 0) + error;
    }
    const scale = (RATE * Math.sqrt(1 - BETA2 ** round)) / (1 - BETA1 ** round);
    for (let at = 0; at <= size; at += 1) {
      const weight = at < size ? (weights[at] ?? 0) : bias;
      const pull = at < size ? (penalties[at] ?? 0) * (weight - (priors[at] ?? 0)) : 0;
      const slope = (gradient[at] ?? 0) + pull;
      first[at] = BETA1 * (first[at] ?? 0) + (1 - BETA1) * slope;
      second[at] = BETA2 * (second[at] ?? 0) + (1 - BETA2) * slope * slope;
      const step = (scale * (first[at] ?? 0)) / (Math.sqrt(second[at] ?? 0) + EPSILON);
      if (at < size) weights[at] = weight - step;
      else bias -= step;
    }
  }
  return { weights, bias };
}
