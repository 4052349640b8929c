import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { settled } from '../harness/assets.ts';
import { said } from '../harness/chat.ts';
import { call } from '../harness/http.ts';
import { createProject } from '../harness/projects.ts';
import { makeTenant } from '../harness/tenant.ts';
import { inBothTopologies } from '../harness/topologies.ts';
import { attach, formOf, type LocalFile, upload, type Uploader } from '../harness/upload.ts';
import { check, invalid, type Row, senderTo, UNKNOWN_ID } from './rows.ts';

const TEXT: LocalFile = { name: 'notes.txt', bytes: Buffer.from('a note\n'), type: 'text/plain' };
const EXE = Buffer.concat([Buffer.from('MZ\x90\x00\x03\x00\x00\x00\x04\x00\x00\x00\xff\xff', 'latin1'), Buffer.alloc(2_000, 1)]);
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
const HTML = Buffer.from('<!doctype html><html><body>hello</body></html>');
const LIMIT = 10 * 1024 * 1024;
const UNSUPPORTED = { status: 400, code: 'UNSUPPORTED_FILE_TYPE' };
const listed = z.array(z.looseObject({ file_name: z.string() }));

describe('bad input about projects, files and assets', () => {
  inBothTopologies((gateway) => {
    const { tenant, chat } = senderTo(gateway);
    let conversation = '';
    let project = '';
    let me: Uploader;
    beforeAll(async () => {
      me = { gateway: gateway(), key: tenant().apiKey };
      conversation = said(await chat({ say: 'hello' })).conversation;
      project = (await createProject(me, { name: 'Bad input' })).id;
    });
    afterEach(async () => {
      expect((await call(gateway(), 'GET', '/readyz')).status).toBe(200);
    });
    const send = (method: string, path: string, body?: unknown) =>
      call(gateway(), method, `/v1/projects${path}`, { key: tenant().apiKey, body });
    const posting = (body: unknown) => () => send('POST', '', body);
    const both = (row: number, what: string, file: LocalFile, refusal: Row[3]): Row[] => [
      [row, `${what}, to a conversation`, () => upload(me, `/v1/conversations/${conversation}/attachments`, file), refusal],
      [row, `${what}, to a project`, () => upload(me, `/v1/projects/${project}/files`, file), refusal],
    ];
    const raw = (type: string, body: string | Buffer) => () =>
      call(gateway(), 'POST', `/v1/conversations/${conversation}/attachments`, { key: me.key, headers: { 'content-type': type }, body });

    it.each<Row>([
      [52, 'a project without a name', posting({}), invalid('name')],
      [52, 'a blank name', posting({ name: '  ' }), invalid('name')],
      [52, 'a name of 1 MB', posting({ name: 'x'.repeat(900_000) }), invalid('name')],
      [53, 'no change', () => send('PATCH', `/${project}`, {}), invalid('body')],
      [
        54,
        'a memory policy that there is not',
        posting({ name: 'x', memory_policy: 'x' }),
        { status: 422, code: 'INVALID_MEMORY_POLICY', param: 'memory_policy' },
      ],
      [55, 'a limit of 201', () => send('GET', '?limit=201'), invalid('limit')],
      [84, 'an id that is none', () => send('GET', '/a%00b'), invalid('project_id')],
      [
        57,
        'a form without a file',
        raw('multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data; name="other"\r\n\r\nx\r\n--b--\r\n'),
        invalid('file'),
      ],
      [57, 'an empty form', raw('multipart/form-data; boundary=b', '--b--\r\n'), invalid('file')],
      [
        57,
        'a file in another field',
        () => {
          const { type, body } = formOf(TEXT, 'upload');
          return raw(type, body)();
        },
        invalid('file'),
      ],
      [57, 'no form at all', raw('application/json', '{}'), { status: 415, code: 'unsupported_media_type' }],
      [57, 'a form without a boundary', raw('multipart/form-data', 'x'), invalid('Content-Type')],
      [
        58,
        'a form that breaks off',
        () => {
          const { type, body } = formOf(TEXT);
          return raw(type, body.subarray(0, -10))();
        },
        invalid('body'),
      ],
      ...both(60, 'one byte too many', { ...TEXT, bytes: Buffer.alloc(LIMIT + 1, 'x') }, { status: 413, code: 'FILE_TOO_LARGE' }),
      ...both(61, 'a program named .pdf', { name: 'report.pdf', bytes: EXE, type: 'application/pdf' }, UNSUPPORTED),
      ...both(62, 'SVG named .png', { name: 'a.png', bytes: SVG, type: 'image/png' }, UNSUPPORTED),
      ...both(62, 'HTML named .png', { name: 'a.png', bytes: HTML, type: 'image/png' }, UNSUPPORTED),
      ...both(64, 'a file of 0 bytes', { ...TEXT, bytes: Buffer.alloc(0) }, invalid('file')),
      ['', 'an unknown project', () => upload(me, `/v1/projects/${UNKNOWN_ID}/files`, TEXT), { status: 404, code: 'PROJECT_NOT_FOUND' }],
      [
        '',
        'an unknown conversation',
        () => upload(me, `/v1/conversations/${UNKNOWN_ID}/attachments`, TEXT),
        { status: 404, code: 'CONVERSATION_NOT_FOUND' },
      ],
      ['', 'an unknown source', () => send('DELETE', `/${project}/files/${UNKNOWN_ID}`), { status: 404, code: 'SOURCE_NOT_FOUND' }],
      [
        '',
        'an unknown asset',
        () => call(gateway(), 'GET', `/v1/assets/${UNKNOWN_ID}`, { key: me.key }),
        { status: 404, code: 'ASSET_NOT_FOUND' },
      ],
      [84, 'an asset id that is none', () => call(gateway(), 'GET', '/v1/assets/..%2f..%2fadmin', { key: me.key }), invalid('asset_id')],
    ])('row %s: %s', check);

    it('row 35: a file of another conversation is refused, an unknown one is not found', async () => {
      const { file_id: file } = await attach(me, conversation, TEXT);
      const other = said(await chat({ say: 'hello' })).conversation;
      const asking = (where: string | undefined, ids: string[]) => () =>
        chat({ conversation: where, say: 'what is in the file?', body: { attachment_file_ids: ids } });
      const denied = { status: 403, code: 'ASSET_ACCESS_DENIED', param: 'attachment_file_ids' };
      await check(35, '', asking(other, [file]), denied);
      await check(35, '', asking(undefined, [file]), denied);
      await check(35, '', asking(conversation, ['file_unknown']), { status: 404, code: 'ASSET_NOT_FOUND', param: 'attachment_file_ids' });
      expect((await asking(conversation, [file])()).status).toBe(200);
    });

    it('row 56: an account of another workspace is no place for a project', async () => {
      const stranger = await makeTenant(gateway);
      const [account] = stranger.accounts;
      await check(56, '', posting({ name: 'x', upstream_account_id: account?.connectionId }), {
        status: 403,
        code: 'TENANT_ACCESS_DENIED',
      });
    });

    it('row 59: odd field names beside the file change nothing', async () => {
      const { type, body } = formOf(TEXT);
      const boundary = type.split('boundary=')[1] ?? '';
      const odd = ['a[b][c]', '0', '__proto__', 'constructor.prototype'].map(
        (name) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nx\r\n`,
      );
      expect(await raw(type, Buffer.concat([Buffer.from(odd.join('')), body]))()).toMatchObject({
        status: 200,
        json: { file_name: TEXT.name },
      });
    });

    it('row 63: names that would lead elsewhere are stored safely and listed harmlessly', async () => {
      const names = ['../../etc/passwd.txt', 'a\r\nSet-Cookie: x.txt', 'evil\u202etxt.exe.txt', 'ünïcödé – 名前.txt', '..\\..\\boot.txt'];
      for (const name of names) {
        const { asset_id: id } = await attach(me, conversation, { ...TEXT, name });
        expect((await settled(me, id)).file_name).toMatch(/^[^/\\\r\n\u202e]+\.txt$/u);
        const answer = await call(gateway(), 'GET', `/v1/assets/${id}/download`, { key: me.key });
        expect(answer).toMatchObject({ status: 200, text: 'a note\n' });
        expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename[^\r\n/\\]*$/);
        expect(answer.headers.get('set-cookie')).toBeNull();
      }
      const { json } = await call(gateway(), 'GET', `/v1/conversations/${conversation}/assets?limit=200`, { key: me.key });
      expect(listed.parse(json).map(({ file_name }) => file_name)).toContain('ünïcödé – 名前.txt');
    });

    it('row 67: what is ready is not ingested again', async () => {
      const { asset_id: id } = await attach(me, conversation, TEXT);
      await check(67, '', () => call(gateway(), 'POST', `/v1/assets/${id}/retry`, { key: me.key }), {
        status: 409,
        code: 'ASSET_NOT_RETRYABLE',
      });
    });
  });
});
