import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { type CliEnvironment } from '../cli-environment.ts';

/** Characters of a document in JSON that are read. */
const MAX_DOCUMENT = 64 * 1024;

/**
 * The first line of standard input without its end, or all of it where that is the beginning of a document in JSON, as keys of service accounts are; at
 * a terminal it is asked for and not shown. Empty when there is none.
 */
export async function readLine(stdin: CliEnvironment['stdin'], stderr: Writable, name: string): Promise<string> {
  const atTerminal = stdin.isTTY === true;
  if (atTerminal) stderr.write(`${name} (not shown, end with Enter): `);
  const lines = createInterface({ input: stdin, output: silent(), terminal: atTerminal });
  try {
    let document = '';
    for await (const line of lines) {
      if (document === '' && (atTerminal || !line.trimStart().startsWith('{'))) return line.trim();
      document += `${line}\n`;
      if (document.length > MAX_DOCUMENT) break;
    }
    return document.trim();
  } finally {
    lines.close();
    if (atTerminal) stderr.write('\n');
  }
}

/** Takes the echo of what is typed. */
function silent(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
