/** The type of a recording, detected by its content. */
export interface RecordingType {
  /** Selects the decoder. */
  format: RecordingFormat;
  mimeType: string;
  /** Servers detect the format by the file name. */
  extension: string;
}

/** Supported formats of recordings. */
export type RecordingFormat = 'wav' | 'mp3' | 'flac' | 'opus' | 'vorbis' | 'webm' | 'mp4';

/** The number of bytes that type detection needs. */
export const TYPE_DETECTION_BYTES = 65_536;

const TYPES: Record<RecordingFormat, RecordingType> = {
  wav: { format: 'wav', mimeType: 'audio/wav', extension: 'wav' },
  mp3: { format: 'mp3', mimeType: 'audio/mpeg', extension: 'mp3' },
  flac: { format: 'flac', mimeType: 'audio/flac', extension: 'flac' },
  opus: { format: 'opus', mimeType: 'audio/ogg', extension: 'ogg' },
  vorbis: { format: 'vorbis', mimeType: 'audio/ogg', extension: 'ogg' },
  webm: { format: 'webm', mimeType: 'audio/webm', extension: 'webm' },
  mp4: { format: 'mp4', mimeType: 'audio/mp4', extension: 'm4a' },
};

/**
 * Detects the type of a recording by the beginning of the file; ignores the declared type and the file name. Undefined for an unsupported
 * format.
 */
export function detectRecordingType(head: Buffer): RecordingType | undefined {
  const format = readFormat(head.subarray(id3Bytes(head)));
  return format && TYPES[format];
}

function readFormat(head: Buffer): RecordingFormat | undefined {
  const word = (at: number, length = 4): string => head.toString('latin1', at, at + length);
  if (word(0) === 'RIFF' && word(8) === 'WAVE') return 'wav';
  if (word(0) === 'fLaC') return 'flac';
  if (word(0) === 'OggS') return oggFormat(head);
  if (word(4) === 'ftyp') return 'mp4';
  // EBML: Matroska and WebM alike; the decoder checks the tracks.
  if (head.length > 4 && head.readUInt32BE(0) === 0x1a45dfa3) return 'webm';
  return isMpegFrame(head) ? 'mp3' : undefined;
}

/** Detects the codec by the first packet of an Ogg stream. */
function oggFormat(head: Buffer): RecordingFormat | undefined {
  if (head.length < 28) return undefined;
  const packet = head.subarray(27 + (head[26] ?? 0));
  if (packet.toString('latin1', 0, 8) === 'OpusHead') return 'opus';
  if (packet.toString('latin1', 1, 7) === 'vorbis') return 'vorbis';
  return packet.toString('latin1', 1, 5) === 'FLAC' ? 'flac' : undefined;
}

/**
 * Whether the bytes begin an MPEG audio frame: eleven set bits, then a valid version, layer, bit rate and sample rate; noise rarely begins
 * like that. Layer I is excluded: it is not in use, and the byte order mark of UTF-16 looks like it.
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

/** Returns the length of the ID3 tag at the beginning of many MP3 and some FLAC files; 0 without one. */
function id3Bytes(head: Buffer): number {
  if (head.length < 10 || head.toString('latin1', 0, 3) !== 'ID3') return 0;
  const size = [6, 7, 8, 9].reduce((sum, at) => (sum << 7) | ((head[at] ?? 0) & 0x7f), 0);
  return 10 + size + ((head[5] ?? 0) & 0x10 ? 10 : 0);
}
