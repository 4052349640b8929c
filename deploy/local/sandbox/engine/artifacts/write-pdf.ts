import { PDFDocument, StandardFonts, type PDFFont, type PDFPage } from 'pdf-lib';
import { generateProse } from './generate-prose.ts';

const PAGE: [number, number] = [595, 842];
const MARGIN = 60;
const LINE = 16;
const SIZE = 11;
// The date is fixed, so that the same recipe produces the same bytes.
const WRITTEN = new Date(Date.UTC(2024, 0, 1));

/** Replaces characters other than Latin letters, which the standard fonts of PDF readers do not contain. */
function latin(text: string): string {
  return text.replace(/[^\x20-\x7e\xa1-\xff]/gu, '?');
}

function linesOf(text: string, font: PDFFont): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of latin(text).split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && font.widthOfTextAtSize(longer, SIZE) > PAGE[0] - 2 * MARGIN) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}

function writePage(page: PDFPage, font: PDFFont, bold: PDFFont, topic: string, number: number): void {
  const { title, paragraphs } = generateProse(topic, number);
  let y = PAGE[1] - MARGIN;
  page.drawText(latin(title).slice(0, 70), { x: MARGIN, y, size: 16, font: bold });
  y -= 2 * LINE;
  for (const paragraph of paragraphs) {
    for (const line of linesOf(paragraph, font)) {
      page.drawText(line, { x: MARGIN, y, size: SIZE, font });
      y -= LINE;
    }
    y -= LINE;
  }
}

/** Returns a PDF about a topic. */
export async function writePdf(topic: string, pages: number): Promise<Buffer> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.setTitle(latin(generateProse(topic).title));
  document.setCreationDate(WRITTEN);
  document.setModificationDate(WRITTEN);
  const font = await document.embedFont(StandardFonts.Helvetica);
  const bold = await document.embedFont(StandardFonts.HelveticaBold);
  for (let number = 1; number <= pages; number++) writePage(document.addPage(PAGE), font, bold, topic, number);
  return Buffer.from(await document.save());
}
