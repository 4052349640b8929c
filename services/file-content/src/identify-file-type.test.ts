import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { latin, makeGif, makeJpeg, makePng, makeWebp, makeZip, text } from '../test/fixtures/make-bytes.ts';
import { makeDocx, makePdf, makePptx, makeXlsx } from '../test/fixtures/make-documents.ts';
import { ATTACHABLE_TYPES } from './file-types.ts';
import { findExtension, identifyFileType, identifyGeneratedFileType, findMimeType } from './identify-file-type.ts';

const HEAD = 64 * 1024;
const OFFICE = 'application/vnd.openxmlformats-officedocument';

/** The result of `identifyFileType` with the head alone, and with the whole file; the two must agree. */
function typeOf(bytes: Uint8Array, name: string): string | undefined {
  const types = [identifyFileType(bytes.subarray(0, HEAD), name), identifyFileType(bytes.subarray(0, HEAD), name, bytes)];
  expect(types[0]).toEqual(types[1]);
  return types[0] && `${types[0].kind} ${types[0].mimeType} ${types[0].extension}`;
}

describe('identifyFileType', () => {
  let files: Record<'pdf' | 'docx' | 'xlsx' | 'pptx' | 'zip', Uint8Array>;
  beforeAll(async () => {
    files = {
      pdf: await makePdf('x'),
      docx: await makeDocx(),
      xlsx: await makeXlsx(),
      pptx: await makePptx(),
      zip: makeZip({ 'a.txt': 'a' }),
    };
  });

  it('knows documents', () => {
    expect(typeOf(files.pdf, 'a.pdf')).toBe('document application/pdf pdf');
    expect(typeOf(files.docx, 'a.docx')).toBe(`document ${OFFICE}.wordprocessingml.document docx`);
    expect(typeOf(files.xlsx, 'a.xlsx')).toBe(`table ${OFFICE}.spreadsheetml.sheet xlsx`);
    expect(typeOf(files.pptx, 'a.PPTX')).toBe(`document ${OFFICE}.presentationml.presentation pptx`);
    expect(typeOf(files.zip, 'a.zip')).toBe('archive application/zip zip');
    expect(typeOf(makeZip({}), 'empty.zip')).toBe('archive application/zip zip');
  });

  it('knows images', () => {
    expect(typeOf(makePng(3, 2), 'a.png')).toBe('image image/png png');
    expect(typeOf(makeJpeg(3, 2), 'a.jpg')).toBe('image image/jpeg jpg');
    expect(typeOf(makeJpeg(3, 2), 'a.b.JPEG')).toBe('image image/jpeg jpeg');
    expect(typeOf(makeGif(3, 2), 'a.gif')).toBe('image image/gif gif');
    expect(typeOf(makeWebp(3, 2), 'a.webp')).toBe('image image/webp webp');
  });

  it.each([
    ['a.txt', 'text text/plain txt'],
    ['README.md', 'text text/markdown md'],
    ['a.csv', 'table text/csv csv'],
    ['a.py', 'code text/x-python py'],
    ['a.js', 'code text/javascript js'],
    ['a.ts', 'code text/x-typescript ts'],
    ['a.sql', 'code application/sql sql'],
    ['a.html', 'code text/plain html'],
    ['\u202etxt.exe.txt', 'text text/plain txt'],
  ])('knows text by its extension: %s', (name, type) => {
    expect(typeOf(text('one, two\r\n\tthrée \u{1F600}\n'), name)).toBe(type);
  });

  it('knows JSON and XML by what they begin with', () => {
    expect(typeOf(text('\ufeff {"a": 1}'), 'a.json')).toBe('text application/json json');
    expect(typeOf(text('<a/>'), 'a.json')).toBeUndefined();
    expect(typeOf(text('<?xml version="1.0"?><a/>'), 'a.xml')).toBe('text application/xml xml');
    expect(typeOf(text('a,b'), 'a.xml')).toBeUndefined();
    expect(typeOf(text('<!DOCTYPE html><p>'), 'a.xml')).toBeUndefined();
  });

  it('refuses content that the extension does not promise', () => {
    const program = latin('MZ\x90\0\x03\0\0\0');
    for (const name of ['a.pdf', 'a.txt', 'a.png', 'a.docx', 'a.zip', 'a.py']) expect(typeOf(program, name)).toBeUndefined();
    for (const content of ['<svg xmlns="http://www.w3.org/2000/svg"/>', '<html></html>', 'plain words']) {
      for (const name of ['a.png', 'a.jpg', 'a.gif', 'a.webp', 'a.pdf', 'a.docx', 'a.zip'])
        expect(typeOf(text(content), name)).toBeUndefined();
    }
    expect(typeOf(makePng(1, 1), 'a.jpg')).toBeUndefined();
    expect(typeOf(files.pdf, 'a.txt')).toBeUndefined();
    expect(typeOf(latin('GIF89a=1//'), 'a.js')).toBeUndefined();
  });

  it('refuses a ZIP under the name of a document, and one document under the name of another', () => {
    for (const name of ['a.docx', 'a.xlsx', 'a.pptx']) expect(typeOf(files.zip, name)).toBeUndefined();
    expect(typeOf(files.xlsx, 'a.docx')).toBeUndefined();
    expect(typeOf(files.docx, 'a.pptx')).toBeUndefined();
  });

  it('refuses a document with macros, or that is two documents', () => {
    const types = { '[Content_Types].xml': '<Types/>' };
    expect(typeOf(makeZip({ ...types, 'word/document.xml': '<a/>' }), 'a.docx')).toBeDefined();
    expect(typeOf(makeZip({ ...types, 'word/document.xml': '<a/>', 'word/vbaProject.bin': '' }), 'a.docx')).toBeUndefined();
    const both = makeZip({ ...types, 'word/document.xml': '<a/>', 'xl/workbook.xml': '<a/>' });
    expect(identifyFileType(both, 'a.docx', both)).toBeUndefined();
  });

  it('sees what lies behind the head when it is given all of the file', () => {
    const long = Buffer.concat([Buffer.alloc(HEAD, 'a'), Buffer.from([0])]);
    expect(identifyFileType(long.subarray(0, HEAD), 'a.txt')).toBeDefined();
    expect(identifyFileType(long.subarray(0, HEAD), 'a.txt', long)).toBeUndefined();
    const cut = files.docx.subarray(0, files.docx.length - 30);
    expect(identifyFileType(cut, 'a.docx', cut)).toBeUndefined();
  });

  it.each(['é', '€', '\u{1F600}'])('takes a head that ends within %s', (character) => {
    for (const before of ['', 'a', 'ab', 'abc']) {
      expect(typeOf(text(before + character.repeat(HEAD)), 'a.txt')).toBe('text text/plain txt');
    }
  });

  it('refuses a file with a second face', () => {
    const withZip = (bytes: Uint8Array): Uint8Array => Buffer.concat([bytes, files.zip]);
    for (const [name, bytes] of [
      ['a.png', makePng(1, 1)],
      ['a.gif', makeGif(1, 1)],
      ['a.pdf', files.pdf],
    ] as const) {
      expect(identifyFileType(bytes, name, withZip(bytes))).toBeUndefined();
    }
    expect(typeOf(Buffer.concat([makeGif(1, 1), text('<script>alert(1)</script>')]), 'a.gif')).toBeUndefined();
    expect(typeOf(latin('GIF89a/*aaaaaaaaaaaaaaaa*/=1;alert(1)'), 'a.gif')).toBeUndefined();
    expect(typeOf(Buffer.concat([makeJpeg(1, 1), files.pdf]), 'a.jpg')).toBeUndefined();
    expect(typeOf(Buffer.concat([text('<html>'), files.pdf]), 'a.pdf')).toBeUndefined();
  });

  it('takes UTF-8 alone for text', () => {
    expect(typeOf(Buffer.from('\ufeffwide', 'utf16le'), 'a.txt')).toBeUndefined();
    expect(typeOf(Buffer.from('wide', 'utf16le'), 'a.txt')).toBeUndefined();
    expect(typeOf(latin('caf\xe9s'), 'a.csv')).toBeUndefined();
    expect(identifyFileType(latin('caf\xe9'), 'a.csv', latin('caf\xe9'))).toBeUndefined();
  });

  it.each(['a', 'a.', '.', '', 'a.exe', 'a.svg', 'a.doc', 'a.docm', 'a.png.exe', 'gnp.\u202eexe', 'a.txt\0', 'a.txt ', 'constructor'])(
    'refuses the name %j',
    (name) => {
      expect(typeOf(text('words'), name)).toBeUndefined();
    },
  );

  it('refuses an empty file', () => {
    expect(typeOf(text(''), 'a.txt')).toBeUndefined();
  });

  it('never throws', () => {
    const starts = ['', 'PK\x03\x04', 'PK\x05\x06', '%PDF-1.4', 'GIF89a', 'RIFF\0\0\0\0WEBPVP8 ', '\xff\xd8\xff\xe0', '\x89PNG\r\n\x1a\n'];
    const bytes = fc.tuple(
      fc.constantFrom(...starts),
      fc.uint8Array({ maxLength: 300 }),
      fc.constantFrom('', `PK\x05\x06${'\0'.repeat(18)}`),
    );
    fc.assert(
      fc.property(bytes, fc.constantFrom(...ATTACHABLE_TYPES.keys()), ([start, rest, end], extension) => {
        const file = Buffer.concat([latin(start), rest, latin(end)]);
        for (const type of [identifyFileType(file, `a.${extension}`), identifyFileType(file, `a.${extension}`, file)]) {
          expect([undefined, extension]).toContain(type?.extension);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('never takes bytes for text that are none', () => {
    const bytes = fc.uint8Array({ minLength: 1 }).filter((file) => file.includes(0));
    fc.assert(
      fc.property(bytes, (file) => identifyFileType(file, 'a.txt') === undefined && identifyFileType(file, 'a.py', file) === undefined),
    );
  });
});

describe('identifyGeneratedFileType', () => {
  it('knows audio besides, which cannot be attached', () => {
    const wav = latin('RIFF\x24\0\0\0WAVEfmt ');
    expect(identifyGeneratedFileType(wav, 'a.wav')).toEqual({ mimeType: 'audio/wav', kind: 'audio', extension: 'wav' });
    expect(identifyFileType(wav, 'a.wav')).toBeUndefined();
    expect(identifyGeneratedFileType(latin('ID3\x04\0\0\0\0\0\0'), 'a.mp3')?.mimeType).toBe('audio/mpeg');
    expect(identifyGeneratedFileType(latin('\xff\xfb\x90\x64'), 'a.mp3')?.mimeType).toBe('audio/mpeg');
    expect(identifyGeneratedFileType(latin('\xff\xd8\xff\xe0'), 'a.mp3')).toBeUndefined();
    expect(identifyGeneratedFileType(latin('fLaC\0\0\0\x22'), 'a.flac')?.mimeType).toBe('audio/flac');
    const ogg = (packet: string) => latin(`OggS\0\x02${'\0'.repeat(20)}\x01\x13${packet}`);
    expect(identifyGeneratedFileType(ogg('OpusHead'), 'a.ogg')?.mimeType).toBe('audio/ogg');
    expect(identifyGeneratedFileType(ogg('\x80theora'), 'a.ogg')).toBeUndefined();
    expect(identifyGeneratedFileType(makePng(1, 1), 'a.png')?.kind).toBe('image');
  });
});

describe('names and MIME types', () => {
  it('lead to each other', () => {
    for (const extension of [
      'png',
      'jpg',
      'gif',
      'webp',
      'csv',
      'pdf',
      'docx',
      'xlsx',
      'pptx',
      'wav',
      'mp3',
      'flac',
      'ogg',
      'json',
      'txt',
      'zip',
    ]) {
      expect(findExtension(findMimeType(`a.${extension}`) ?? '')).toBe(extension);
    }
    expect(findExtension('Text/CSV; charset=utf-8')).toBe('csv');
    expect(findExtension('image/svg+xml')).toBeUndefined();
    expect(findMimeType('a.svg')).toBeUndefined();
  });
});
