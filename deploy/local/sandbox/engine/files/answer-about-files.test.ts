import { describe, expect, it } from '@jest/globals';
import { answerAboutFiles, type AvailableFiles } from './answer-about-files.ts';
import { type FileContent } from './file-content.ts';

const file = (name: string, text: string, more: Partial<FileContent> = {}): FileContent => ({
  name,
  mimeType: 'text/plain',
  size: text.length,
  text,
  omitted: '',
  ...more,
});

const NOTES = file('notes.txt', 'Shopping: eggs\nThe code word is heliotrope.\nCall Bob on Friday');
const STAFF = file('staff.csv', 'name,city\nAda,London\nGrace,New York\n', { mimeType: 'text/csv' });
const PHOTO = file('photo.png', '', { mimeType: 'image/png', size: 99, dimensions: { width: 640, height: 480 } });

function ask(text: string, sight: Partial<AvailableFiles>): string | undefined {
  return answerAboutFiles(text, { attached: [], earlier: [], project: [], ...sight });
}

describe('answerAboutFiles', () => {
  it.each([
    ['What is in the file?', 'notes.txt says: "Shopping: eggs The code word is heliotrope. Call Bob on Friday"'],
    ['what does notes.txt say?', 'notes.txt says: "Shopping: eggs The code word is heliotrope. Call Bob on Friday"'],
    ['summarise the document', 'notes.txt says: "Shopping: eggs The code word is heliotrope. Call Bob on Friday"'],
    ['What is the code word in the file?', 'notes.txt: The code word is heliotrope.'],
    ['What is the code word?', 'notes.txt: The code word is heliotrope.'],
    ['when do I call Bob', 'notes.txt: Call Bob on Friday'],
    ['what does the file say about eggs?', 'notes.txt: Shopping: eggs'],
    ['what does the file say about elephants?', 'I find nothing about that in notes.txt.'],
    ['how many lines?', 'notes.txt has 3 lines.'],
    ['how many words are in the file', 'notes.txt has 11 words.'],
    ['how big is the file?', 'notes.txt (text/plain, 62 bytes).'],
    ['which files are there?', 'There is 1 file: notes.txt (text/plain, 62 bytes).'],
  ])('answers %j', (text, reply) => {
    expect(ask(text, { attached: [NOTES] })).toBe(reply);
  });

  it.each([['hello'], ['I like trains'], ['how are elephants?']])('has nothing to say to %j', (text) => {
    expect(ask(text, { attached: [NOTES] })).toBeUndefined();
  });

  it('counts rows and columns without the names of the columns, and pages', () => {
    expect(ask('how many rows?', { attached: [STAFF] })).toBe('staff.csv has 2 rows.');
    expect(ask('how many columns?', { attached: [STAFF] })).toBe('staff.csv has 2 columns.');
    expect(ask('how many pages?', { attached: [file('a.pdf', 'one\n1\n\ntwo', { mimeType: 'application/pdf' })] })).toBe(
      'a.pdf has 2 pages.',
    );
  });

  it('knows sheets and slides', () => {
    const book = file('b.xlsx', 'Sheet: Catch\nday | fish\n1 | cod\n\nSheet: Crew\nname\nAda\nBob');
    expect(ask('how many rows?', { attached: [book] })).toBe('b.xlsx has 3 rows.');
    expect(ask('how many sheets?', { attached: [book] })).toBe('b.xlsx has 2 sheets.');
    expect(ask('how many columns?', { attached: [book] })).toBe('b.xlsx has 2 columns.');
    const deck = file('c.pptx', 'Slide 1\nLamps\n\nSlide 2\nKeepers');
    expect(ask('how many slides?', { attached: [deck] })).toBe('c.pptx has 2 slides.');
  });

  it('knows the entries of an archive', () => {
    const archive = file('d.zip', 'ZIP archive, 2 entries:\na.txt (1 bytes)\nb.txt (2 bytes)', { mimeType: 'application/zip' });
    expect(ask('how many entries are in the archive?', { attached: [archive] })).toBe('d.zip has 2 entries.');
    expect(ask('which files are in the archive?', { attached: [archive] })).toContain('b.txt (2 bytes)');
  });

  it('names, types and measures images', () => {
    expect(ask('what is in the picture?', { attached: [PHOTO] })).toBe('photo.png (image/png, 640×480 pixels, 99 bytes) is an image.');
  });

  it('says what was left out of a file', () => {
    const locked = file('locked.pdf', '', { omitted: 'It has a password.' });
    expect(ask('what is in the file?', { attached: [locked] })).toBe('locked.pdf (text/plain, 0 bytes) has no text. (It has a password.)');
  });

  it('means the files it names, then those that came with it, then all', () => {
    expect(ask('what is in the files?', { attached: [STAFF], earlier: [NOTES] })).not.toContain('notes.txt');
    expect(ask('what is in notes.txt?', { attached: [STAFF], earlier: [NOTES] })).toContain('heliotrope');
    expect(ask('where is Ada?', { earlier: [NOTES], project: [STAFF] })).toBe('staff.csv: Ada,London');
  });

  it('finds sentences in long lines, and no more than a few', () => {
    const long = file('long.txt', `${'Nothing here. '.repeat(100)}The door is blue. ${'More of nothing. '.repeat(100)}`);
    expect(ask('what colour has the door?', { project: [long] })).toBe('long.txt: The door is blue.');
    expect(ask('find the door', { project: [file('many.txt', 'door\n'.repeat(1_000))] })?.split('\n')).toHaveLength(5);
  });

  it('says that there are none', () => {
    expect(ask('what is in the file?', {})).toBe('There are no files here.');
    expect(ask('which files do you have', {})).toBe('There are no files here.');
    expect(ask('what is the code word?', {})).toBeUndefined();
  });
});
