// Resamples any number of channels to mono at another rate: a streaming windowed sinc filter.

/** Zero crossings of the sinc on each side: steep enough for speech. */
const CROSSINGS = 16;
/** Steps of the table between two crossings; in between it is interpolated. */
const STEPS = 256;

/** The right half of a sinc under a Blackman window, from its middle to the last crossing. */
const KERNEL = Float32Array.from({ length: CROSSINGS * STEPS + 2 }, (_, index) => {
  const x = index / STEPS;
  if (x >= CROSSINGS) return 0;
  const sinc = x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
  const w = (Math.PI * x) / CROSSINGS;
  return sinc * (0.42 + 0.5 * Math.cos(w) + 0.08 * Math.cos(2 * w));
});

export class Resampler {
  /** @type {number} input samples per output sample */
  #ratio;
  /** Below the lower of both Nyquist frequencies, so that nothing folds back. */
  #cutoff;
  #reach;
  /** The part of the input that is still needed, which begins with silence so that the first samples have a left side. */
  #input;
  /** Where the next output sample lies in `#input`. */
  #at;

  /** @param {number} inputRate @param {number} outputRate */
  constructor(inputRate, outputRate) {
    this.#ratio = inputRate / outputRate;
    this.#cutoff = Math.min(1, outputRate / inputRate);
    this.#reach = Math.ceil(CROSSINGS / this.#cutoff);
    this.#input = new Float32Array(this.#reach);
    this.#at = this.#reach;
  }

  /** @param {Float32Array[]} channels of the same length @returns {Float32Array} the output so far */
  push(channels) {
    return this.#feed(mix(channels));
  }

  /** The rest, once the input has ended. */
  end() {
    return this.#feed(new Float32Array(this.#reach));
  }

  /** @param {Float32Array} samples */
  #feed(samples) {
    const input = new Float32Array(this.#input.length + samples.length);
    input.set(this.#input);
    input.set(samples, this.#input.length);
    const ready = Math.max(0, Math.ceil((input.length - this.#reach - this.#at) / this.#ratio));
    const output = new Float32Array(ready);
    for (let index = 0; index < ready; index++) output[index] = this.#sample(input, this.#at + index * this.#ratio);
    this.#at += ready * this.#ratio;
    const done = Math.max(0, Math.floor(this.#at) - this.#reach);
    this.#input = input.slice(done);
    this.#at -= done;
    return output;
  }

  /** @param {Float32Array} input @param {number} position */
  #sample(input, position) {
    const middle = Math.floor(position);
    const first = Math.max(0, middle - this.#reach + 1);
    const last = Math.min(input.length - 1, middle + this.#reach);
    let sum = 0;
    for (let at = first; at <= last; at++) sum += input[at] * this.#weight(Math.abs(position - at));
    return sum * this.#cutoff;
  }

  /** @param {number} distance in input samples */
  #weight(distance) {
    const x = distance * this.#cutoff * STEPS;
    const index = Math.floor(x);
    if (index >= CROSSINGS * STEPS) return 0;
    const below = KERNEL[index];
    return below + (KERNEL[index + 1] - below) * (x - index);
  }
}

/** The mean of all channels. Samples that are no numbers, as damaged float files have them, are silence. @param {Float32Array[]} channels */
function mix(channels) {
  const [first] = channels;
  const mono = new Float32Array(first.length);
  for (const channel of channels) {
    for (let at = 0; at < mono.length; at++) mono[at] += Number.isFinite(channel[at]) ? channel[at] : 0;
  }
  for (let at = 0; at < mono.length; at++) mono[at] = Math.max(-1, Math.min(1, mono[at] / channels.length));
  return mono;
}
