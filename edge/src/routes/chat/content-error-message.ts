const TAKEN = 'a string, or a list of parts of the types text and image_url';

/** Hints for OpenAI's content parts that are not supported. */
const INSTEAD: Readonly<Record<string, string>> = {
  input_audio: 'send recordings to POST /v1/audio/transcriptions',
  file: 'attach files to the conversation and name them in attachment_file_ids',
};

/** Returns the error message for message content that is neither a string nor a list of supported parts. */
export function toContentErrorMessage(content: unknown): string {
  if (!Array.isArray(content)) return `must be ${TAKEN}`;
  const at = content.findIndex((part) => !isKnown(typeOf(part)));
  if (at === -1) return `has an incomplete part: {"type":"text","text":"…"} and {"type":"image_url","image_url":{"url":"…"}} are taken`;
  const type = typeOf(content[at]);
  if (type === undefined) return `part ${at} has no type; the content is ${TAKEN}`;
  const hint = Object.hasOwn(INSTEAD, type) ? `: ${INSTEAD[type]}` : '';
  return `part ${at} has a type that is not supported${/^[a-z_]{1,40}$/.test(type) ? ` (${type})` : ''}; the content is ${TAKEN}${hint}`;
}

function isKnown(type: string | undefined): boolean {
  return type === 'text' || type === 'image_url';
}

function typeOf(part: unknown): string | undefined {
  const type = typeof part === 'object' && part !== null && 'type' in part ? part.type : undefined;
  return typeof type === 'string' ? type : undefined;
}
