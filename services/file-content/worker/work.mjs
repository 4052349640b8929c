import { Unreadable } from './output.mjs';

/** A file may always inflate to this size, whatever the ratio. */
const RATIO_FLOOR = 1024 * 1024;

/**
 * Limits of the cost of one file. Counted, not timed, so that a file is read the same way on every machine.
 * @typedef {object} WorkLimits
 * @property {number} inflatedBytes of all parts together
 * @property {number} inflateRatio times the size of the file
 * @property {number} entries of an archive's directory
 * @property {number} parts that are opened, one that is opened twice counts twice
 * @property {number} markup tags, comments, attributes and pieces of text
 * @property {number} attributes of one element
 * @property {number} depth of elements within each other
 * @property {number} pages of a PDF
 */

/** @typedef {{ entries: number, parts: number, inflatedBytes: number, markup: number, depth: number, pages: number }} WorkCounts */

/** Counts what reading a file costs, and ends the reading where a limit is passed. What was read before is kept. */
export class Work {
  #limits;
  #maxInflated;
  /** @type {WorkCounts} */
  counts = { entries: 0, parts: 0, inflatedBytes: 0, markup: 0, depth: 0, pages: 0 };

  /**
   * @param {WorkLimits} limits
   * @param {number} inputBytes
   */
  constructor(limits, inputBytes) {
    this.#limits = limits;
    this.#maxInflated = Math.min(limits.inflatedBytes, Math.max(RATIO_FLOOR, limits.inflateRatio * inputBytes));
  }

  /** Counts an entry of a directory; false when no further one may be read. */
  takeEntry() {
    return ++this.counts.entries < this.#limits.entries;
  }

  /** Counts an entry that is opened. @throws Unreadable */
  openPart() {
    if (this.counts.parts >= this.#limits.parts) throw tooCostly('it has more parts than a file may');
    this.counts.parts++;
  }

  /**
   * Counts bytes that were inflated. @throws Unreadable
   * @param {number} bytes
   */
  inflate(bytes) {
    this.counts.inflatedBytes += bytes;
    if (this.counts.inflatedBytes > this.#maxInflated) throw tooCostly('it unpacks to more than a file may');
  }

  /**
   * Counts pieces of markup. @throws Unreadable
   * @param {number} pieces
   */
  addMarkup(pieces) {
    this.counts.markup += pieces;
    if (this.counts.markup > this.#limits.markup) throw tooCostly('it has more markup than a file may');
  }

  /**
   * Checks how deep an element stands. @throws Unreadable
   * @param {number} depth
   */
  enter(depth) {
    if (depth > this.#limits.depth) throw tooCostly('its elements stand too deep within each other');
    if (depth > this.counts.depth) this.counts.depth = depth;
  }

  /**
   * Counts the attribute of an element that has so many. @throws Unreadable
   * @param {number} attributes
   */
  addAttribute(attributes) {
    if (attributes > this.#limits.attributes) throw tooCostly('an element has more attributes than one may');
    this.addMarkup(1);
  }

  /** Counts a page. @throws Unreadable */
  turnPage() {
    if (this.counts.pages >= this.#limits.pages) throw tooCostly('it has more pages than a file may');
    this.counts.pages++;
  }
}

/** @param {string} reason */
function tooCostly(reason) {
  return new Unreadable(`The rest of the file was not read: ${reason}.`);
}
