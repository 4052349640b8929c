import { spreadOf } from '../measure/statistics.ts';
import { type HostileWindow, type Results } from '../results.ts';
import { figure, remarks } from './cells.ts';
import { type Table } from './table.ts';

type Figure = 'loopDelayMs' | 'livezP99Ms' | 'livezMaxMs' | 'firstChunkP50Ms' | 'firstChunkP99Ms';

/** What others notice of large bodies, in ms; undefined when it was not run. */
export function hostileTable(results: Results): Table | undefined {
  const windows = results.windows.filter((window): window is HostileWindow => window.kind === 'hostile');
  if (windows.length === 0) return undefined;
  const kinds = [...new Set(windows.map(({ target, body }) => `${target}\n${body}`))];
  return {
    title: 'What others notice while large bodies are sent, two at once; ms',
    columns: ['target', 'body', 'answers', 'loop late, max', '/livez p99', '/livez max', 'first chunk p50', 'p99', 'remarks'],
    rows: kinds.map((kind) => {
      const own = windows.filter(({ target, body }) => `${target}\n${body}` === kind);
      const of = (name: Figure) => figure(spreadOf(own.map((window) => window[name]))?.median, 1);
      const [target = '', body = ''] = kind.split('\n');
      const answers = Object.entries(own[0]?.statuses ?? {}).map(([status, count]) => `${count} × ${status}`);
      return [
        ...[target, body, answers.join(', '), of('loopDelayMs'), of('livezP99Ms'), of('livezMaxMs')],
        ...[of('firstChunkP50Ms'), of('firstChunkP99Ms'), remarks(own)],
      ];
    }),
  };
}
