// Extracts the Opus packets of WebM and Matroska files that browsers record.

const TRACK_ENTRY = 0xae;
const TRACK_NUMBER = 0xd7;
const CODEC_ID = 0x86;
const CODEC_PRIVATE = 0x63a2;
const SIMPLE_BLOCK = 0xa3;
const BLOCK = 0xa1;
/** Elements that are entered instead of skipped; recorders leave the size of the first two unknown. Segment, Cluster, BlockGroup, Tracks, TrackEntry. */
const PARENTS = new Set([0x18538067, 0x1f43b675, 0xa0, 0x1654ae6b, TRACK_ENTRY]);
const LACING = 0x06;

/**
 * @param {Buffer} file
 * @returns {{ head: Buffer, packets: Uint8Array[] } | undefined} the OpusHead and the packets of the first Opus track; undefined without one
 */
export function readWebm(file) {
  /** @type {{ number: number, codec: string, head: Buffer }[]} */
  const tracks = [];
  /** @type {Uint8Array[]} */
  const packets = [];
  for (const { id, body } of elements(file)) {
    const track = tracks.at(-1);
    if (id === TRACK_ENTRY) tracks.push({ number: 0, codec: '', head: Buffer.alloc(0) });
    else if (id === TRACK_NUMBER && track) track.number = body.readUIntBE(0, Math.min(body.length, 6));
    else if (id === CODEC_ID && track) track.codec = body.toString('latin1');
    else if (id === CODEC_PRIVATE && track) track.head = body;
    else if (id === SIMPLE_BLOCK || id === BLOCK) {
      const opus = tracks.find(({ codec }) => codec === 'A_OPUS');
      if (!opus) return undefined;
      const packet = readPacket(body, opus.number);
      if (packet) packets.push(packet);
    }
  }
  const opus = tracks.find(({ codec }) => codec === 'A_OPUS');
  return opus && { head: opus.head, packets };
}

/** Every element in its order, parents before what is in them; ends where the file does, also in the middle of one. @param {Buffer} file */
function* elements(file) {
  for (let at = 0; at < file.length;) {
    const id = number(file, at, false);
    const size = id && number(file, at + id.length, true);
    if (!id || !size) return;
    at += id.length + size.length;
    if (PARENTS.has(id.value)) {
      yield { id: id.value, body: file.subarray(at, at) };
      continue;
    }
    if (at + size.value > file.length) return;
    yield { id: id.value, body: file.subarray(at, at + size.value) };
    at += size.value;
  }
}

/** A number whose first byte says how long it is. @param {Buffer} file @param {number} at @param {boolean} unmark */
function number(file, at, unmark) {
  const first = file[at];
  if (!first) return undefined;
  const length = Math.clz32(first) - 23;
  if (at + length > file.length) return undefined;
  let value = unmark ? first & (0xff >> length) : first;
  for (let index = 1; index < length; index++) value = value * 256 + file[at + index];
  return { value, length };
}

/** The packet of a block, when it is of that track: number, time, flags, then bytes. @param {Buffer} body @param {number} track */
function readPacket(body, track) {
  const owner = number(body, 0, true);
  if (!owner || owner.value !== track || body.length < owner.length + 3) return undefined;
  if (body[owner.length + 2] & LACING) throw new Error('laced blocks are not supported');
  return body.subarray(owner.length + 3);
}
