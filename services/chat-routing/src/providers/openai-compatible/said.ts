/** A message of an answer, or a piece of one, as upstreams send it. */
export interface Utterance {
  content?: unknown;
  refusal?: unknown;
  /** What a reasoning model thinks: `reasoning_content` at DeepSeek, vLLM and llama.cpp, `reasoning` at OpenRouter, Ollama and Groq. */
  reasoning_content?: unknown;
  reasoning?: unknown;
}

/** What it says. */
export interface Said {
  text: string;
  reasoning: string;
  /** The model says why it does not answer; that is part of the text. */
  isRefusal: boolean;
}

/** Reads a message, or a piece of one; what is no text says nothing. */
export function saidIn({ content, refusal, reasoning_content, reasoning }: Utterance): Said {
  const parts = Array.isArray(content) ? (content as unknown[]) : [];
  const own = typeof content === 'string' ? content : parts.map(textOf).join('');
  const refused = stringOf(refusal) + parts.map(refusalOf).join('');
  const thoughts = stringOf(reasoning_content) || stringOf(reasoning);
  return { text: own + refused, reasoning: thoughts + parts.map(thoughtOf).join(''), isRefusal: refused !== '' };
}

/** The text of a part such as `{type: 'text', text}`. */
function textOf(part: unknown): string {
  const { type, text } = fieldsOf(part);
  return type === 'thinking' ? '' : stringOf(text);
}

/** The text of a part `{type: 'refusal', refusal}`. */
function refusalOf(part: unknown): string {
  return stringOf(fieldsOf(part).refusal);
}

/** What a model thinks in a part: `{type: 'thinking', thinking: 'text' or parts}` (Mistral). */
function thoughtOf(part: unknown): string {
  const { type, thinking } = fieldsOf(part);
  if (type !== 'thinking') return '';
  return Array.isArray(thinking) ? (thinking as unknown[]).map(textOf).join('') : stringOf(thinking);
}

function fieldsOf(part: unknown): Partial<Record<'type' | 'text' | 'refusal' | 'thinking', unknown>> {
  return typeof part === 'object' && part !== null ? part : {};
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
