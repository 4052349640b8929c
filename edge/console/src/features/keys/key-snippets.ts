import { type CreatedKey } from './queries/keys.ts';

/** Returns code that uses a key, for several clients; for a key without `chat`, a request that it may send. */
export function toKeySnippets(
  origin: string,
  { key, scopes }: Pick<CreatedKey, 'key' | 'scopes'>,
): { name: string; label: string; code: string }[] {
  if (!scopes.includes('chat')) {
    return [{ name: 'curl', label: 'curl', code: `curl ${origin}/v1/capabilities \\\n  -H 'Authorization: Bearer ${key}'` }];
  }
  const curl = `curl ${origin}/v1/chat/completions \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{"model": "auto", "messages": [{"role": "user", "content": "Hello"}]}'`;
  const python = `from openai import OpenAI

client = OpenAI(base_url="${origin}/v1", api_key="${key}")
answer = client.chat.completions.create(
    model="auto",
    messages=[{"role": "user", "content": "Hello"}],
)
print(answer.choices[0].message.content)`;
  const node = `import OpenAI from 'openai';

const client = new OpenAI({ baseURL: '${origin}/v1', apiKey: '${key}' });
const answer = await client.chat.completions.create({
  model: 'auto',
  messages: [{ role: 'user', content: 'Hello' }],
});
console.log(answer.choices[0].message.content);`;
  const settings = `OPENAI_BASE_URL=${origin}/v1\nOPENAI_API_KEY=${key}`;
  return [
    { name: 'curl', label: 'curl', code: curl },
    { name: 'python', label: 'Python', code: python },
    { name: 'node', label: 'Node.js', code: node },
    { name: 'env', label: '.env', code: settings },
  ];
}
