import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { docxOf, paragraph, xlsxOf, type WorkbookParts } from '../test/fixtures/make-office.ts';
import { TextExtractor } from './extract.ts';

describe('TextExtractor, on what others write', () => {
  let extractor: TextExtractor;
  beforeAll(() => {
    extractor = new TextExtractor();
  });
  afterAll(() => extractor.close());

  async function document(body: string): Promise<string> {
    return (await extractor.extract(docxOf(body), { name: 'a.docx', mimeType: '', workspaceId: 'w' })).text;
  }

  /** The rows of a sheet, without its title. */
  async function sheet(parts: WorkbookParts): Promise<string[]> {
    const { text } = await extractor.extract(xlsxOf(parts), { name: 'a.xlsx', mimeType: '', workspaceId: 'w' });
    return text.split('\n').slice(1);
  }

  it('reads tabs and breaks of the text, not the stops of a paragraph', async () => {
    const stops = '<w:pPr><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr>';
    await expect(
      document(`${paragraph('first')}<w:p>${stops}<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r></w:p>`),
    ).resolves.toBe('first\na\tb\nc');
  });

  it('reads a drawing once', async () => {
    const drawing = `<mc:Choice>${paragraph('boxed')}</mc:Choice><mc:Fallback>${paragraph('boxed')}</mc:Fallback>`;
    await expect(document(`<mc:AlternateContent>${drawing}</mc:AlternateContent>${paragraph('after')}`)).resolves.toMatch(
      /^boxed\n\s*after$/,
    );
  });

  it('leaves out what was deleted', async () => {
    await expect(
      document(`<w:p><w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:ins><w:r><w:t>new</w:t></w:r></w:ins></w:p>`),
    ).resolves.toBe('new');
  });

  it('keeps the paragraphs of a cell in its row', async () => {
    const cell = (inside: string): string => `<w:tc>${inside}</w:tc>`;
    const inner = `<w:tbl><w:tr>${cell(paragraph('x'))}${cell(paragraph('y'))}</w:tr></w:tbl>`;
    const rows = `<w:tr>${cell(paragraph('a') + paragraph('b'))}${cell(inner)}</w:tr><w:tr>${cell(paragraph('c'))}</w:tr>`;
    await expect(document(`<w:tbl>${rows}</w:tbl>`)).resolves.toBe('a b | x | y; \nc');
  });

  it('reads strings wherever a sheet keeps them, without their pronunciation', async () => {
    const strings = '<si><r><t>Tō</t></r><r><t>kyō</t></r><rPh><t>とうきょう</t></rPh></si>';
    const inline = '<c r="B1" t="inlineStr"><is><t>inline</t></is></c>';
    const rows = `<row><c r="A1" t="s"><v>0</v></c>${inline}<c r="C1" t="str"><f>A1&amp;"!"</f><v>Tōkyō!</v></c><c t="e"><v>#REF!</v></c></row>`;
    await expect(sheet({ strings, rows })).resolves.toEqual(['Tōkyō | inline | Tōkyō! | #REF!']);
  });

  it('shows empty columns, and not thousands of them', async () => {
    const rows = '<row><c r="B1"><v>1</v></c><c r="D1"><v>2</v></c></row><row/><row><c r="XFD3"><v>3</v></c></row>';
    await expect(sheet({ rows })).resolves.toEqual([' | 1 |  | 2', `${' | '.repeat(20)}3`]);
  });

  it('shows numbers as Excel does, and dates as dates', async () => {
    const formats =
      '<numFmts><numFmt numFmtId="164" formatCode="[$-409]d mmm yyyy"/><numFmt numFmtId="165" formatCode="0.0&quot; days&quot;"/></numFmts>';
    const styles = `${formats}<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="22"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs>`;
    const cell = (style: number, value: string): string => `<c s="${style}"><v>${value}</v></c>`;
    const rows = `<row>${cell(0, '0.30000000000000004')}${cell(1, '45351.75')}${cell(2, '45351')}${cell(3, '45351')}${cell(1, '0.5')}${cell(1, '1e99')}</row>`;
    await expect(sheet({ styles, rows })).resolves.toEqual(['0.3 | 2024-02-29 18:00:00 | 2024-02-29 | 45351 | 12:00:00 | 1e+99']);
    await expect(
      sheet({ styles, rows: `<row>${cell(2, '0')}${cell(2, '1')}</row>`, properties: '<x:workbookPr date1904="1"/>' }),
    ).resolves.toEqual(['00:00:00 | 1904-01-02']);
  });

  it('says that a sheet is empty, and that there is nothing', async () => {
    await expect(extractor.extract(xlsxOf({}), { name: 'a.xlsx', mimeType: '', workspaceId: 'w' })).resolves.toEqual({
      text: 'Sheet: A & B',
      omitted: '',
    });
    await expect(extractor.extract(docxOf(''), { name: 'a.docx', mimeType: '', workspaceId: 'w' })).resolves.toEqual({
      text: '',
      omitted: 'The file holds no text that can be read.',
    });
  });
});
