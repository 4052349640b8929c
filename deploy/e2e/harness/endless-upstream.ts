import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

/** An upstream of the OpenAI kind that answers every chat request with text and no end, as fast as it is read. */
export interface Flood {
  /** For a connection. */
  readonly baseUrl: string;
  /** Bytes it got rid of so far, over all answers. */
  readonly sent: number;
  /** Answers that are being given. */
  readonly open: number;
  close(): Promise<void>;
}

/** A kilobyte of text in an event. */
const EVENT = `data: ${JSON.stringify({ id: 'flood', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'flood '.repeat(170) } }] })}\n\n`;

/** Starts a flood on a free port of loopback. */
export async function startFlood(): Promise<Flood> {
  let sent = 0;
  const open = new Set<ServerResponse>();
  const answer = (res: ServerResponse) => {
    open.add(res);
    res.on('close', () => open.delete(res));
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    const pour = () => {
      let hasRoom = true;
      while (hasRoom && !res.destroyed) {
        hasRoom = res.write(EVENT);
        sent += EVENT.length;
      }
    };
    res.on('drain', () => setImmediate(pour));
    pour();
  };
  const server = createServer((req, res) => {
    req.resume();
    if (req.method === 'POST') answer(res);
    else res.setHeader('content-type', 'application/json').end(JSON.stringify({ object: 'list', data: [{ id: 'flood' }] }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    get sent() {
      return sent;
    },
    get open() {
      return open.size;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
