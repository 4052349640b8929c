/** A message or delta of an answer, as upstreams send it. */
export interface AnswerMessage {
  content?: unknown;
  refusal?: unknown;
  /** Reasoning text: `reasoning_content` at DeepSeek, vLLM and llama.cpp, `reasoning` at OpenRouter, Ollama and Groq. */
  reasoning_content?: unknown;
  reasoning?: unknown;
}

/** The content of a message or delta. */
export interface MessageContent {
  text: string;
  reasoning: string;
  /** The message contains a refusal by the model, whose text is part of `text`. */
  isRefusal: boolean;
}

/** Reads text, reasoning and refusal of a message or delta; other content is ignored. */
export function parseMessageContent({ content, refusal, reasoning_content, reasoning }: AnswerMessage): MessageContent {
  const parts = Array.isArray(content) ? (content as unknown[]) : [];
  const own = typeof content === 'string' ? content : parts.map(readText).join('');
  const refused = readString(refusal) + parts.map(readRefusal).join('');
  const thoughts = readString(reasoning_content) || readString(reasoning);
  return { text: own + refused, reasoning: thoughts + parts.map(readThought).join(''), isRefusal: refused !== '' };
}

/** The text of a part such as `{type: 'text', text}`. */
function readText(part: unknown): string {
  const { type, text } = toFields(part);
  return type === 'thinking' ? '' : readString(text);
}

/** The text of a part `{type: 'refusal', refusal}`. */
function readRefusal(part: unknown): string {
  return readString(toFields(part).refusal);
}

/** The reasoning of a part `{type: 'thinking', thinking: 'text' or parts}` (Mistral). */
function readThought(part: unknown): string {
  const { type, thinking } = toFields(part);
  if (type !== 'thinking') return '';
  return Array.isArray(thinking) ? (thinking as unknown[]).map(readText).join('') : readString(thinking);
}

function toFields(part: unknown): Partial<Record<'type' | 'text' | 'refusal' | 'thinking', unknown>> {
  return typeof part === 'object' && part !== null ? part : {};
}

function readString(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
