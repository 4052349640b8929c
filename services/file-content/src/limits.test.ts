import { expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULT_EXTRACTION_LIMITS } from './limits.ts';

const PAGE = join(import.meta.dirname, '../../../docs/limits.md');
const MIB = 1_024 ** 2;

it('has the limits that docs/limits.md says', async () => {
  const text = await readFile(PAGE, 'utf8');
  const [, section = ''] = text.split('## What reading a file may cost');
  const rows = [...(section.split('## ')[0] ?? '').matchAll(/^\| [a-zA-Z][^|]+?\| +([\d,]+)(?: (MiB|times))? +\|/gm)];
  const documented = rows.map(([, count = '', unit]) => Number(count.replaceAll(',', '')) * (unit === 'MiB' ? MIB : 1));
  const { inflatedBytes, inflateRatio, entries, parts, markup, attributes, depth, pages, timeMs, memoryMb, waiting, waitingBytes } =
    DEFAULT_EXTRACTION_LIMITS;
  expect(documented).toEqual([
    inflatedBytes,
    inflateRatio,
    entries,
    parts,
    markup,
    attributes,
    depth,
    pages,
    timeMs,
    memoryMb,
    waiting,
    waitingBytes,
  ]);
});
