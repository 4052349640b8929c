import { afterEach, describe, expect, it } from '@jest/globals';
import { deepDocx, repeatedEntryZip, repeatedPagePdf, repeatedSlidePptx } from '../test/fixtures/make-hostile.ts';
import { docxOf, paragraph, xlsxOf } from '../test/fixtures/make-office.ts';
import { type ExtractedText, type ExtractionLimits, type ReadingReport, type ReadingStats, TextExtractor } from './extract.ts';

const MIB = 2 ** 20;
/** What is inflated at once: a limit is noticed with the next piece. */
const CHUNK = 65_536;

/** Every limit is counted, so these hold on any machine: none of these readers is killed for its time. */
describe('TextExtractor, on files that are made to cost', () => {
  let extractor: TextExtractor | undefined;
  afterEach(() => extractor?.close());

  async function read(name: string, bytes: Uint8Array, limits: Partial<ExtractionLimits> = {}): Promise<ExtractedText & ReadingStats> {
    const reports: ReadingReport[] = [];
    extractor = new TextExtractor({ timeMs: 60_000, ...limits }, (report) => reports.push(report));
    const extracted = await extractor.extract(bytes, { name, mimeType: '', workspaceId: 'w' });
    const work = reports[0]?.work;
    if (reports.length !== 1 || !work) throw new Error('the reader said nothing of its work');
    return { ...extracted, ...work };
  }

  it('ends with the limit of depth, in the first piece of 2,000,000 elements within each other', async () => {
    const bytes = deepDocx(2_000_000);
    expect(bytes.length).toBeLessThan(20_000);
    const { text, omitted, depth, inflatedBytes } = await read('a.docx', bytes);
    expect({ text, omitted, depth }).toEqual({ text: '', omitted: cut('its elements stand too deep within each other'), depth: 256 });
    expect(inflatedBytes).toBeLessThanOrEqual(CHUNK);
  });

  it('keeps what stands before an element that is too deep', async () => {
    const found = await read('a.docx', docxOf(`${paragraph('before')}${'<w:p>'.repeat(300)}`));
    expect(found).toMatchObject({ text: 'before', omitted: cut('its elements stand too deep within each other') });
  });

  it.each([
    ['elements', '<w:p/>'],
    ['tags that close nothing', '</b>'],
    ['comments', '<!---->'],
    ['instructions', '<?a?>'],
    ['entities', '&amp;'],
    ['attributes', `<a ${Array.from({ length: 200 }, (_, at) => `a${at}`).join(' ')}/>`],
  ])('counts %s', async (_what, piece) => {
    const { omitted, markup } = await read('a.docx', docxOf(piece.repeat(200_000)), { markup: 100_000, inflateRatio: 2_000 });
    expect(omitted).toBe(cut('it has more markup than a file may'));
    expect(markup).toBeLessThanOrEqual(100_000 + CHUNK);
  });

  it('bounds the attributes of one element', async () => {
    const attributes = Array.from({ length: 100_000 }, (_, at) => `a${at}=""`).join(' ');
    const { omitted, markup } = await read('a.docx', docxOf(`<a ${attributes}/>`));
    expect(omitted).toBe(cut('an element has more attributes than one may'));
    expect(markup).toBeLessThan(500);
  });

  it('inflates no more than a hundred times the size of a file', async () => {
    const bytes = docxOf(' '.repeat(32 * MIB));
    expect(bytes.length).toBeLessThan(MIB / 16);
    const { omitted, inflatedBytes } = await read('a.docx', bytes);
    expect(omitted).toBe(cut('it unpacks to more than a file may'));
    expect(inflatedBytes).toBeLessThanOrEqual(100 * bytes.length + CHUNK);
  });

  it('inflates no further once there is no room for more text', async () => {
    const { text, inflatedBytes } = await read('a.docx', docxOf(paragraph('text ').repeat(400_000)), { outputCharacters: 1_000 });
    expect(text).toHaveLength(1_000);
    expect(inflatedBytes).toBeLessThanOrEqual(4 * CHUNK);
  });

  it('opens a part again and again only so often', async () => {
    const { omitted, parts } = await read('a.pptx', repeatedSlidePptx(5_000), { parts: 100 });
    expect({ omitted, parts }).toEqual({ omitted: cut('it has more parts than a file may'), parts: 100 });
  });

  it('reads no more of a directory than it may, also where all entries have one name', async () => {
    const { omitted, entries } = await read('a.zip', repeatedEntryZip(65_534));
    expect(entries).toBe(20_000);
    expect(omitted).toMatch(/Not all of its entries are listed/);
  });

  it('turns no more pages than it may', async () => {
    const { omitted, pages } = await read('a.pdf', repeatedPagePdf(500), { pages: 50 });
    expect({ omitted, pages }).toEqual({ omitted: expect.stringContaining(cut('it has more pages than a file may')), pages: 50 });
  });

  it('keeps no more of a shared string than a cell may have', async () => {
    const strings = `<si>${'<t>xxxxxxxxxx</t>'.repeat(100_000)}</si>`;
    const { text } = await read('a.xlsx', xlsxOf({ strings, rows: '<row><c t="s"><v>0</v></c></row>' }), { inflateRatio: 2_000 });
    expect(text).toHaveLength('Sheet: A & B\n'.length + 32_767);
  });

  it('does not follow a relation whose path would have to be put together from megabytes', async () => {
    const { text } = await read('a.xlsx', xlsxOf({ rows: paragraph('x'), sheetTarget: `${'a/../'.repeat(400_000)}worksheets/sheet1.xml` }));
    expect(text).toBe('');
  });
});

function cut(reason: string): string {
  return `The rest of the file was not read: ${reason}.`;
}
