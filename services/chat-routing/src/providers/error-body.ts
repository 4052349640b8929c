/** The facts in the body of an error response, independent of its format. */
export interface ErrorBodyDetails {
  /** Error codes and types, in lower case. */
  codes: readonly string[];
  /** Field of the request that caused the error; empty when none is named. */
  param: string;
  /** The upstream's message; empty without one. It may quote the request, so it is used only to classify and, masked, for operators. */
  message: string;
  /** Whether the body is a JSON object rather than, for example, the error page of a web server. */
  isError: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

const NOTHING: ErrorBodyDetails = { codes: [], param: '', message: '', isError: false };
/** Limits: entries of a list of errors, and characters of `message`. */
const MAX_FAULTS = 5;
const MAX_WORDS = 8_000;

/**
 * Reads the body of an error response: `{error: {…}}` (OpenAI), the same in an array (Google), `{error: "…"}` (Ollama, xAI), the fields
 * without an envelope (vLLM, Mistral, Cohere), `{detail}` (FastAPI), or text.
 */
export function parseErrorBody(body: unknown): ErrorBodyDetails {
  const outer: unknown = Array.isArray(body) ? body[0] : body;
  if (typeof outer === 'string') return { ...NOTHING, message: withoutTags(outer).trim().slice(0, MAX_WORDS) };
  if (!isFields(outer)) return NOTHING;
  const inner = isFields(outer.error) ? outer.error : outer;
  const words = [readWords(inner.message), readWords(outer.error), readWords(inner.detail), readRaw(inner.metadata)]
    .filter(Boolean)
    .join(': ');
  return { codes: listCodes(inner), param: readString(inner.param), message: words.slice(0, MAX_WORDS), isError: true };
}

function listCodes(inner: Fields): string[] {
  const deeper = [inner.innererror, ...(Array.isArray(inner.details) ? (inner.details as unknown[]) : [])].filter(isFields);
  const said = [inner.code, inner.type, inner.error_type, inner.status, ...deeper.flatMap(({ code, reason }) => [code, reason])];
  return said.flatMap((code) => (typeof code === 'string' ? [code.toLowerCase()] : []));
}

/** Reads a message: a string, or a list of validation errors without the part of the request that they quote (`input`). */
function readWords(said: unknown): string {
  if (typeof said === 'string') return said;
  if (isFields(said) && Array.isArray(said.detail)) return readWords(said.detail);
  if (!Array.isArray(said)) return '';
  const faults = said.slice(0, MAX_FAULTS).filter(isFields);
  return faults.map(({ loc, msg }) => `${Array.isArray(loc) ? loc.join('.') : ''} ${readString(msg)}`.trim()).join('; ');
}

/** The original provider's error, which gateways such as OpenRouter put into `metadata.raw`. */
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
