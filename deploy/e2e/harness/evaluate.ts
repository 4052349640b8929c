import { waitFor } from '@parley/kit/testing/wait-for';
import { spawn } from 'node:child_process';

/** Ends the inspector again, once the debugger has gone: it has one port for all processes of a machine. */
const CLOSE = `setTimeout(() => process.getBuiltinModule('node:inspector').close(), 100)`;

/** How long a debugger that another test uses at the same time may keep the port, and all of it may take. */
const EVALUATED_MS = 150_000;

/** Evaluates a JavaScript expression in a Node process that runs, as a debugger does, and gives its value as text. */
async function evaluate(pid: number, expression: string): Promise<string> {
  const [value] = await waitFor(() => tryEvaluate(pid, expression), { timeoutMs: EVALUATED_MS, everyMs: 500 });
  return value;
}

/** The value; nothing when there was no way to the process, or another one had the port. */
async function tryEvaluate(pid: number, expression: string): Promise<[string] | undefined> {
  const debug = spawn(process.execPath, ['inspect', '-p', String(pid)], { stdio: ['pipe', 'pipe', 'ignore'] });
  let [shown, hasEnded] = ['', false];
  const ended = new Promise((resolve) => debug.once('close', resolve)).then(() => (hasEnded = true));
  debug.stdin.on('error', () => undefined);
  debug.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text));
  try {
    await waitFor(() => shown.includes('debug> ') || hasEnded);
    debug.stdin.write(`exec(${JSON.stringify(`'<<' + (process.pid === ${pid} ? (${CLOSE}, ${expression}) : '') + '>>'`)})\n`);
    const [, value = ''] = await waitFor(() => /<<(.*)>>/s.exec(shown) ?? (hasEnded ? [] : undefined));
    debug.stdin.write('.exit\n');
    await ended;
    return value === '' ? undefined : [value];
  } catch (cause) {
    throw new Error(`nothing could be evaluated in process ${pid}: ${shown}`, { cause });
  } finally {
    debug.kill('SIGKILL');
  }
}

/** Bytes that a Node process holds after a garbage collection, in its heap and outside of it. */
export async function heldBytes(pid: number): Promise<number> {
  const gc = `process.getBuiltinModule('node:v8').setFlagsFromString('--expose-gc'), process.getBuiltinModule('node:vm').runInNewContext('gc')()`;
  const value = await evaluate(pid, `${gc}, process.memoryUsage().heapUsed + process.memoryUsage().external`);
  return Number(value);
}

/** Lets the clock of a Node process jump, as it does when a machine's clock is set; what counts by a steady clock does not notice. */
export async function jumpClock(pid: number, ms: number): Promise<void> {
  const jumped = `globalThis.Date = class extends Date {
    constructor(...given) { given.length === 0 ? super(Date.now()) : super(...given); }
    static now() { return super.now() + ${ms}; }
  }, new Date().toISOString()`;
  await evaluate(pid, jumped.replaceAll(/\s+/g, ' '));
}
