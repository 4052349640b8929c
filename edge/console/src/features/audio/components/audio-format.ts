/** Formats that speech can be asked for as; `aac` becomes WAV, so it is not offered. */
export const SPEECH_FORMATS = ['wav', 'mp3', 'opus', 'flac', 'pcm'] as const;
export type SpeechFormat = (typeof SPEECH_FORMATS)[number];

const EXTENSIONS: Readonly<Record<string, string>> = {
  'audio/wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/flac': 'flac',
  'audio/mp4': 'm4a',
  'audio/webm': 'webm',
  'audio/pcm': 'pcm',
};

/** The plain type without parameters. */
function plain(mimeType: string): string {
  return mimeType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Returns the extension of a file of this type. */
export function toFileExtension(mimeType: string): string {
  return EXTENSIONS[plain(mimeType)] ?? 'bin';
}

/** Whether a browser can play it: samples without a container it cannot. */
export function isPlayable(mimeType: string): boolean {
  return plain(mimeType) in EXTENSIONS && toFileExtension(mimeType) !== 'pcm';
}
