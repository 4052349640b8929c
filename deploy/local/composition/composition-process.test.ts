import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { V8_OPTIONS } from './composition-process.ts';

const DOCKERFILE = join(import.meta.dirname, '../../docker/Dockerfile');
const COUNT_THREADS = "fs.readdirSync('/proc/self/task').length";

/** How many threads a process of Node has. */
function threadsWith(options: readonly string[]): number {
  return Number(execFileSync(process.execPath, [...options, '-p', COUNT_THREADS], { encoding: 'utf8' }));
}

describe('the options of Node', () => {
  it('are the same in the image', () => {
    const [, entry = ''] = /^ENTRYPOINT (.+)$/m.exec(readFileSync(DOCKERFILE, 'utf8')) ?? [];
    expect(JSON.parse(entry)).toEqual(['node', ...V8_OPTIONS]);
  });

  // Threads are counted in /proc.
  (platform() === 'linux' ? it : it.skip)('leave V8 a single thread beside the event loop', () => {
    expect(threadsWith(V8_OPTIONS)).toBe(threadsWith([...V8_OPTIONS, '--v8-pool-size=2']) - 1);
  });
});
