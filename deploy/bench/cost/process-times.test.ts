import { describe, expect, it } from '@jest/globals';
import { microsByName, nameOfCommand, type ProcessTime, readProcessTimes } from './process-times.ts';

const time = (name: string, micros: number, endedMicros = 0): ProcessTime => ({ name, micros, endedMicros });

describe('process times', () => {
  it('sums what passed by name, and counts a child that has ended once', () => {
    const before = new Map([
      [1, time('postgres', 100, 1_000)],
      [2, time('backend', 50)],
      [3, time('backend', 500)],
    ]);
    // Process 3 had come to 700 when it was last seen and to 720 when it ended; 5 came and went unseen.
    const after = new Map([
      [1, time('postgres', 130, 1_000 + 720 + 40)],
      [2, time('backend', 60)],
      [4, time('walwriter', 7)],
    ]);
    const sums = microsByName(before, after, new Map([[3, time('backend', 700)]]), (pid, name) => (pid === 2 ? 'other' : name));
    expect(Object.fromEntries(sums)).toEqual({ postgres: 30, other: 10, walwriter: 7, backend: 200, 'processes that have ended': 60 });
  });

  it('reads the CPU that a process took', () => {
    const before = readProcessTimes([process.pid]);
    // The kernel counts a running process at its next tick, up to 10 ms later.
    const until = process.cpuUsage().user + 100_000;
    while (process.cpuUsage().user < until);
    const passed = microsByName(before, readProcessTimes([process.pid]), new Map(), (pid) => String(pid)).get(String(process.pid));
    expect(passed).toBeGreaterThan(80_000);
  });

  it('names services and programs, and processes of PostgreSQL by their titles', () => {
    const name = (...command: string[]) => nameOfCommand(command, 'program');
    expect(name('/bin/node', '--import', 'file:///a/monitor.mjs', '/a/deploy/dist/bundle/chat-routing.js')).toBe('node: chat-routing');
    expect(name('/bin/node', '/a/deploy/dist/bundle/edge.js')).toBe('node: edge');
    expect(name('/bin/node', '/a/scripts/single.mjs')).toBe('node: single');
    expect(name('postgres: parley parley 127.0.0.1(40312) idle')).toBe('postgres: backend');
    expect(name('postgres: autovacuum worker parley')).toBe('postgres: autovacuum worker parley');
    expect(name('/usr/bin/postgres', '-D', '/data')).toBe('program');
  });
});
