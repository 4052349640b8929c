import { describe, expect, it } from '@jest/globals';
import { parseConsoleOptions } from './options.ts';
import { consoleText, meetsGoals } from './report.ts';
import { type ConsoleResults } from './results.ts';

const results = (interaction: Partial<ConsoleResults['interactions'][number]> = {}): ConsoleResults => ({
  startedAt: '2026-01-01T00:00:00Z',
  command: 'npm run bench -- console',
  machine: { cpu: 'a processor', cores: 2, node: 'v20', kernel: 'linux', pinning: '' },
  browser: 'Chromium 1',
  options: parseConsoleOptions(['--rows', '10']),
  firstScreens: [{ page: 'home', scriptBytes: 150 * 1024, shownMs: [400, 2000, 500] }],
  interactions: [{ screen: 'keys', interaction: 'sort', isThere: true, eventMs: [48, 40, 130], taskMs: [0, 60, 0], ...interaction }],
});

describe('the report of the console', () => {
  it('says each figure beside its goal, and which is missed', () => {
    expect(meetsGoals(results())).toBe(true);
    expect(consoleText(results())).toMatch(/home +150\.0 +200 +met +500 +1,000 +met/);
    expect(consoleText(results())).toMatch(/keys +sort +48 +0 +60 +130 +100 +met/);
    const slow = results({ taskMs: [130, 0, 110] });
    expect(meetsGoals(slow)).toBe(false);
    expect(consoleText(slow)).toMatch(/keys +sort +48 +110 +130 +130 +100 +MISSED/);
  });

  it('does not count what a screen does not offer', () => {
    expect(consoleText(results({ isThere: false }))).toMatch(/keys +sort +– +– +– +– +100 +not offered/);
  });
});

describe('the options of the console', () => {
  it('take one count for all of a first look', () => {
    expect(parseConsoleOptions([])).toMatchObject({ keys: 380_000, conversations: 1_000_000, connections: 10_000, message: 1_000_000 });
    expect(parseConsoleOptions(['--rows', '50'])).toMatchObject({ keys: 50, conversations: 50, connections: 50, message: 1_000_000 });
  });
});
