import { seeded, shuffled } from "./random.ts";

/** A message as the rows of the features that it has, and their values. */
export type Vector = { rows: Int32Array; values: Float32Array };

export type Example = Vector & {
  /** Index of the category. */
  label: number;
  /** 1 for each goal that is asked for. Empty where the set has no goals. */
  goals: Uint8Array;
  weight: number;
};

export type Shape = { rows: number; categories: number; goals: number };

export type FitOptions = { epochs: number; rate: number; l2: number; seed: number; smoothing: number };

/** Weights by row, then head: the categories first, then the goals. */
export type Fitted = { weights: Float32Array; bias: Float32Array };

/**
 * Logistic regression, multinomial over the categories and one-against-rest for each goal, by stochastic gradients with AdaGrad. The
 * weights are the mean over the second half of the epochs.
 */
export function fitWeights(examples: readonly Example[], shape: Shape, options: FitOptions): Fitted {
  const heads = shape.categories + shape.goals;
  const weights = new Float32Array(shape.rows * heads);
  const squares = new Float32Array(shape.rows * heads).fill(1e-8);
  const mean = new Float32Array(shape.rows * heads);
  const bias = new Float32Array(heads);
  const biasMean = new Float32Array(heads);
  const biasSquares = new Float32Array(heads).fill(1e-8);
  const scores = new Float64Array(heads);
  const random = seeded(options.seed);
  const averageFrom = options.epochs >> 1;
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    for (const example of shuffled(random, examples)) {
      score({ weights, bias }, example, scores);
      gradients(scores, example, shape, options.smoothing);
      const { rows, values } = example;
      for (let i = 0; i < rows.length; i++) {
        const base = (rows[i] ?? 0) * heads;
        const value = values[i] ?? 0;
        for (let h = 0; h < heads; h++) {
          const at = base + h;
          const gradient = (scores[h] ?? 0) * value + options.l2 * (weights[at] ?? 0);
          const square = (squares[at] ?? 0) + gradient * gradient;
          squares[at] = square;
          weights[at] = (weights[at] ?? 0) - (options.rate * gradient) / Math.sqrt(square);
        }
      }
      for (let h = 0; h < heads; h++) {
        const gradient = scores[h] ?? 0;
        biasSquares[h] = (biasSquares[h] ?? 0) + gradient * gradient;
        bias[h] = (bias[h] ?? 0) - (options.rate * gradient) / Math.sqrt(biasSquares[h] ?? 1);
      }
    }
    if (epoch >= averageFrom) {
      const share = 1 / (options.epochs - averageFrom);
      for (let i = 0; i < mean.length; i++) mean[i] = (mean[i] ?? 0) + (weights[i] ?? 0) * share;
      for (let h = 0; h < heads; h++) biasMean[h] = (biasMean[h] ?? 0) + (bias[h] ?? 0) * share;
    }
  }
  return { weights: mean, bias: biasMean };
}

export function score({ weights, bias }: Fitted, { rows, values }: Vector, into: Float64Array): void {
  const heads = bias.length;
  for (let h = 0; h < heads; h++) into[h] = bias[h] ?? 0;
  for (let i = 0; i < rows.length; i++) {
    const base = (rows[i] ?? 0) * heads;
    const value = values[i] ?? 0;
    for (let h = 0; h < heads; h++) into[h] = (into[h] ?? 0) + (weights[base + h] ?? 0) * value;
  }
}

/** Turns scores into the gradients of the loss by score, in place. */
function gradients(scores: Float64Array, example: Example, shape: Shape, smoothing: number): void {
  const { categories, goals } = shape;
  let highest = Number.NEGATIVE_INFINITY;
  for (let h = 0; h < categories; h++) highest = Math.max(highest, scores[h] ?? 0);
  let sum = 0;
  for (let h = 0; h < categories; h++) sum += Math.exp((scores[h] ?? 0) - highest);
  for (let h = 0; h < categories; h++) {
    const target = (h === example.label ? 1 - smoothing : 0) + smoothing / categories;
    scores[h] = (Math.exp((scores[h] ?? 0) - highest) / sum - target) * example.weight;
  }
  for (let g = 0; g < goals; g++) {
    const h = categories + g;
    const target = (example.goals[g] ?? 0) * (1 - smoothing) + smoothing / 2;
    scores[h] = (1 / (1 + Math.exp(-(scores[h] ?? 0))) - target) * example.weight;
  }
}
