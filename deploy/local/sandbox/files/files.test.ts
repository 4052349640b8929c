import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { say, sayAfter, send } from '../testing/chat.ts';
import { sendFile, upload } from '../testing/files.ts';
import { ADA, startTestSandbox, until, type TestSandbox } from '../testing/test-sandbox.ts';

const NOTES = { name: 'nötes.txt', bytes: 'Shopping: eggs\nThe code word is heliotrope.\n' };

let sandbox: TestSandbox;
let token: string;
beforeAll(async () => {
  sandbox = await startTestSandbox();
  token = await sandbox.signIn();
});
afterEach(() => sandbox.control('DELETE', '/accounts/ada/faults'));
afterAll(() => sandbox.close());

const order = (fault: string): Promise<void> => sandbox.control('POST', '/accounts/ada/faults', { fault, on: 'uploads' });

describe('files of conversations', () => {
  it('are described as they are stored, and answer questions', async () => {
    const file = await upload(sandbox, token, NOTES);
    expect(file).toEqual({ id: expect.stringMatching(/^sf_/), name: 'nötes.txt', mime_type: 'text/plain', size: 44, status: 'ready' });
    const first = await say(sandbox, token, { text: 'what is the code word in the file?', files: [file.id] });
    expect(first.text).toBe('nötes.txt: The code word is heliotrope.');
    expect((await sayAfter(sandbox, token, first, 'what does nötes.txt say?')).text).toContain('Shopping: eggs');
    expect((await sayAfter(sandbox, token, first, 'say something else')).text).toBe('something else');
  });

  it('are named where nothing is asked about them', async () => {
    const file = await upload(sandbox, token, { name: 'a.csv', bytes: 'a,b\n1,2\n', type: 'text/csv' });
    expect((await say(sandbox, token, { text: '', files: [file.id] })).text).toBe(
      '1 file came with this message: a.csv (text/csv, 8 bytes).',
    );
    expect((await say(sandbox, token, { text: 'hello', files: [file.id] })).text).toContain('\n\n1 file came with this message');
  });

  it.each([
    ['write a 2 page PDF about quicksilver', 'application/pdf', 'how many pages?', 'has 2 pages.'],
    ['write a PDF about quicksilver', 'application/pdf', 'what is the file about?', 'quicksilver'],
    [
      'write a Word document about quicksilver',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'what is in the file?',
      'quicksilver',
    ],
    ['make a CSV of the planets', 'text/csv', 'how many moons has Mars?', 'Mars,227.9,6792,2'],
  ])('are read whatever their type: what "%s" gave', async (ordered, type, question, expected) => {
    const { artifacts } = await say(sandbox, token, { text: ordered });
    const { id = '', name = '' } = artifacts[0] ?? {};
    const made = await sandbox.call('GET', `/api/artifacts/${id}`, undefined, token);
    const file = await upload(sandbox, token, { name, bytes: new Uint8Array(await made.arrayBuffer()), type });
    expect((await say(sandbox, token, { text: question, files: [file.id] })).text).toContain(expected);
  });

  it('are measured where they are images', async () => {
    const bytes = new Uint8Array(PNG.sync.write(new PNG({ width: 30, height: 20 })));
    const file = await upload(sandbox, token, { name: 'dot.png', bytes, type: 'image/png' });
    expect((await say(sandbox, token, { text: 'what is in the image?', files: [file.id] })).text).toContain('30×20 pixels');
  });

  it('are not there for others, nor once they are deleted', async () => {
    const file = await upload(sandbox, token, NOTES);
    const bob = { ...ADA, id: 'bob', api_key: 'sk-bob' };
    await sandbox.control('POST', '/accounts', bob);
    const stranger = await sandbox.signIn(bob);
    expect((await send(sandbox, stranger, { text: 'x', files: [file.id] })).status).toBe(404);
    expect((await sandbox.call('DELETE', `/api/files/${file.id}`, undefined, stranger)).status).toBe(404);
    const first = await say(sandbox, token, { text: 'say hi', files: [file.id] });
    expect((await sandbox.call('DELETE', `/api/files/${file.id}`, undefined, token)).status).toBe(204);
    expect((await sayAfter(sandbox, token, first, 'what is in the file?')).text).toBe('There are no files here.');
    const before = await sandbox.report();
    const refused = await send(sandbox, token, { text: 'x', files: [file.id] });
    expect([refused.status, await refused.json()]).toEqual([404, { error: { code: 'file_not_found', message: expect.any(String) } }]);
    expect((await sandbox.report()).conversations).toHaveLength(before.conversations.length);
  });

  it.each([
    ['no name', { name: '', bytes: 'x' }, 400, 'invalid_request'],
    ['a path for a name', { name: '../x', bytes: 'x' }, 400, 'invalid_request'],
    ['too many bytes', { name: 'x', bytes: new Uint8Array(25 * 1024 * 1024 + 1) }, 413, 'request_too_large'],
  ])('refuses %s, and keeps nothing', async (_, file, status, code) => {
    const before = await sandbox.report();
    const response = await sendFile(sandbox, token, file);
    expect([response.status, await response.json()]).toEqual([status, { error: { code, message: expect.any(String) } }]);
    expect((await sandbox.report()).files).toEqual(before.files);
  });
});

