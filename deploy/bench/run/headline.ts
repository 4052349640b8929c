import { type Window } from '../results.ts';

/** What a window came to, in a line for the person who waits. */
export function headline(window: Window): string {
  const { kind, round, target, noisy } = window;
  return `${kind} ${round}: ${target} ${figures(window)}${noisy ? ' (noisy)' : ''}`;
}

function figures(window: Window): string {
  switch (window.kind) {
    case 'cost':
      return `${window.turns}: ${window.cpuMicrosEach.toFixed(0)} µs CPU each (${window.inLoadMicrosEach.toFixed(0)} in the load), ${window.wal?.bytesEach.toFixed(0) ?? 'no'} bytes of WAL`;
    case 'latency':
      return `p50 ${window.p50Ms.toFixed(2)} ms, first chunk ${window.firstChunkP50Ms.toFixed(2)} ms`;
    case 'memory':
      return `${window.kibPerStream.toFixed(1)} KiB a stream`;
    case 'idle':
      return `${window.warmPerSecond.toFixed(0)}/s warm, ${window.firstPerSecond.toFixed(0)} in the first second after the rest`;
    case 'stored':
      return `${window.storedBefore} stored, ${window.turns}: ${window.perSecond.toFixed(0)}/s, ${window.cpuMicrosEach.toFixed(0)} µs CPU each`;
    case 'audio':
      return `${window.jobsPerMinute.toFixed(0)} jobs a minute, chat p99 ${window.p99Ms.toFixed(2)} ms, beside jobs ${window.besideJobsP99Ms.toFixed(2)} ms`;
    case 'hostile':
      return `${window.body}: ${window.sent} answered, loop late by ${window.loopDelayMs.toFixed(0)} ms, /livez max ${window.livezMaxMs.toFixed(0)} ms, first chunk p99 ${window.firstChunkP99Ms.toFixed(0)} ms`;
    case 'requests':
    case 'streams':
    case 'burst':
      return `${window.perSecond.toFixed(0)}/s in the window, ${window.sustainedPerSecond.toFixed(0)}/s sustained`;
  }
}
