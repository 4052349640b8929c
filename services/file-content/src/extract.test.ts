import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GatewayError } from '@parley/protos/errors';
import fc from 'fast-check';
import { latin, makePng, makeZip, text } from '../test/fixtures/make-bytes.ts';
import { makeDocx, makePdf, makePptx, makeXlsx } from '../test/fixtures/make-documents.ts';
import { bombPdf, crowdedXlsx, deepDocx, lockedPdf } from '../test/fixtures/make-hostile.ts';
import { docxOf, paragraph } from '../test/fixtures/make-office.ts';
import { type ExtractedText, type ExtractionLimits, TextExtractor } from './extract.ts';

const MIB = 2 ** 20;
/** Without a limit of depth the parser takes time by its square: such a file is not read to its end in a minute. */
const ANY_DEPTH = Infinity;
const TOO_LARGE = { condition: 'VALIDATION_ERROR', param: 'file', message: expect.stringContaining('memory') };

describe('TextExtractor', () => {
  let extractor: TextExtractor;
  beforeEach(() => {
    extractor = new TextExtractor();
  });
  afterEach(() => extractor.close());

  /** The result for a file whose type follows from its name. */
  function read(name: string, bytes: Uint8Array, signal?: AbortSignal): Promise<ExtractedText> {
    return extractor.extract(bytes, { name, mimeType: '', workspaceId: 'w' }, signal);
  }

  async function limit(limits: Partial<ExtractionLimits>): Promise<void> {
    await extractor.close();
    extractor = new TextExtractor(limits);
  }

  /** The process that read a hostile file is well, or has been replaced. */
  async function expectsNext(): Promise<void> {
    await expect(read('a.zip', makeZip({ 'a.txt': 'a' }))).resolves.toMatchObject({ text: 'ZIP archive, 1 entry:\na.txt (1 bytes)' });
  }

  it.each(['a.txt', 'a.md', 'a.csv', 'a.json', 'a.xml', 'a.py'])('reads %s as it is', async (name) => {
    await expect(read(name, text('\ufeffone,\r\ntwo \u{1F600}\n'))).resolves.toEqual({ text: 'one,\r\ntwo \u{1F600}\n', omitted: '' });
  });

  it('reads a PDF page by page', async () => {
    await expect(read('a.pdf', await makePdf('Hello', 'Two\nlines'))).resolves.toEqual({ text: 'Hello\n\nTwo\nlines', omitted: '' });
  });

  it('reads a Word document with its lists, tables and notes', async () => {
    const lines = ['# Boats & moorings', 'The Zephyr lies at pier 7', '- paint the hull', 'Boat | Length', 'Zephyr | 12 m'];
    const { text: found, omitted } = await read('a.docx', await makeDocx());
    expect(found.split('\n').filter((line) => line !== '')).toEqual([...lines, 'As the harbour master wrote.', 'Harbour office']);
    expect(omitted).toBe('');
  });

  it('reads a workbook sheet by sheet', async () => {
    const rows = ['Fish | Kilos | Landed | Sold', 'Herring <salted> | 12.5 | 2024-02-29 | TRUE', 'Cod |  |  | FALSE'];
    await expect(read('a.xlsx', await makeXlsx())).resolves.toEqual({
      text: ['Sheet: Catch', ...rows, '', 'Sheet: Crew', 'Ada'].join('\n'),
      omitted: '',
    });
  });

  it('reads a presentation slide by slide', async () => {
    await expect(read('a.pptx', await makePptx())).resolves.toEqual({
      text: 'Slide 1\nLighthouse plans\n\nSlide 2\nLamp | 400 W\nNotes:\nMention the keeper.',
      omitted: '',
    });
  });

  it('lists a ZIP, harmless names and all, and says that it did no more', async () => {
    const { text: list, omitted } = await read('a.zip', makeZip({ '../../etc/passwd': 'root', 'a/': '', 'a\u202egpj.exe\n': '' }));
    expect(list).toBe('ZIP archive, 3 entries:\n../../etc/passwd (4 bytes)\na/ (folder)\na\ufffdgpj.exe\ufffd (0 bytes)');
    expect(omitted).toMatch(/listed only/);
  });

  it('finds no text in images, and says so of what it does not know', async () => {
    await expect(read('a.png', makePng(1, 1))).resolves.toEqual({ text: '', omitted: '' });
    await expect(read('a.exe', text('MZ'))).resolves.toEqual({ text: '', omitted: expect.stringContaining('no text') });
    await expect(read('a.pdf', await makePdf(''))).resolves.toEqual({ text: '', omitted: expect.stringContaining('may be pictures') });
  });

  it('goes by the MIME type before the name', async () => {
    await expect(
      extractor.extract(text('a'), { name: 'upload', mimeType: 'text/plain; charset=utf-8', workspaceId: 'w' }),
    ).resolves.toMatchObject({
      text: 'a',
    });
  });

  it('leaves the bytes to their owner', async () => {
    const bytes = await makePdf('Hello');
    const before = Buffer.from(bytes);
    await read('a.pdf', bytes);
    expect(before.equals(bytes)).toBe(true);
  });

  it('reads files that come at once one after the other', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `file${index}`);
    const found = await Promise.all(names.map((name) => read('a.docx', docxOf(paragraph(name)))));
    expect(found.map((each) => each.text)).toEqual(names);
  });

  it('reads on after its process was ended', async () => {
    await limit({ idleMs: 0 });
    for (const word of ['one', 'two', 'three'])
      await expect(read('a.docx', docxOf(paragraph(word)))).resolves.toMatchObject({ text: word });
  });

  describe('limits', () => {
    it('cuts long text and says where', async () => {
      await limit({ outputCharacters: 1_000 });
      const omitted = 'Only the first 1,000 characters were read; the rest is left out.';
      await expect(read('a.txt', text(`${'a'.repeat(999)}\u{1F600}`))).resolves.toEqual({ text: 'a'.repeat(999), omitted });
      await expect(read('a.docx', docxOf(paragraph('b'.repeat(1_001))))).resolves.toEqual({ text: 'b'.repeat(1_000), omitted });
      await expect(read('a.txt', text('c'.repeat(1_000)))).resolves.toEqual({ text: 'c'.repeat(1_000), omitted: '' });
    });

    it('does not read what is too large', async () => {
      await limit({ inputBytes: 3 });
      await expect(read('a.txt', text('four'))).resolves.toEqual({
        text: '',
        omitted: 'The file was not read: it is larger than 3 bytes.',
      });
    });

    it('stops where a ZIP unpacks to too much, and keeps what came before', async () => {
      await limit({ inflatedBytes: MIB });
      const bomb = docxOf(paragraph('begins') + ' '.repeat(8 * MIB));
      expect(bomb.length).toBeLessThan(MIB / 16);
      await expect(read('a.docx', bomb)).resolves.toEqual({ text: 'begins', omitted: expect.stringContaining('unpacks to more') });
    });

    it('does not believe what a ZIP says of its sizes', async () => {
      const bytes = Buffer.from(docxOf(paragraph('x'.repeat(5_000))));
      const entry = bytes.lastIndexOf('PK\x01\x02', undefined, 'latin1');
      bytes.writeUInt32LE(10, entry + 24);
      await expect(read('a.docx', bytes)).resolves.toMatchObject({ omitted: expect.stringContaining('damaged') });
    });

    it('kills the reader of a file that takes too long, and reads the next', async () => {
      await limit({ timeMs: 4_000, depth: ANY_DEPTH });
      await expect(read('a.docx', deepDocx(1_000_000))).rejects.toMatchObject({
        ...{ condition: 'VALIDATION_ERROR', param: 'file', message: 'the file takes longer than 4000 ms to read' },
      });
      await expectsNext();
    });

    it('kills the reader of a file that fills the heap, and reads the next', async () => {
      await limit({ memoryMb: 96, timeMs: 60_000 });
      await expect(read('a.xlsx', crowdedXlsx(500_000))).rejects.toMatchObject(TOO_LARGE);
      await expectsNext();
    });

    it('kills the reader of a file that fills memory beside the heap, and reads the next', async () => {
      await limit({ memoryMb: 128, timeMs: 60_000 });
      const bomb = bombPdf(400 * MIB);
      expect(bomb.length).toBeLessThan(10_000);
      await expect(read('a.pdf', bomb)).rejects.toMatchObject(TOO_LARGE);
      await expectsNext();
    });

    it('reads the files of others while a reader grows and is killed', async () => {
      await limit({ memoryMb: 128, timeMs: 60_000 });
      let isOver = false;
      const bomb = read('a.pdf', bombPdf(400 * MIB))
        .catch((error: unknown) => error)
        .finally(() => (isOver = true));
      const found: string[] = [];
      while (!isOver) {
        const file = docxOf(paragraph(`file ${found.length}`));
        found.push((await extractor.extract(file, { name: 'a.docx', mimeType: '', workspaceId: 'other' })).text);
      }
      await expect(bomb).resolves.toMatchObject(TOO_LARGE);
      expect(found).toEqual(found.map((_, index) => `file ${index}`));
    });
  });

  describe('between workspaces', () => {
    const readers: { flood: Promise<unknown>[]; reports: string[] } = { flood: [], reports: [] };
    const file = { name: 'a.docx', mimeType: '' };

    /** A flood of hostile files of one workspace, and behind it a file of another. */
    async function flood(limits: Partial<ExtractionLimits>): Promise<ExtractedText> {
      await extractor.close();
      readers.reports = [];
      extractor = new TextExtractor(limits, ({ workspaceId, outcome }) => readers.reports.push(`${workspaceId} ${outcome}`));
      const hostile = deepDocx(1_000_000);
      readers.flood = Array.from({ length: 10 }, () =>
        extractor.extract(hostile, { ...file, workspaceId: 'hostile' }).catch(() => undefined),
      );
      return extractor.extract(docxOf(paragraph('mine')), { ...file, workspaceId: 'victim' });
    }

    it('reads a file at once while another workspace floods the queue', async () => {
      await expect(flood({ timeMs: 60_000, depth: ANY_DEPTH })).resolves.toEqual({ text: 'mine', omitted: '' });
      expect(readers.reports).toEqual(['victim read']);
    });

    it('reads it after one of the others where there is a single reader', async () => {
      await expect(flood({ readers: 1 })).resolves.toEqual({ text: 'mine', omitted: '' });
      // The first was being read when the second came, and the second was the first to wait.
      expect(readers.reports).toEqual(['hostile read', 'hostile read', 'victim read']);
      await Promise.all(readers.flood);
    });

    it('refuses what a workspace sends beyond its share of the queue', async () => {
      await limit({ waiting: 8, workspaceShare: 0.25 });
      const mine = Array.from({ length: 3 }, () => read('a.docx', docxOf(paragraph('mine'))));
      await expect(read('a.docx', docxOf(''))).rejects.toMatchObject({ condition: 'RATE_LIMIT_EXCEEDED' });
      await expect(extractor.extract(docxOf(paragraph('a')), { ...file, workspaceId: 'other' })).resolves.toMatchObject({ text: 'a' });
      await expect(Promise.all(mine)).resolves.toHaveLength(3);
    });
  });

  describe('damage', () => {
    it.each(['a.pdf', 'a.docx', 'a.xlsx', 'a.pptx', 'a.zip'])('says that %s cannot be read', async (name) => {
      await expect(read(name, text('no such thing'))).resolves.toEqual({ text: '', omitted: 'The file could not be read: it is damaged.' });
    });

    it('says that an archive holds no document', async () => {
      for (const name of ['a.docx', 'a.xlsx', 'a.pptx']) {
        await expect(read(name, makeZip({ a: 'a' }))).resolves.toEqual({ text: '', omitted: expect.stringContaining('it holds no') });
      }
    });

    it('says that a file is locked', async () => {
      const omitted = expect.stringContaining('locked with a password');
      await expect(read('a.pdf', lockedPdf())).resolves.toEqual({ text: '', omitted });
      await expect(read('a.docx', latin('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'))).resolves.toEqual({ text: '', omitted });
    });

    it('does not expand entities that a document declares', async () => {
      const laughs = `<!DOCTYPE a [<!ENTITY a "haha"><!ENTITY b "&a;&a;">]>${paragraph('&b;&amp;')}`;
      await expect(read('a.docx', docxOf(laughs))).resolves.toEqual({ text: '&b;&', omitted: '' });
    });

    it('survives bytes of any kind under any name', async () => {
      const starts = ['', 'PK\x03\x04', '%PDF-1.4\n', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'];
      const names = fc.constantFrom('a.pdf', 'a.docx', 'a.xlsx', 'a.pptx', 'a.zip', 'a.txt', 'a.png');
      const files = fc.tuple(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 500 }));
      await fc.assert(
        fc.asyncProperty(names, files, async (name, [start, rest]) => {
          const found = await read(name, Buffer.concat([latin(start), rest]));
          expect(typeof found.text === 'string' && typeof found.omitted === 'string').toBe(true);
        }),
        { numRuns: 100 },
      );
      await expectsNext();
    });

    it('survives documents with damaged bytes', async () => {
      const documents: Record<string, Uint8Array> = {
        'a.pdf': await makePdf('Hello'),
        'a.docx': await makeDocx(),
        'a.xlsx': await makeXlsx(),
      };
      const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 20 });
      await fc.assert(
        fc.asyncProperty(fc.constantFrom('a.pdf', 'a.docx', 'a.xlsx'), damage, async (name, places) => {
          const bytes = Buffer.from(documents[name] ?? []);
          for (const [place, value] of places) bytes[place % bytes.length] = value;
          const found = await read(name, bytes);
          expect(found.text !== '' || found.omitted !== '').toBe(true);
        }),
        { numRuns: 100 },
      );
      await expectsNext();
    });
  });

  describe('signal and close', () => {
    beforeEach(() => limit({ depth: ANY_DEPTH, timeMs: 60_000 }));

    it('stops reading when the signal aborts, and reads the next', async () => {
      const abort = new AbortController();
      const reading = read('a.docx', deepDocx(1_000_000), abort.signal);
      const next = read('a.docx', docxOf(paragraph('next')));
      abort.abort(new Error('client left'));
      await expect(reading).rejects.toThrow('client left');
      await expect(next).resolves.toMatchObject({ text: 'next' });
      await expect(read('a.txt', text('a'), abort.signal)).rejects.toThrow('client left');
    });

    it('lets one that waits leave the queue', async () => {
      const first = read('a.docx', docxOf(paragraph('first')));
      const abort = new AbortController();
      const waiting = read('a.docx', docxOf(paragraph('second')), abort.signal);
      const third = read('a.docx', docxOf(paragraph('third')));
      abort.abort(new Error('client left'));
      await expect(waiting).rejects.toThrow('client left');
      await expect(Promise.all([first, third])).resolves.toMatchObject([{ text: 'first' }, { text: 'third' }]);
    });

    it('refuses when too many wait', async () => {
      await limit({ waiting: 1, workspaceShare: 2 });
      const reading = [1, 2].map((number) => read('a.docx', docxOf(paragraph(`number ${number}`))));
      await expect(read('a.docx', docxOf(''))).rejects.toMatchObject({ condition: 'SERVICE_UNAVAILABLE' });
      await expect(Promise.all(reading)).resolves.toHaveLength(2);
    });

    it('refuses what is read, what waits and what comes once it is closed', async () => {
      const open = [1, 2, 3].map(() => read('a.docx', deepDocx(1_000_000)));
      const settled = Promise.allSettled(open);
      await extractor.close();
      for (const each of await settled) expect(each).toMatchObject({ status: 'rejected', reason: expect.any(GatewayError) });
      await expect(read('a.txt', text('a'))).rejects.toMatchObject({ condition: 'SERVICE_UNAVAILABLE' });
    });
  });
});
