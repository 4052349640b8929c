import { connect } from 'node:net';

/** An answer read off a bare socket. */
export interface RawAnswer {
  status: number;
  headers: Map<string, string>;
  body: string;
}

/** Sends bytes as they are and reads one answer; resolves when the server closes, or when the body announced by Content-Length is there. */
export function sendRaw(port: number, ...parts: (string | Buffer)[]): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port });
    let text = '';
    const settle = () => {
      socket.destroy();
      if (text === '') reject(new Error('the server closed without an answer'));
      else resolve(parseAnswer(text));
    };
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (isWhole(text)) settle();
    });
    socket.on('close', settle);
    socket.on('error', () => undefined);
    for (const part of parts) socket.write(part);
  });
}

/** A request line and headers as text, with the blank line. */
export function head(line: string, ...headers: string[]): string {
  return `${[`${line} HTTP/1.1`, ...headers].join('\r\n')}\r\n\r\n`;
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  const length = /\r\ncontent-length: (\d+)/i.exec(text);
  return end !== -1 && length !== null && text.length >= end + 4 + Number(length[1]);
}

function parseAnswer(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const pairs = lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()] as const);
  return { status: Number(first.split(' ')[1]), headers: new Map(pairs), body: text.slice(end + 4) };
}
