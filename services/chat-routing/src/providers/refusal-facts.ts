/** What the body of a refusal says, in whichever of the usual forms. */
export interface RefusalFacts {
  /** Its codes and types, in lower case. */
  codes: readonly string[];
  /** Field of the request that is to blame; empty where none is named. */
  param: string;
  /** The upstream's own words; empty where it has none. They may quote the request: for classifying and, masked, for operators. */
  words: string;
  /** The body is JSON that describes an error, and not the page of a web server. */
  isError: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

const NOTHING: RefusalFacts = { codes: [], param: '', words: '', isError: false };
/** Entries of a list of faults that are read, and characters of words. */
const MAX_FAULTS = 5;
const MAX_WORDS = 8_000;

/**
 * Reads the body of a refusal: `{error: {…}}` as OpenAI has it, the same in a list (Google), `{error: "…"}` (Ollama, xAI), the fields without an
 * envelope (vLLM, Mistral, Cohere), `{detail}` (FastAPI), or text.
 */
export function readRefusal(body: unknown): RefusalFacts {
  const outer: unknown = Array.isArray(body) ? body[0] : body;
  if (typeof outer === 'string') return { ...NOTHING, words: withoutTags(outer).trim().slice(0, MAX_WORDS) };
  if (!isFields(outer)) return NOTHING;
  const inner = isFields(outer.error) ? outer.error : outer;
  const words = [readWords(inner.message), readWords(outer.error), readWords(inner.detail), readRaw(inner.metadata)]
    .filter(Boolean)
    .join(': ');
  return { codes: listCodes(inner), param: readString(inner.param), words: words.slice(0, MAX_WORDS), isError: true };
}

function listCodes(inner: Fields): string[] {
  const deeper = [inner.innererror, ...(Array.isArray(inner.details) ? (inner.details as unknown[]) : [])].filter(isFields);
  const said = [inner.code, inner.type, inner.error_type, inner.status, ...deeper.flatMap(({ code, reason }) => [code, reason])];
  return said.flatMap((code) => (typeof code === 'string' ? [code.toLowerCase()] : []));
}

/** A sentence, or a list of faults without the part of the request that they quote (`input`). */
function readWords(said: unknown): string {
  if (typeof said === 'string') return said;
  if (isFields(said) && Array.isArray(said.detail)) return readWords(said.detail);
  if (!Array.isArray(said)) return '';
  const faults = said.slice(0, MAX_FAULTS).filter(isFields);
  return faults.map(({ loc, msg }) => `${Array.isArray(loc) ? loc.join('.') : ''} ${readString(msg)}`.trim()).join('; ');
}

/** What stands behind a gateway that refuses in the name of another provider. */
function readRaw(metadata: unknown): string {
  return isFields(metadata) ? readString(metadata.raw) : '';
}

function withoutTags(text: string): string {
  return /^\s*</.test(text) ? text.replace(/<(script|style)[^<>]*>[^<]*/gi, ' ').replace(/<[^<>]*>/g, ' ') : text;
}

function readString(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
