import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The arguments a shell gives to `curl` for a line as it would be pasted; asks no curl to be installed. */
export async function curlArguments(line: string, env: Record<string, string> = {}): Promise<string[]> {
  const script = `curl() { printf '%s\\n' "$@"; }\n${line}`;
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', script], { env });
  return stdout.trimEnd().split('\n');
}

/** Does what curl does with a URL, `-H` and `-d`. */
export async function curl(args: readonly string[]): Promise<unknown> {
  const headers: [string, string][] = [];
  let [url = '', body]: (string | undefined)[] = [];
  for (let at = 0; at < args.length; at++) {
    const argument = args[at] ?? '';
    if (argument === '-H') headers.push(headerOf(args[++at] ?? ''));
    else if (argument === '-d') body = args[++at];
    else url = argument;
  }
  const response = await fetch(url, { method: body === undefined ? 'GET' : 'POST', headers, body: body ?? null });
  return response.json();
}

function headerOf(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
}
