/** The kind of a file, as its readers see it. */
export type FileKind = 'image' | 'document' | 'text' | 'table' | 'code' | 'archive';

/** The format by which the bytes of a type are detected. */
export type ContentFormat =
  | 'png'
  | 'jpeg'
  | 'gif'
  | 'webp'
  | 'pdf'
  | 'docx'
  | 'xlsx'
  | 'pptx'
  | 'zip'
  | 'text'
  | 'json'
  | 'xml'
  | 'wav'
  | 'mp3'
  | 'flac'
  | 'opus';

/** A supported type: its MIME type, its kind, and the format of its bytes. */
export interface SupportedFileType<Kind extends string = FileKind> {
  mimeType: string;
  kind: Kind;
  format: ContentFormat;
}

const OFFICE = 'application/vnd.openxmlformats-officedocument';

function code(mimeType: string, ...extensions: string[]): [string, SupportedFileType][] {
  return extensions.map((extension) => [extension, { mimeType, kind: 'code', format: 'text' }]);
}

/** The types that may be attached, by extension. A MIME type's first extension is the one it is saved under. */
export const ATTACHABLE_TYPES: ReadonlyMap<string, SupportedFileType> = new Map<string, SupportedFileType>([
  ['png', { mimeType: 'image/png', kind: 'image', format: 'png' }],
  ['jpg', { mimeType: 'image/jpeg', kind: 'image', format: 'jpeg' }],
  ['jpeg', { mimeType: 'image/jpeg', kind: 'image', format: 'jpeg' }],
  ['gif', { mimeType: 'image/gif', kind: 'image', format: 'gif' }],
  ['webp', { mimeType: 'image/webp', kind: 'image', format: 'webp' }],
  ['pdf', { mimeType: 'application/pdf', kind: 'document', format: 'pdf' }],
  ['docx', { mimeType: `${OFFICE}.wordprocessingml.document`, kind: 'document', format: 'docx' }],
  ['pptx', { mimeType: `${OFFICE}.presentationml.presentation`, kind: 'document', format: 'pptx' }],
  ['xlsx', { mimeType: `${OFFICE}.spreadsheetml.sheet`, kind: 'table', format: 'xlsx' }],
  ['csv', { mimeType: 'text/csv', kind: 'table', format: 'text' }],
  ['tsv', { mimeType: 'text/tab-separated-values', kind: 'table', format: 'text' }],
  ['txt', { mimeType: 'text/plain', kind: 'text', format: 'text' }],
  ['text', { mimeType: 'text/plain', kind: 'text', format: 'text' }],
  ['log', { mimeType: 'text/plain', kind: 'text', format: 'text' }],
  ['md', { mimeType: 'text/markdown', kind: 'text', format: 'text' }],
  ['markdown', { mimeType: 'text/markdown', kind: 'text', format: 'text' }],
  ['json', { mimeType: 'application/json', kind: 'text', format: 'json' }],
  ['xml', { mimeType: 'application/xml', kind: 'text', format: 'xml' }],
  ['zip', { mimeType: 'application/zip', kind: 'archive', format: 'zip' }],
  ...code('text/x-python', 'py', 'pyi'),
  ...code('text/javascript', 'js', 'mjs', 'cjs', 'jsx'),
  ...code('text/x-typescript', 'ts', 'mts', 'cts', 'tsx'),
  ...code('text/x-java', 'java'),
  ...code('text/x-c', 'c', 'h'),
  ...code('text/x-c++', 'cpp', 'cc', 'cxx', 'hpp', 'hh'),
  ...code('text/x-csharp', 'cs'),
  ...code('text/x-golang', 'go'),
  ...code('text/x-ruby', 'rb'),
  ...code('text/x-php', 'php'),
  ...code('text/x-rust', 'rs'),
  ...code('text/x-swift', 'swift'),
  ...code('text/x-kotlin', 'kt', 'kts'),
  ...code('text/x-shellscript', 'sh', 'bash', 'zsh'),
  ...code('application/sql', 'sql'),
  ...code('text/x-yaml', 'yaml', 'yml'),
  // A browser that receives one of these by mistake must show its source, and render or run nothing (ADR 0022).
  ...code('text/plain', 'html', 'htm', 'css', 'scss', 'vue', 'scala', 'lua', 'pl', 'r', 'dart', 'm', 'ex', 'exs', 'hs', 'clj', 'jl', 'ps1'),
  ...code('text/plain', 'bat', 'toml', 'ini', 'ipynb', 'graphql', 'proto', 'diff', 'patch', 'tex', 'jsonl'),
]);

/** Audio types, by extension, which upstreams may generate in addition. */
export const AUDIO_TYPES: ReadonlyMap<string, SupportedFileType<'audio'>> = new Map([
  ['wav', { mimeType: 'audio/wav', kind: 'audio', format: 'wav' }],
  ['mp3', { mimeType: 'audio/mpeg', kind: 'audio', format: 'mp3' }],
  ['flac', { mimeType: 'audio/flac', kind: 'audio', format: 'flac' }],
  ['ogg', { mimeType: 'audio/ogg', kind: 'audio', format: 'opus' }],
]);
