import { connect, type Socket } from 'node:net';
import { noteRaw } from './description/watch.ts';
import { type Judged } from './expectations.ts';
import { type Gateway } from './parley.ts';

/** An answer that came over a bare socket. */
export interface RawAnswer extends Judged {
  headers: Headers;
  text: string;
}

/** A request as it goes over the wire: head lines, then the body. */
export function wire(lines: readonly string[], body = ''): string {
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** Sends bytes that no HTTP client would send and reads one answer, until it is whole or the server closes. Rejects without an answer. */
export function sendRaw(gateway: Pick<Gateway, 'url'>, bytes: string | Buffer, timeoutMs = 60_000): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connectTo(gateway);
    let text = '';
    const settle = () => {
      clearTimeout(timer);
      socket.destroy();
      if (text === '') reject(new Error('the server closed without an answer'));
      else resolve(noted(gateway, bytes, parseAnswer(text)));
    };
    const timer = setTimeout(settle, timeoutMs);
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (isWhole(text)) settle();
    });
    socket.once('close', settle);
    socket.write(bytes);
  });
}

/** What was cut off or not JSON is looked at as far as its head. */
function noted({ url }: Pick<Gateway, 'url'>, bytes: string | Buffer, answer: RawAnswer): RawAnswer {
  noteRaw(url, bytes.toString('latin1').split('\r\n', 1)[0] ?? '', answer);
  return answer;
}

function connectTo({ url }: Pick<Gateway, 'url'>): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  // A refused connection closes; what was read until then is the answer.
  socket.on('error', () => undefined);
  return socket;
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end + 2));
  return end !== -1 && length !== null && Buffer.byteLength(text.slice(end + 4)) >= Number(length[1]);
}

function parseAnswer(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = new Headers(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()] as [string, string]),
  );
  const body = text.slice(end + 4);
  return {
    status: Number(first.split(' ')[1]),
    headers,
    json: body.startsWith('{') ? (JSON.parse(body) as unknown) : undefined,
    text: body,
  };
}
