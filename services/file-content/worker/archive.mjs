import yauzl from 'yauzl';
import { Unreadable } from './output.mjs';

/** Names are shown to people and models: nothing in them may move the cursor or turn the writing round. */
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
/** The compound file in which Office locks documents, and in which it kept them before 2007. */
const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex');

/** @typedef {import('yauzl').Entry & { name: string, isLocked: boolean }} ArchiveEntry */

/** A ZIP in memory. What is read and inflated from it is counted as it comes, whatever its headers say. */
export class Archive {
  #zip;
  /** What reading the file has cost. */
  work;
  /** @type {Map<string, ArchiveEntry>} */
  entries = new Map();
  /** How many entries it says it has. */
  count = 0;

  /**
   * @param {import('yauzl').ZipFile} zip
   * @param {import('./work.mjs').Work} work
   */
  constructor(zip, work) {
    this.#zip = zip;
    this.work = work;
  }

  /**
   * Reads the directory, inflates nothing.
   * @param {Uint8Array} bytes
   * @param {import('./work.mjs').Work} work
   */
  static async open(bytes, work) {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (buffer.subarray(0, COMPOUND.length).equals(COMPOUND)) {
      throw new Unreadable('The file could not be read: it is locked with a password, or of a format before 2007.');
    }
    // Unsafe names are no danger where nothing is unpacked, so they are decoded here, without yauzl's checks.
    const zip = await yauzl.fromBufferPromise(buffer, { lazyEntries: true, decodeStrings: false, autoClose: false });
    const archive = new Archive(zip, work);
    archive.count = zip.entryCount;
    for await (const entry of zip.eachEntry()) {
      const raw = yauzl.getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false);
      const name = raw.replaceAll(INVISIBLE, '\ufffd');
      archive.entries.set(name, Object.assign(entry, { name, isLocked: (entry.generalPurposeBitFlag & 1) === 1 }));
      // Entries of the same name count too: only the last of them is kept.
      if (!work.takeEntry()) break;
    }
    return archive;
  }

  /**
   * The first entry whose name matches.
   * @param {RegExp} name
   */
  find(name) {
    return [...this.entries.values()].find((entry) => name.test(entry.name));
  }

  /**
   * The bytes of an entry, inflated as they are asked for.
   * @param {ArchiveEntry} entry
   */
  async *inflate(entry) {
    if (entry.isLocked) throw new Unreadable('The file could not be read: it is locked with a password.');
    this.work.openPart();
    for await (const chunk of await this.#zip.openReadStreamPromise(entry)) {
      this.work.inflate(chunk.length);
      yield chunk;
    }
  }
}
