/** Why a file cannot be read (further), as a sentence for its sender. */
export class Unreadable extends Error {}

/** Collects text up to a limit, and notes about what is missing. */
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

  /** True when there is neither text nor a note. */
  get isSilent() {
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

  /** The text, without characters that PostgreSQL or JSON reject, and the notes. */
  end() {
    const text = this.#parts.join('').replaceAll('\0', '').toWellFormed().trim();
    return { text, omitted: this.#notes.join(' ') };
  }
}
