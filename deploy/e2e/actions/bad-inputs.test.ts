import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { check, invalid, type Row, UNKNOWN_ID } from '../bad-inputs/rows.ts';
import { createRun, giveFile, makeRunner, publishExample, requestRun, runEnded } from '../harness/actions.ts';
import { expectRefusal } from '../harness/expectations.ts';
import { call } from '../harness/http.ts';
import { type Account } from '../harness/tenant.ts';
import { inBothTopologies } from '../harness/topologies.ts';
import { type LocalFile, upload, type Uploader } from '../harness/upload.ts';

const LARGEST = 20 * 1_024 * 1_024;
const TOO_LARGE = { status: 413, code: 'FILE_TOO_LARGE', param: 'file' };
const NOTE: LocalFile = { name: 'note.txt', bytes: Buffer.from('The lighthouse was painted green in 1987.'), type: 'text/plain' };

describe('bad input about actions', () => {
  inBothTopologies((gateway) => {
    let me: Uploader;
    let tickets: Account;
    beforeAll(async () => {
      for (const name of ['open-ticket', 'summarise-document'] as const) await publishExample(gateway(), name);
      const runner = await makeRunner(gateway, ['sandbox', 'http-api']);
      me = runner.me;
      const [, account] = runner.tenant.accounts;
      if (!account) throw new Error('the tenant has no tickets');
      tickets = account;
    });
    afterEach(async () => {
      expect((await call(gateway(), 'GET', '/readyz')).status).toBe(200);
    });
    const connected = (fields: object) => ({ connection_id: tickets.connectionId, ...fields });
    const run = (fields: object) => () => requestRun(me, 'open-ticket', connected({ input: { title: 'Door' }, ...fields }));
    const give = (bytes: Buffer, slug = 'summarise-document') => upload(me, `/v1/actions/${slug}/assets`, { ...NOTE, bytes });
    const runsOf = async (slug: string) =>
      (await call(gateway(), 'GET', `/v1/actions/${slug}/runs`, { key: me.key })).headers.get('x-total-count');

    it.each<Row>([
      [65, 'a file of 20 MiB and a byte', () => give(Buffer.alloc(LARGEST + 1, 'x')), TOO_LARGE],
      [64, 'an empty file', () => give(Buffer.alloc(0)), invalid('file')],
      ['', 'a file for no action', () => give(Buffer.from('x'), 'nothing'), { status: 404, code: 'ACTION_NOT_FOUND' }],
      [77, 'a list for an input', run({ input: [] }), invalid('input')],
      [77, 'a text for an input', run({ input: 'Door' }), invalid('input')],
      [77, 'null for an input', run({ input: null }), invalid('input')],
      [77, 'no input', run({ input: undefined }), invalid('input')],
      ['', 'an input without what is required', run({ input: {} }), invalid('input.title')],
      ['', 'an input of the wrong type', run({ input: { title: 7 } }), invalid('input.title')],
      ['', 'an input that is too long', run({ input: { title: 'x'.repeat(201) } }), invalid('input.title')],
      ['', 'an undeclared input', run({ input: { title: 'Door', colour: 'blue' } }), invalid('input.colour')],
      ['', 'a connection id that is none', run({ connection_id: 'mine' }), invalid('connection_id')],
      ['', 'an idempotency key of 256 characters', run({ idempotency_key: 'k'.repeat(256) }), invalid('idempotency_key')],
      ['', 'an empty idempotency key', run({ idempotency_key: '' }), invalid('idempotency_key')],
      ['', 'an action that there is not', () => requestRun(me, 'nothing', { input: {} }), { status: 404, code: 'ACTION_NOT_FOUND' }],
      [
        '',
        'a run that there is not',
        () => call(gateway(), 'GET', `/v1/actions/open-ticket/runs/${UNKNOWN_ID}`, { key: me.key }),
        { status: 404, code: 'ACTION_RUN_NOT_FOUND' },
      ],
    ])('row %s: %s', async (...row) => {
      await check(...row);
      // What is refused has begun nothing.
      expect(await runsOf('open-ticket')).toBe('0');
    });

    it('row 65: 20 MiB are not too many', async () => {
      expect(await give(Buffer.alloc(LARGEST, 'x'))).toMatchObject({ status: 201, json: { size_bytes: LARGEST, run_id: null } });
    });

    it('row 78: a file that was used is taken, and fails its run', async () => {
      const input = { document: await giveFile(me, 'summarise-document', NOTE) };
      expect(await runEnded(me, await createRun(me, 'summarise-document', input))).toMatchObject({ status: 'succeeded' });
      const again = await createRun(me, 'summarise-document', input);
      expect(await runEnded(me, again)).toMatchObject({
        ...{ status: 'failed', verdict: 'failed', output: null, effects: [] },
        error: { code: 'ASSET_INPUT_INVALID' },
      });
    });

    it('fifty posts with one idempotency key are one run, and another body under it is refused', async () => {
      const title = randomUUID();
      const body = connected({ input: { title }, idempotency_key: `once-${title}` });
      const answers = await Promise.all(Array.from({ length: 50 }, () => requestRun(me, 'open-ticket', body)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
      const ids = new Set(answers.map(({ json }) => (json as { id: string }).id));
      expect(ids.size).toBe(1);
      const [id = ''] = ids;
      expect(await runEnded(me, { action: 'open-ticket', id })).toMatchObject({ status: 'succeeded' });
      expect(await runsOf('open-ticket')).toBe('1');
      expect(await tickets.report()).toMatchObject({ tickets: [{ title }], ticket_writes: 1 });
      expectRefusal(await requestRun(me, 'open-ticket', { ...body, input: { title: 'Window' } }), invalid('idempotency_key'));
      expect(await requestRun(me, 'open-ticket', body)).toMatchObject({ status: 202, json: { id, status: 'succeeded' } });
      expect(await runsOf('open-ticket')).toBe('1');
    });
  });
});
