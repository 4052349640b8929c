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
export interface TypeRow<Kind extends string = FileKind> {
  mimeType: string;
  kind: Kind;
  form: ContentFormat;
}

const OFFICE = 'application/vnd.openxmlformats-officedocument';

function code(mimeType: string, ...extensions: string[]): [string, TypeRow][] {
  return extensions.map((extension) => [extension, { mimeType, kind: 'code', form: 'text' }]);
}

/** The types that may be attached, by extension. A MIME type's first extension is the one it is saved under. */
export const ATTACHABLE: ReadonlyMap<string, TypeRow> = new Map<string, TypeRow>([
  ['png', { mimeType: 'image/png', kind: 'image', form: 'png' }],
  ['jpg', { mimeType: 'image/jpeg', kind: 'image', form: 'jpeg' }],
  ['jpeg', { mimeType: 'image/jpeg', kind: 'image', form: 'jpeg' }],
  ['gif', { mimeType: 'image/gif', kind: 'image', form: 'gif' }],
  ['webp', { mimeType: 'image/webp', kind: 'image', form: 'webp' }],
  ['pdf', { mimeType: 'application/pdf', kind: 'document', form: 'pdf' }],
  ['docx', { mimeType: `${OFFICE}.wordprocessingml.document`, kind: 'document', form: 'docx' }],
  ['pptx', { mimeType: `${OFFICE}.presentationml.presentation`, kind: 'document', form: 'pptx' }],
  ['xlsx', { mimeType: `${OFFICE}.spreadsheetml.sheet`, kind: 'table', form: 'xlsx' }],
  ['csv', { mimeType: 'text/csv', kind: 'table', form: 'text' }],
  ['tsv', { mimeType: 'text/tab-separated-values', kind: 'table', form: 'text' }],
  ['txt', { mimeType: 'text/plain', kind: 'text', form: 'text' }],
  ['text', { mimeType: 'text/plain', kind: 'text', form: 'text' }],
  ['log', { mimeType: 'text/plain', kind: 'text', form: 'text' }],
  ['md', { mimeType: 'text/markdown', kind: 'text', form: 'text' }],
  ['markdown', { mimeType: 'text/markdown', kind: 'text', form: 'text' }],
  ['json', { mimeType: 'application/json', kind: 'text', form: 'json' }],
  ['xml', { mimeType: 'application/xml', kind: 'text', form: 'xml' }],
  ['zip', { mimeType: 'application/zip', kind: 'archive', form: 'zip' }],
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
export const AUDIO: ReadonlyMap<string, TypeRow<'audio'>> = new Map([
  ['wav', { mimeType: 'audio/wav', kind: 'audio', form: 'wav' }],
  ['mp3', { mimeType: 'audio/mpeg', kind: 'audio', form: 'mp3' }],
  ['flac', { mimeType: 'audio/flac', kind: 'audio', form: 'flac' }],
  ['ogg', { mimeType: 'audio/ogg', kind: 'audio', form: 'opus' }],
]);
