import { setImmediate as nextTurn } from "node:timers/promises";

/** A sentence of a class; -1 is none of them. */
export type Sentence = { of: number; weight: number; rows: Int32Array; values: Float64Array };

/** By row, then class. */
export type Weights = { weights: Float64Array; bias: Float64Array };

const ROUNDS = 24;
const RATE = 0.25;
const PENALTY = 1e-3;
/** What is off by less is right. */
const SMALLEST_ERROR = 0.01;
/** What is done in one turn of the event loop, well under a millisecond: features times classes of sentences, and weights of the mean. */
const PIECE = 10_000;
const PIECE_OF_MEAN = 100_000;
/** Primes. Steps of one that does not divide their number visit each sentence once a round, and the classes by turns. */
const STRIDES = [7919, 7907];

/**
 * Multinomial logistic regression by stochastic gradients with AdaGrad. None of the classes has the score 0, so that it has no weights.
 * The weights are the mean over the second half of the rounds, so that it does not matter which sentence was the last.
 */
export async function fitExamples(
  sentences: readonly Sentence[],
  { rows, classes }: { rows: number; classes: number },
): Promise<Weights> {
  const weights = new Float64Array(rows * classes);
  const squares = new Float64Array(rows * classes).fill(1e-8);
  const mean = new Float64Array(rows * classes);
  const bias = new Float64Array(classes);
  const meanBias = new Float64Array(classes);
  const biasSquares = new Float64Array(classes).fill(1e-8);
  const errors = new Float64Array(classes);
  const learn = ({ of, weight, rows, values }: Sentence): void => {
    errors.set(bias);
    for (let i = 0; i < rows.length; i++)
      for (let c = 0; c < classes; c++)
        errors[c] = (errors[c] ?? 0) + (values[i] ?? 0) * (weights[(rows[i] ?? 0) * classes + c] ?? 0);
    softmaxBesideNone(errors);
    if (of >= 0) errors[of] = (errors[of] ?? 0) - 1;
    for (let c = 0; c < classes; c++) {
      const error = (errors[c] ?? 0) * weight;
      if (Math.abs(error) < SMALLEST_ERROR) continue;
      for (let i = 0; i < rows.length; i++) {
        const at = (rows[i] ?? 0) * classes + c;
        const slope = error * (values[i] ?? 0) + PENALTY * (weights[at] ?? 0);
        squares[at] = (squares[at] ?? 0) + slope * slope;
        weights[at] = (weights[at] ?? 0) - (RATE * slope) / Math.sqrt(squares[at] ?? 1);
      }
      biasSquares[c] = (biasSquares[c] ?? 0) + error * error;
      bias[c] = (bias[c] ?? 0) - (RATE * error) / Math.sqrt(biasSquares[c] ?? 1);
    }
  };
  const count = sentences.length;
  const stride = STRIDES.find((prime) => count % prime !== 0) ?? 1;
  for (let round = 0; round < ROUNDS; round++) {
    let work = PIECE;
    for (let at = 0; at < count; at++) {
      if (work >= PIECE) {
        await nextTurn();
        work = 0;
      }
      const sentence = sentences[((round % 2 === 0 ? at : count - 1 - at) * stride) % count];
      if (!sentence) continue;
      learn(sentence);
      work += sentence.rows.length * classes;
    }
    if (round < ROUNDS / 2) continue;
    for (let at = 0; at < weights.length; at++) {
      if (at % PIECE_OF_MEAN === 0) await nextTurn();
      mean[at] = (mean[at] ?? 0) + (weights[at] ?? 0) / (ROUNDS / 2);
    }
    for (let c = 0; c < classes; c++) meanBias[c] = (meanBias[c] ?? 0) + (bias[c] ?? 0) / (ROUNDS / 2);
  }
  return { weights: mean, bias: meanBias };
}

/** Turns scores into probabilities, in place, beside a class whose score is 0. */
export function softmaxBesideNone(scores: Float64Array): void {
  let highest = 0;
  for (const score of scores) highest = Math.max(highest, score);
  let sum = Math.exp(-highest);
  for (let c = 0; c < scores.length; c++) {
    scores[c] = Math.exp((scores[c] ?? 0) - highest);
    sum += scores[c] ?? 0;
  }
  for (let c = 0; c < scores.length; c++) scores[c] = (scores[c] ?? 0) / sum;
}
