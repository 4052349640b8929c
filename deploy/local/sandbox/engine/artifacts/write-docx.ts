import { strToU8, zipSync } from 'fflate';
import { generateProse } from './generate-prose.ts';

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006';
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

const TYPES =
  `${XML}<Types xmlns="${PACKAGE}/content-types">` +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  '<Default Extension="xml" ContentType="application/xml"/>' +
  `<Override PartName="/word/document.xml" ContentType="${WORD}.document.main+xml"/></Types>`;
const RELATIONSHIPS =
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">` +
  `<Relationship Id="rId1" Type="${OFFICE}/relationships/officeDocument" Target="word/document.xml"/></Relationships>`;

// The date is fixed, so that the same recipe produces the same bytes; a ZIP contains it in local time.
const WRITTEN = new Date(2024, 0, 1);

function escaped(text: string): string {
  const visible = text.replace(/\p{Cc}|[\ufffe\uffff]/gu, ' ');
  return visible.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function paragraph(text: string, bold = false): string {
  const look = bold ? '<w:rPr><w:b/><w:sz w:val="32"/></w:rPr>' : '';
  return `<w:p><w:r>${look}<w:t xml:space="preserve">${escaped(text)}</w:t></w:r></w:p>`;
}

/** Returns a Word document about a topic, with only the three required parts. */
export function writeDocx(topic: string): Buffer {
  const { title, paragraphs } = generateProse(topic);
  const body = [paragraph(title, true), ...paragraphs.map((text) => paragraph(text))].join('');
  const document = `${XML}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`;
  const parts = { '[Content_Types].xml': TYPES, '_rels/.rels': RELATIONSHIPS, 'word/document.xml': document };
  const entries = Object.entries(parts).map(([name, text]) => [name, strToU8(text)] as const);
  return Buffer.from(zipSync(Object.fromEntries(entries), { mtime: WRITTEN }));
}
