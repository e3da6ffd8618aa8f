const NEAR = [
  [
    220.206867912376, 221.213596169931, 112.079291497871, 33.912866078383, 6.37396220353165,
    0.700383064443688, 3.52624965998911e-2,
  ],
  [
    440.413735824752, 793.826512519948, 637.333633378831, 296.564248779674, 86.7807322029461, 16.064177579207,
    1.75566716318264, 8.83883476483184e-2,
  ],
] as const;

/**
 * P(Z ≤ x) of the standard normal distribution, to about 13 digits: a rational approximation times the density
 * (Hart 1968, algorithm 5666; West 2005), a continued fraction in the tails (Abramowitz and Stegun 26.2.14).
 */
export function normalCdf(x: number): number {
  const size = Math.abs(x);
  const density = Math.exp(-0.5 * size * size);
  let tail: number;
  if (size < 3) {
    tail = density * ratio(NEAR, size);
  } else {
    let fraction = size;
    for (let k = 60; k >= 1; k--) fraction = size + k / fraction;
    tail = density / Math.sqrt(2 * Math.PI) / fraction;
  }
  return x > 0 ? 1 - tail : tail;
}

const CENTRE = [
  [
    3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987,
    67265.7709270087, 33430.57558358813, 2509.0809287301227,
  ],
  [
    1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271,
    28729.085735721943, 5226.495278852854,
  ],
] as const;
const SHOULDER = [
  [
    1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684,
    0.2417807251774506, 0.022723844989269184, 0.0007745450142783414,
  ],
  [
    1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
    0.0005475938084995345, 1.0507500716444169e-9,
  ],
] as const;
const TAIL = [
  [
    6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
    0.0012426609473880784, 0.000027115555687434876, 2.0103343992922881e-7,
  ],
  [
    1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133,
    0.000018463183175100548, 1.421511758316446e-7, 2.0442631033899397e-15,
  ],
] as const;

/**
 * The quantile of the standard normal distribution: the x with P(Z ≤ x) = p, 0 < p < 1. Wichura (1988), AS
 * 241: about 16 digits.
 */
export function normalQuantile(p: number): number {
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) return q * ratio(CENTRE, 0.180625 - q * q);
  const r = Math.sqrt(-Math.log(q < 0 ? p : 1 - p));
  const x = r <= 5 ? ratio(SHOULDER, r - 1.6) : ratio(TAIL, r - 5);
  return q < 0 ? -x : x;
}

function ratio([above, below]: readonly [readonly number[], readonly number[]], r: number): number {
  return polynomial(above, r) / polynomial(below, r);
}

function polynomial(coefficients: readonly number[], r: number): number {
  let sum = 0;
  for (let i = coefficients.length - 1; i >= 0; i--) sum = sum * r + (coefficients[i] ?? 0);
  return sum;
}
