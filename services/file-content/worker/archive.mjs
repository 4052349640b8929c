import yauzl from 'yauzl';
import { Unreadable } from './output.mjs';

/** Characters that move the cursor or reverse the text direction; names are shown to users and models. */
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
/** Signature of compound files: encrypted Office documents, and formats before Office 2007. */
const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex');

/** @typedef {import('yauzl').Entry & { name: string, isLocked: boolean }} ArchiveEntry */

/** A ZIP in memory. Counts what is read and inflated, independent of the sizes in its headers. */
export class Archive {
  #zip;
  /** Counts the cost of reading the file. */
  work;
  /** @type {Map<string, ArchiveEntry>} */
  entries = new Map();
  /** Number of entries that the directory declares. */
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
    // Nothing is unpacked to disk, so unsafe names are harmless; they are decoded here without yauzl's checks.
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
   * The bytes of an entry, inflated on demand.
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