describe('faults of uploads', () => {
  it('server_error answers 500 and keeps nothing; the next upload works', async () => {
    const before = await sandbox.report();
    await order('server_error');
    expect((await sendFile(sandbox, token, { name: 'big', bytes: new Uint8Array(5_000_000) })).status).toBe(500);
    expect((await sandbox.report()).files).toEqual(before.files);
    expect((await sendFile(sandbox, token, NOTES)).status).toBe(201);
  });

  it('cut keeps nothing, lost_answer keeps the file', async () => {
    const before = (await sandbox.report()).files.length;
    await order('cut');
    await expect(sendFile(sandbox, token, NOTES)).rejects.toThrow();
    expect((await sandbox.report()).files).toHaveLength(before);
    await order('lost_answer');
    await expect(sendFile(sandbox, token, NOTES)).rejects.toThrow();
    await until(async () => (await sandbox.report()).files.length === before + 1);
  });

  it('are not met by turns, nor those of turns by uploads', async () => {
    await order('server_error');
    expect((await say(sandbox, token, { text: 'say x' })).text).toBe('x');
    await sandbox.control('DELETE', '/accounts/ada/faults');
    await sandbox.control('POST', '/accounts/ada/faults', { fault: 'server_error' });
    expect((await sendFile(sandbox, token, NOTES)).status).toBe(201);
  });

  it('must be ones that uploads can meet', async () => {
    await expect(order('huge_event')).rejects.toThrow('400');
    await expect(order('artifact_html')).rejects.toThrow('400');
  });
});

describe('with a data folder', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'));
  const copy = mkdtempSync(join(tmpdir(), 'sandbox-'));
  afterAll(() => [dataDir, copy].forEach((folder) => rmSync(folder, { recursive: true })));

  it('keeps files through a kill, and throws away what came in part', async () => {
    const before = await startTestSandbox({ dataDir });
    const session = await before.signIn();
    const file = await upload(before, session, NOTES);
    const gone = await upload(before, session, NOTES);
    await before.call('DELETE', `/api/files/${gone.id}`, undefined, session);
    const first = await say(before, session, { text: 'say hi', files: [file.id] });
    // What a kill would leave: nothing is closed or written out first.
    cpSync(dataDir, copy, { recursive: true });
    await before.close();
    writeFileSync(join(copy, 'files', 'sf_half.part'), 'half');

    const after = await startTestSandbox({ dataDir: copy });
    expect(readdirSync(join(copy, 'files'))).toEqual([file.id]);
    expect((await after.report()).files).toEqual([{ id: file.id, name: 'nötes.txt', project: null, size: 44 }]);
    expect((await sayAfter(after, session, first, 'what is the code word?')).text).toBe('nötes.txt: The code word is heliotrope.');
    await after.close();
  });
});
