import { readSettings } from './composition/settings.ts';
import { type Parley, startParley } from './composition/start-parley.ts';

/** `npm start`: the whole composition on this machine, until Ctrl-C or SIGTERM. */
async function main(): Promise<void> {
  const stopping = new AbortController();
  const onSignal = () => {
    if (stopping.signal.aborted) say('still stopping; what is under way is being finished');
    else stopping.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);

  const parley = await startParley(readSettings(process.env), (line) => say(`parley: ${line}`), stopping.signal);
  if (!stopping.signal.aborted) {
    greet(parley);
    await new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve(), { once: true }));
  }
  say('\nParley is stopping …');
  await parley.stop();
  say('Parley has stopped.');
}

function greet({ url, newApiKey, logFile }: Parley): void {
  const preset = process.env['PARLEY_API_KEY']
    ? 'as set in PARLEY_API_KEY'
    : 'shown at the first start (make another: npx parley keys create)';
  say(`
Parley is ready.

  Base URL   ${url}/v1
  API key    ${newApiKey ? `${newApiKey}   (shown only now: keep it)` : preset}
  Log        ${logFile}

Try it:
  curl ${url}/v1/chat/completions -H "Authorization: Bearer ${newApiKey ?? '$PARLEY_API_KEY'}" -H "Content-Type: application/json" -d '{"model":"auto","messages":[{"role":"user","content":"Hello!"}]}'
`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`parley: ${error instanceof Error ? error.message.replaceAll(/\s*\n\s*/g, ' ') : String(error)}\n`);
    process.exit(1);
  },
);
