import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { type Surroundings } from '../surroundings.ts';

/** The first line of standard input without its end; at a terminal it is asked for and not shown. Empty when there is none. */
export async function readLine(stdin: Surroundings['stdin'], stderr: Writable, name: string): Promise<string> {
  const atTerminal = stdin.isTTY === true;
  if (atTerminal) stderr.write(`${name} (not shown, end with Enter): `);
  const lines = createInterface({ input: stdin, output: silent(), terminal: atTerminal });
  try {
    for await (const line of lines) return line.trim();
    return '';
  } finally {
    lines.close();
    if (atTerminal) stderr.write('\n');
  }
}

/** Takes the echo of what is typed. */
function silent(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
