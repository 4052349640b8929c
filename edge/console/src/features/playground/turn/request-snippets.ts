/** What a program would ask. */
export interface SnippetFacts {
  origin: string;
  model: string;
  text: string;
  /** Routing headers. */
  headers: Readonly<Record<string, string>>;
}

const LONGEST = 2_000;

/** Returns the code of a request for four clients. The key is a variable of the environment, never a real one. */
export function toRequestSnippets(facts: SnippetFacts): { name: string; label: string; code: string }[] {
  const text = facts.text.length > LONGEST ? `${facts.text.slice(0, LONGEST)}…` : facts.text;
  const all = { ...facts, text };
  return [
    { name: 'curl', label: 'curl', code: curl(all) },
    { name: 'python', label: 'openai (Python)', code: python(all) },
    { name: 'node', label: 'openai (Node.js)', code: node(all) },
    { name: 'ai-sdk', label: 'AI SDK', code: aiSdk(all) },
  ];
}

const quoted = (text: string) => JSON.stringify(text);
const shell = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function curl({ origin, model, text, headers }: SnippetFacts): string {
  const body = JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: text }] });
  const lines = [
    `curl -N ${origin}/v1/chat/completions`,
    `-H "Authorization: Bearer $PARLEY_API_KEY"`,
    `-H 'Content-Type: application/json'`,
    ...Object.entries(headers).map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`),
    `-d ${shell(body)}`,
  ];
  return lines.join(' \\\n  ');
}

function python({ origin, model, text, headers }: SnippetFacts): string {
  const extra = Object.keys(headers).length > 0 ? `\n    extra_headers=${JSON.stringify(headers)},` : '';
  return `import os
from openai import OpenAI

client = OpenAI(base_url=${quoted(`${origin}/v1`)}, api_key=os.environ["PARLEY_API_KEY"])
stream = client.chat.completions.create(
    model=${quoted(model)},
    messages=[{"role": "user", "content": ${quoted(text)}}],
    stream=True,${extra}
)
for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="", flush=True)
`;
}

function node({ origin, model, text, headers }: SnippetFacts): string {
  const extra = Object.keys(headers).length > 0 ? `\n  { headers: ${JSON.stringify(headers)} },` : '';
  return `import OpenAI from 'openai';

const client = new OpenAI({ baseURL: ${quoted(`${origin}/v1`)}, apiKey: process.env.PARLEY_API_KEY });
const stream = await client.chat.completions.create(
  { model: ${quoted(model)}, messages: [{ role: 'user', content: ${quoted(text)} }], stream: true },${extra}
);
for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta?.content ?? '');
`;
}

function aiSdk({ origin, model, text, headers }: SnippetFacts): string {
  const extra = Object.keys(headers).length > 0 ? `\n  headers: ${JSON.stringify(headers)},` : '';
  return `import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { streamText } from 'ai';

const parley = createOpenAICompatible({
  name: 'parley',
  baseURL: ${quoted(`${origin}/v1`)},
  apiKey: process.env.PARLEY_API_KEY,${extra}
});
const { textStream } = streamText({ model: parley(${quoted(model)}), prompt: ${quoted(text)} });
for await (const text of textStream) process.stdout.write(text);
`;
}
