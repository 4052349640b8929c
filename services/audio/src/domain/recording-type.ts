/** What a recording is, by its content. */
export interface RecordingType {
  /** Which decoder reads it. */
  format: RecordingFormat;
  mimeType: string;
  /** Servers detect the format by the file name. */
  extension: string;
}

/** Formats that a recording may have. */
export type RecordingFormat = 'wav' | 'mp3' | 'flac' | 'opus' | 'vorbis' | 'webm' | 'mp4';

/** The number of bytes that type detection needs. */
export const TYPE_BYTES = 65_536;

const TYPES: Record<RecordingFormat, RecordingType> = {
  wav: { format: 'wav', mimeType: 'audio/wav', extension: 'wav' },
  mp3: { format: 'mp3', mimeType: 'audio/mpeg', extension: 'mp3' },
  flac: { format: 'flac', mimeType: 'audio/flac', extension: 'flac' },
  opus: { format: 'opus', mimeType: 'audio/ogg', extension: 'ogg' },
  vorbis: { format: 'vorbis', mimeType: 'audio/ogg', extension: 'ogg' },
  webm: { format: 'webm', mimeType: 'audio/webm', extension: 'webm' },
  mp4: { format: 'mp4', mimeType: 'audio/mp4', extension: 'm4a' },
};

/** What the beginning of a file says it is; the client's word and the name do not count. Undefined: no recording that is known here. */
export function recordingType(head: Buffer): RecordingType | undefined {
  const format = readFormat(head.subarray(id3Bytes(head)));
  return format && TYPES[format];
}

function readFormat(head: Buffer): RecordingFormat | undefined {
  const word = (at: number, length = 4): string => head.toString('latin1', at, at + length);
  if (word(0) === 'RIFF' && word(8) === 'WAVE') return 'wav';
  if (word(0) === 'fLaC') return 'flac';
  if (word(0) === 'OggS') return oggFormat(head);
  if (word(4) === 'ftyp') return 'mp4';
  // EBML; both Matroska and WebM, and the decoder looks at the tracks anyway.
  if (head.length > 4 && head.readUInt32BE(0) === 0x1a45dfa3) return 'webm';
  return isMpegFrame(head) ? 'mp3' : undefined;
}

/** The first packet of a stream says which codec it is of. */
function oggFormat(head: Buffer): RecordingFormat | undefined {
  if (head.length < 28) return undefined;
  const packet = head.subarray(27 + (head[26] ?? 0));
  if (packet.toString('latin1', 0, 8) === 'OpusHead') return 'opus';
  if (packet.toString('latin1', 1, 7) === 'vorbis') return 'vorbis';
  return packet.toString('latin1', 1, 5) === 'FLAC' ? 'flac' : undefined;
}

/**
 * Eleven set bits, then a version, a layer, a bit rate and a sample rate that exist: noise seldom begins so. Layer I is left out: no one has
 * any, and the byte order mark of UTF-16 looks like it.
 */
function isMpegFrame(head: Buffer): boolean {
  if (head.length < 4 || head[0] !== 0xff) return false;
  const [, second = 0, third = 0] = head;
  const version = (second >> 3) & 3;
  const layer = (second >> 1) & 3;
  const bitRate = third >> 4;
  return (
    (second & 0xe0) === 0xe0 && version !== 1 && layer !== 0 && layer !== 3 && bitRate !== 0 && bitRate !== 15 && ((third >> 2) & 3) !== 3
  );
}

/** How long the ID3 tag is that many MP3 and some FLAC files begin with. */
function id3Bytes(head: Buffer): number {
  if (head.length < 10 || head.toString('latin1', 0, 3) !== 'ID3') return 0;
  const size = [6, 7, 8, 9].reduce((sum, at) => (sum << 7) | ((head[at] ?? 0) & 0x7f), 0);
  return 10 + size + ((head[5] ?? 0) & 0x10 ? 10 : 0);
}
