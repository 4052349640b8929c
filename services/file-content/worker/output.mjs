/** Why a file cannot be read (further), as a sentence for the one who sent it. */
export class Unreadable extends Error {}

/** Collects text up to a limit, and what has to be said about the rest. */
export class Output {
  #max;
  /** @type {string[]} */
  #parts = [];
  #length = 0;
  /** @type {string[]} */
  #notes = [];
  isFull = false;

  /** @param {number} maxCharacters */
  constructor(maxCharacters) {
    this.#max = maxCharacters;
  }

  get isEmpty() {
    return this.#length === 0;
  }

  /** True while nobody would learn why there is no text. */
  get saysNothing() {
    return this.isEmpty && this.#notes.length === 0;
  }

  /**
   * Adds text; what no longer fits is dropped.
   * @param {string} text
   */
  add(text) {
    if (this.isFull || text === '') return;
    const room = this.#max - this.#length;
    if (text.length > room) {
      this.isFull = true;
      this.note(`Only the first ${this.#max.toLocaleString('en')} characters were read; the rest is left out.`);
    }
    const fitting = text.slice(0, room);
    this.#parts.push(fitting);
    this.#length += fitting.length;
  }

  /**
   * Adds a sentence about what is missing, once.
   * @param {string} sentence
   */
  note(sentence) {
    if (!this.#notes.includes(sentence)) this.#notes.push(sentence);
  }

  /** The text, without characters that no database or JSON takes, and the notes. */
  end() {
    const text = this.#parts.join('').replaceAll('\0', '').toWellFormed().trim();
    return { text, omitted: this.#notes.join(' ') };
  }
}
