import { type Spread, spreadOf } from '../measure/statistics.ts';
import { type CostTurns, type CostWindow, type Results } from '../results.ts';
import { figure, NOTHING, range, remarks, times } from './cells.ts';
import { costEach } from './figures.ts';
import { type Table } from './table.ts';

const TURNS: readonly CostTurns[] = ['new', 'continued', 'streams', 'thinking'];
const TURN_NAMES: Record<CostTurns, string> = {
  new: 'new conversations',
  continued: 'continued ones',
  streams: 'streams of 64 chunks',
  thinking: 'new, upstream takes 500 ms',
};
/** Statements and processes with less than this part of the most expensive one are summed up. */
const LEAST = 0.01;
const TEXT_LENGTH = 80;

/** What a turn costs in all, by process and by statement; empty when it was not run. */
export function costTables(results: Results): Table[] {
  const windows = results.windows.filter((window): window is CostWindow => window.kind === 'cost');
  if (windows.length === 0) return [];
  const targets = [...new Set(windows.map(({ target }) => target))];
  const withDatabase = targets.filter((target) => windows.some((window) => window.target === target && window.wal));
  return [
    wholeTable(results, windows, targets),
    ...withDatabase.flatMap((target) => [
      processTable(`${target}: CPU µs per turn by process`, ofTarget(windows, target), (window) => window.processes),
      processTable(`${target}: WAL bytes per turn by process`, ofTarget(windows, target), (window) => window.wal?.processes ?? []),
      ...TURNS.map((turns) => statementTable(target, turns, ofTarget(windows, target))),
    ]),
  ].filter((table) => table.rows.length > 0);
}

function wholeTable(results: Results, windows: readonly CostWindow[], targets: readonly string[]): Table {
  const rows = TURNS.flatMap((turns) =>
    targets.flatMap((target) => {
      const own = windows.filter((window) => window.target === target && window.turns === turns);
      if (own.length === 0) return [];
      const spread = (of: (window: CostWindow) => number | undefined): Spread | undefined =>
        spreadOf(own.map(of).filter((value) => value !== undefined));
      const cpu = spread((window) => window.cpuMicrosEach);
      const base = costEach(results, 'node-proxy', turns === 'continued' ? 'new' : turns);
      return [
        [
          target,
          TURN_NAMES[turns],
          figure(cpu?.median),
          range(cpu),
          times(cpu && base && cpu.median / base.median),
          figure(spread((window) => window.inLoadMicrosEach)?.median),
          figure(spread((window) => window.afterwardsMicrosEach)?.median),
          figure((spread((window) => window.busyMs)?.median ?? Number.NaN) / 1_000, 1),
          figure((spread((window) => window.idleCores)?.median ?? Number.NaN) * 100, 2),
          figure(spread((window) => window.wal?.bytesEach)?.median),
          figure(spread((window) => window.wal?.fullPagesEach)?.median),
          [own.some(({ busyMs }) => busyMs === undefined) ? 'never idle again' : '', remarks(own)].filter((text) => text !== '').join('; '),
        ],
      ];
    }),
  );
  return {
    title: `What a turn costs in all: ${results.settings.turns} turns, counted until every process is idle again`,
    columns: [
      'target',
      'turns',
      'CPU µs/turn',
      'min–max',
      '× node-proxy',
      'in the load',
      'afterwards',
      'busy afterwards, s',
      'idle, % of a core',
      'WAL bytes/turn',
      'of it full pages',
      'remarks',
    ],
    rows,
  };
}

function processTable(
  title: string,
  windows: readonly CostWindow[],
  sharesOf: (window: CostWindow) => { name: string; each: number }[],
): Table {
  const names = [...new Set(windows.flatMap((window) => sharesOf(window).map(({ name }) => name)))];
  const kinds = TURNS.filter((turns) => windows.some((window) => window.turns === turns));
  const medianOf = (turns: CostTurns, name: string): number =>
    spreadOf(
      windows.filter((window) => window.turns === turns).map((window) => sharesOf(window).find((share) => share.name === name)?.each ?? 0),
    )?.median ?? 0;
  const rows = names.map((name) => ({ name, values: kinds.map((turns) => medianOf(turns, name)) }));
  const dearest = Math.max(...rows.flatMap(({ values }) => values));
  const kept = rows.filter(({ values }) => values.some((value) => Math.abs(value) >= dearest * LEAST));
  const rest = rows.filter((row) => !kept.includes(row));
  kept.sort((a, b) => (b.values[0] ?? 0) - (a.values[0] ?? 0));
  const restRow = { name: 'all others', values: kinds.map((_, i) => rest.reduce((sum, { values }) => sum + (values[i] ?? 0), 0)) };
  return {
    title,
    columns: ['process', ...kinds.map((turns) => TURN_NAMES[turns]), ''],
    rows: [...kept, ...(rest.length > 0 ? [restRow] : [])].map(({ name, values }) => [
      name,
      ...values.map((value) => figure(value, 1)),
      '',
    ]),
  };
}

function statementTable(target: string, turns: CostTurns, windows: readonly CostWindow[]): Table {
  const own = windows.filter((window) => window.turns === turns);
  const texts = [...new Set(own.flatMap(({ statements = [] }) => statements.map(({ text }) => text)))];
  const median = (text: string, of: 'calls' | 'micros' | 'rows' | 'walBytes'): number =>
    spreadOf(
      own.map(({ statements = [] }) => statements.filter((each) => each.text === text).reduce((sum, statement) => sum + statement[of], 0)),
    )?.median ?? 0;
  const rows = texts.map((text) => ({
    text,
    calls: median(text, 'calls'),
    micros: median(text, 'micros'),
    rows: median(text, 'rows'),
    walBytes: median(text, 'walBytes'),
  }));
  rows.sort((a, b) => b.micros - a.micros);
  const [micros, walBytes] = [Math.max(...rows.map((row) => row.micros)), Math.max(...rows.map((row) => row.walBytes))];
  return {
    title: `${target}, ${TURN_NAMES[turns]}: statements, for one turn (time in execution, waits included)`,
    columns: ['statement', 'µs', 'calls', 'rows', 'WAL bytes', ''],
    rows: rows
      .filter((row) => row.micros >= micros * LEAST || row.walBytes >= walBytes * LEAST)
      .map((row) => [
        labelOf(row.text),
        figure(row.micros, 1),
        figure(row.calls, 3),
        figure(row.rows, 2),
        row.walBytes === 0 ? NOTHING : figure(row.walBytes),
        '',
      ]),
  };
}

/** What a statement writes, and how it begins: the JSON of a run holds all of it. */
function labelOf(text: string): string {
  const writes = [...text.matchAll(/\b(?:INSERT INTO|UPDATE|DELETE FROM) ([a-z_"."]+)/g)].map(([, table]) => table);
  const begin = text.length > TEXT_LENGTH ? `${text.slice(0, TEXT_LENGTH)}…` : text;
  return `${writes.length > 0 ? `writes ${[...new Set(writes)].join(', ')}: ` : ''}\`${begin}\``;
}

function ofTarget(windows: readonly CostWindow[], name: string): CostWindow[] {
  return windows.filter(({ target }) => target === name);
}
