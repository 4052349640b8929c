import { readSettings } from './composition/settings.ts';
import { startParley } from './composition/start-parley.ts';
import { formatBanner } from './format-banner.ts';
import { StartProgress } from './start-progress.ts';

/** Window in which signals count as one, in milliseconds: a terminal and npm may each deliver the same Ctrl-C. */
const SAME_SIGNAL_MS = 1_000;

/** `npm start`: the whole composition on this machine, until Ctrl-C or SIGTERM. */
async function main(): Promise<void> {
  const progress = new StartProgress(process.stdout);
  const stopping = stopOnSignal((line) => progress.printLine(line));
  const report = {
    step: (text: string) => progress.step(text),
    // While stopping, processes log that others are unavailable; that goes only to the log file.
    printLine: (line: string) => (stopping.aborted ? undefined : progress.printLine(`parley: ${line}`)),
  };
  const start = startParley(readSettings(process.env), report, stopping);
  const parley = await start.finally(() => progress.end(!stopping.aborted));
  if (!stopping.aborted) {
    say(formatBanner(parley, Boolean(process.env['PARLEY_API_KEY'])));
    await new Promise<void>((resolve) => stopping.addEventListener('abort', () => resolve(), { once: true }));
  }
  await parley.stop();
  say('Parley has stopped.');
}

/** Aborts with the first SIGINT or SIGTERM. */
function stopOnSignal(show: (line: string) => void): AbortSignal {
  const stopping = new AbortController();
  let since = 0;
  const onSignal = () => {
    if (!stopping.signal.aborted) {
      since = performance.now();
      show('\nParley is stopping …');
      stopping.abort();
    } else if (performance.now() - since > SAME_SIGNAL_MS) {
      show('still stopping: requests in progress are being finished');
    }
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return stopping.signal;
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
