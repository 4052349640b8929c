import { describe, expect, it } from '@jest/globals';
import { unzipSync } from 'fflate';
import { PDFDocument } from 'pdf-lib';
import { PNG } from 'pngjs';
import { makeArtifact } from './make.ts';
import { parseArtifactOrders } from './parse-artifact-orders.ts';

async function make(text: string): Promise<Buffer> {
  const [recipe] = parseArtifactOrders(text);
  if (recipe === undefined) throw new Error(`nothing is ordered by ${text}`);
  const { size, chunks } = await makeArtifact(recipe);
  const bytes = Buffer.concat([...chunks]);
  expect(bytes.length).toBe(size);
  return bytes;
}

function pixel({ width, data }: PNG, x: number, y: number): number[] {
  return [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)];
}

describe('makeArtifact', () => {
  it('draws shapes in their colours, side by side', async () => {
    const one = PNG.sync.read(await make('draw a red circle'));
    expect([one.width, one.height, pixel(one, 128, 128)]).toEqual([256, 256, [214, 40, 40]]);
    expect(pixel(one, 2, 2)).toEqual([245, 245, 240]);
    const two = PNG.sync.read(await make('draw a red circle and a blue square 600x200'));
    expect([two.width, two.height, pixel(two, 150, 100), pixel(two, 450, 100)]).toEqual([600, 200, [214, 40, 40], [38, 84, 196]]);
  });

  it('writes words where it knows no shape', async () => {
    const picture = PNG.sync.read(await make('draw HI in green'));
    const inked = Array.from({ length: picture.width }, (_, x) => pixel(picture, x, 128).join()).filter((colour) => colour === '42,157,84');
    expect(inked.length).toBeGreaterThan(0);
  });

  it('writes tables', async () => {
    const planets = (await make('make a CSV of the planets')).toString().trimEnd().split('\r\n');
    expect(planets).toHaveLength(9);
    expect(planets[4]).toBe('Mars,227.9,6792,2');
    expect((await make('make a table of "a, b" things')).toString()).toContain('"""a, b"" things 1"');
  });

  it('writes PDFs of as many pages as asked for, in letters that its fonts have', async () => {
    const document = await PDFDocument.load(await make('write a 3 page PDF about 日本 and rivers'));
    expect([document.getPageCount(), document.getTitle()]).toEqual([3, 'A report about ?? and rivers']);
  });

  it('writes Word documents', async () => {
    const parts = unzipSync(await make('write a Word document about <b>bees & 日本</b>'));
    expect(Object.keys(parts)).toEqual(['[Content_Types].xml', '_rels/.rels', 'word/document.xml']);
    expect(Buffer.from(parts['word/document.xml'] ?? []).toString()).toContain('is about &lt;b&gt;bees &amp; 日本&lt;/b&gt;.');
  });

  it('makes the same bytes every time', async () => {
    for (const text of ['draw a composition', 'make a CSV of x', 'make a PDF about x', 'write a DOCX about x', 'make a 70 KB file']) {
      expect((await make(text)).equals(await make(text))).toBe(true);
    }
  });

  it('makes a large file block by block', async () => {
    const [recipe = { make: 'filler', topic: '' }] = parseArtifactOrders('make a file of 200 MB');
    const { size, chunks } = await makeArtifact(recipe);
    expect(size).toBe(200_000_000);
    const [first] = chunks;
    expect(first?.length).toBeLessThan(1_000_000);
    expect((await make('make a 3 MB file')).subarray(0, 16).toString()).toBe('line 000000001 x');
  });
});
