// A windowed-sinc resampler (Hann, 16 zero crossings a side): what lies above the lower of both bands is left out, so nothing folds back.
const CROSSINGS = 16;

/**
 * @param {Int16Array} samples
 * @param {number} from in Hz
 * @param {number} to in Hz
 */
export function resample(samples, from, to) {
  if (from === to) return Int16Array.from(samples);
  const cutoff = Math.min(1, to / from);
  const reach = Math.ceil(CROSSINGS / cutoff);
  const output = new Int16Array(Math.round((samples.length * to) / from));
  const tables = phases(from, to, cutoff, reach);
  for (let i = 0; i < output.length; i++) {
    const table = tables[i % tables.length] ?? [];
    const first = Math.floor((i * from) / to) - reach + 1;
    let sum = 0;
    for (let k = 0; k < table.length; k++) sum += (table[k] ?? 0) * (samples[first + k] ?? 0);
    output[i] = Math.max(-32_768, Math.min(32_767, Math.round(sum)));
  }
  return output;
}

/**
 * The filter at each place between two samples that occurs.
 * @param {number} from
 * @param {number} to
 * @param {number} cutoff
 * @param {number} reach
 */
function phases(from, to, cutoff, reach) {
  const count = to / divisor(from, to);
  return Array.from({ length: count }, (_, phase) => {
    const position = (phase * from) / to;
    const centre = position - Math.floor(position) + reach - 1;
    return Float64Array.from({ length: 2 * reach }, (__, k) => {
      const x = (k - centre) * cutoff;
      if (Math.abs(x) >= CROSSINGS) return 0;
      const sinc = x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
      return cutoff * sinc * (0.5 + 0.5 * Math.cos((Math.PI * x) / CROSSINGS));
    });
  });
}

/**
 * @param {number} a
 * @param {number} b
 * @returns {number}
 */
function divisor(a, b) {
  return b === 0 ? a : divisor(b, a % b);
}
