import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo } from 'node:net';

/** An upstream of the OpenAI kind that keeps the headers of the chats it is asked for. */
export interface RecordingUpstream {
  /** For a connection. */
  readonly baseUrl: string;
  /** Of each chat, oldest first. */
  readonly headers: IncomingHttpHeaders[];
  close(): Promise<void>;
}

const CHUNKS = [
  { choices: [{ index: 0, delta: { role: 'assistant', content: 'as' } }] },
  { choices: [{ index: 0, delta: { content: ' asked' }, finish_reason: 'stop' }] },
  { choices: [], usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 } },
];

/** Starts one on a free port of loopback. */
export async function startRecordingUpstream(): Promise<RecordingUpstream> {
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((req, res) => {
    req.resume();
    if (req.method !== 'POST')
      return void res.setHeader('content-type', 'application/json').end(JSON.stringify({ object: 'list', data: [{ id: 'recorded-1' }] }));
    headers.push(req.headers);
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    const ofEach = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'recorded-1' };
    for (const chunk of CHUNKS) res.write(`data: ${JSON.stringify({ ...ofEach, ...chunk })}\n\n`);
    res.end('data: [DONE]\n\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    headers,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
