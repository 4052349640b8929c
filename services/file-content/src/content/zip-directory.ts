const END = Buffer.from('PK\x05\x06', 'latin1');
const ENTRY = Buffer.from('PK\x01\x02', 'latin1');
const LOCAL = Buffer.from('PK\x03\x04', 'latin1');
const END_LENGTH = 22;
const MAX_COMMENT = 0xffff;
/** Maximum number of names that are read; enough to detect the type of a ZIP. */
const MAX_NAMES = 10_000;
/** Headers may overlap, each with a name of 64 KiB: of a longer name only the end is read. */
const MAX_NAME_BYTES = 1_024;

/** Returns the byte offsets of a ZIP's central directory; undefined when there is none at the end of the bytes. */
export function findCentralDirectory(whole: Uint8Array): { start: number; end: number } | undefined {
  const bytes = asBuffer(whole);
  const floor = Math.max(0, bytes.length - END_LENGTH - MAX_COMMENT);
  const tail = bytes.subarray(floor);
  for (let back = tail.lastIndexOf(END); back >= 0; back = back === 0 ? -1 : tail.lastIndexOf(END, back - 1)) {
    const at = floor + back;
    if (at + END_LENGTH > bytes.length || at + END_LENGTH + bytes.readUInt16LE(at + 20) !== bytes.length) continue;
    const size = bytes.readUInt32LE(at + 12);
    const start = at - size;
    // A ZIP of more than 4 GiB or 65,535 entries keeps another record in between; its entries are then found by their own headers.
    const isZip64 = size === 0xffffffff || bytes.readUInt16LE(at + 10) === 0xffff;
    if (size === 0 || isZip64 || (start >= 0 && bytes.subarray(start, start + 4).equals(ENTRY)))
      return { start: isZip64 ? at : start, end: at };
  }
  return undefined;
}

/** Returns the names of the entries: those of the central directory, or, without the whole file, those whose headers are in the head. */
export function listEntryNames(head: Uint8Array, whole: Uint8Array | undefined): string[] {
  const directory = whole && findCentralDirectory(whole);
  if (whole && directory && directory.start < directory.end)
    return namesAt(asBuffer(whole).subarray(directory.start, directory.end), ENTRY, 28, 46);
  return namesAt(asBuffer(whole ?? head), LOCAL, 26, 30);
}

// Searches for headers instead of adding up lengths: an entry that was written as a stream has no length in its header.
function namesAt(bytes: Buffer, signature: Buffer, lengthAt: number, nameAt: number): string[] {
  const names: string[] = [];
  for (let at = bytes.indexOf(signature); at >= 0 && names.length < MAX_NAMES; at = bytes.indexOf(signature, at + 4)) {
    if (at + nameAt > bytes.length) break;
    const end = at + nameAt + bytes.readUInt16LE(at + lengthAt);
    names.push(bytes.toString('utf8', Math.max(at + nameAt, end - MAX_NAME_BYTES), end));
  }
  return names;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
