/** A program that talks to the gateway. */
interface Client {
  name: string;
  /** What it is called; the same in every language. */
  label: string;
  code: string;
}

/** Stands for the key in every snippet, so that none is ever shown on this page. */
export const KEY_PLACEHOLDER = 'YOUR_API_KEY';

/** Returns the code that sets up each client. `baseUrl` ends with `/v1`. */
export function clientSnippets(baseUrl: string): Client[] {
  return [
    {
      name: 'curl',
      label: 'curl',
      code: `curl -N ${baseUrl}/chat/completions \\
  -H "Authorization: Bearer ${KEY_PLACEHOLDER}" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "auto", "stream": true, "messages": [{"role": "user", "content": "Hello!"}]}'`,
    },
    {
      name: 'python',
      label: 'openai (Python)',
      code: `# pip install openai
from openai import OpenAI

client = OpenAI(base_url="${baseUrl}", api_key="${KEY_PLACEHOLDER}")
stream = client.chat.completions.create(
    model="auto",
    messages=[{"role": "user", "content": "Hello!"}],
    stream=True,
)
for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="", flush=True)`,
    },
    {
      name: 'node',
      label: 'openai (Node)',
      code: `// npm install openai
import OpenAI from 'openai';

const client = new OpenAI({ baseURL: '${baseUrl}', apiKey: '${KEY_PLACEHOLDER}' });
const stream = await client.chat.completions.create({
  model: 'auto',
  messages: [{ role: 'user', content: 'Hello!' }],
  stream: true,
});
for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta.content ?? '');`,
    },
    {
      name: 'ai-sdk',
      label: 'AI SDK',
      code: `// npm install ai @ai-sdk/openai-compatible
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { streamText } from 'ai';

const parley = createOpenAICompatible({ name: 'parley', baseURL: '${baseUrl}', apiKey: '${KEY_PLACEHOLDER}' });
const { textStream } = streamText({ model: parley('auto'), prompt: 'Hello!' });
for await (const text of textStream) process.stdout.write(text);`,
    },
    {
      name: 'langchain',
      label: 'LangChain',
      code: `// npm install @langchain/openai
import { ChatOpenAI } from '@langchain/openai';

const model = new ChatOpenAI({
  model: 'auto',
  apiKey: '${KEY_PLACEHOLDER}',
  configuration: { baseURL: '${baseUrl}' },
});
for await (const { text } of await model.stream('Hello!')) process.stdout.write(text);`,
    },
    {
      name: 'open-webui',
      label: 'Open WebUI',
      code: `# From inside a container the gateway has another address than 127.0.0.1: that of its host.
docker run -d -p 3000:8080 -v open-webui:/app/backend/data \\
  -e OPENAI_API_BASE_URL=${baseUrl} \\
  -e OPENAI_API_KEY=${KEY_PLACEHOLDER} \\
  ghcr.io/open-webui/open-webui:main`,
    },
  ];
}
