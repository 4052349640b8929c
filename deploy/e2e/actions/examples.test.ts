import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { createRun, giveFile, makeRunner, publishExample, runEnded } from '../harness/actions.ts';
import { adminToken } from '../harness/admin-token.ts';
import { getAsset } from '../harness/assets.ts';
import { expectRefusal } from '../harness/expectations.ts';
import { call, open } from '../harness/http.ts';
import { onlyAccount, type Tenant } from '../harness/tenant.ts';
import { inBothTopologies } from '../harness/topologies.ts';
import { type Uploader } from '../harness/upload.ts';
import { usageOf } from '../harness/usage.ts';

const REPORT = {
  name: 'report.md',
  bytes: Buffer.from('# The lighthouse\n\nThe lighthouse was painted green in 1987.\n'),
  type: 'text/markdown',
};

const spoken = z.looseObject({ asset_id: z.uuid(), download_url: z.string() });
const events = z.array(z.looseObject({ sequence: z.int(), type: z.string(), step_id: z.string().nullable() }));

describe('the documented actions', () => {
  inBothTopologies((gateway) => {
    beforeAll(async () => {
      for (const name of ['summarise-document', 'speak-text', 'open-ticket'] as const) await publishExample(gateway(), name);
    });

    describe('that need no connection', () => {
      let me: Uploader;
      beforeEach(async () => {
        ({ me } = await makeRunner(gateway));
      });

      it('are in the catalog, with what they take', async () => {
        const { json, headers } = await call(gateway(), 'GET', '/v1/actions', { key: me.key });
        const slugs = z
          .array(z.looseObject({ slug: z.string() }))
          .parse(json)
          .map(({ slug }) => slug);
        expect(slugs).toEqual(['open-ticket', 'speak-text', 'summarise-document']);
        expect(headers.get('x-total-count')).toBe('3');
        expect((await call(gateway(), 'GET', '/v1/actions/summarise-document', { key: me.key })).json).toMatchObject({
          ...{ status: 'active', risk: 'read', requires_connection: false },
          inputs: expect.arrayContaining([expect.objectContaining({ name: 'document', type: 'file', required: true })]),
        });
      });

      it('summarise an uploaded document, whose file is used up then', async () => {
        const document = await giveFile(me, 'summarise-document', REPORT);
        const done = await runEnded(me, await createRun(me, 'summarise-document', { document }));
        expect(done).toMatchObject({ status: 'succeeded', verdict: 'passed', error: null, effects: [] });
        expect(JSON.stringify(done.output)).toMatch(/lighthouse|report/i);
        const { json } = await call(gateway(), 'GET', '/v1/actions/summarise-document/assets', { key: me.key });
        expect(json).toMatchObject([{ asset_id: document.asset_id, run_id: done.id }]);
      });

      it('speak a text, whose audio is an asset of the workspace and of no other', async () => {
        const text = 'The door is open.';
        const done = await runEnded(me, await createRun(me, 'speak-text', { text }));
        expect(done).toMatchObject({ status: 'succeeded', verdict: 'passed', output: { mime_type: 'audio/wav' } });
        const { asset_id: id, download_url: download } = spoken.parse(done.output);
        const shown = await getAsset(me, id);
        expect(shown).toMatchObject({ asset_type: 'audio', status: 'ready', mime_type: 'audio/wav', download_url: download });
        expect(shown.file_name).toMatch(/^speech-[0-9a-f-]{36}\.wav$/);
        const audio = await open(gateway(), 'GET', download, { key: me.key });
        const bytes = Buffer.from(await audio.arrayBuffer());
        expect([audio.status, audio.headers.get('content-type'), audio.headers.get('etag')]).toEqual([
          200,
          'audio/wav',
          `"${createHash('sha256').update(bytes).digest('hex')}"`,
        ]);
        expect([bytes.length, bytes.toString('latin1', 0, 4), bytes.toString('latin1', 8, 12)]).toEqual([shown.size_bytes, 'RIFF', 'WAVE']);
        const { me: stranger } = await makeRunner(gateway, []);
        for (const path of [`/v1/assets/${id}`, download]) {
          expectRefusal(await call(gateway(), 'GET', path, { key: stranger.key }), { status: 403, code: 'ASSET_ACCESS_DENIED' });
        }
      });

      it('tell what happened, by page and live, in one order without gaps', async () => {
        const begun = await createRun(me, 'speak-text', { text: 'The door is open.' });
        const path = `/v1/actions/speak-text/runs/${begun.id}/events`;
        const live = await open(gateway(), 'GET', path, { key: me.key, headers: { accept: 'text/event-stream' } });
        expect(live.headers.get('content-type')).toContain('text/event-stream');
        const streamed = [...(await live.text()).matchAll(/^id: (\d+)\nevent: (\S+)$/gm)].map(([, id, type]) => [Number(id), type]);
        const listed = events.parse((await call(gateway(), 'GET', path, { key: me.key })).json);
        expect(listed.map(({ sequence, type }) => [sequence, type])).toEqual(streamed);
        expect(listed.map(({ sequence }) => sequence)).toEqual(listed.map((_, index) => index + 1));
        expect([listed[0]?.type, listed.at(-1)?.type]).toEqual(['run.accepted', 'run.ended']);
        const rest = events.parse((await call(gateway(), 'GET', `${path}?after=2&limit=1`, { key: me.key })).json);
        expect(rest.map(({ sequence }) => sequence)).toEqual([3]);
      });
    });

    describe('that change something elsewhere', () => {
      let me: Uploader;
      let tenant: Tenant;
      beforeEach(async () => {
        ({ me, tenant } = await makeRunner(gateway, ['http-api']));
      });

      it('open a ticket once, check it, and count as one request', async () => {
        const account = onlyAccount(tenant);
        const done = await runEnded(
          me,
          await createRun(me, 'open-ticket', { title: 'The door is stuck' }, { connection_id: account.connectionId }),
        );
        expect(done).toMatchObject({
          ...{ status: 'succeeded', verdict: 'passed', output: { status: 'open' } },
          effects: [{ step_id: 'create', risk: 'write', outcome: 'applied' }],
        });
        expect(await account.report()).toMatchObject({
          tickets: [{ title: 'The door is stuck' }],
          ticket_writes: 1,
          ticket_duplicates: {},
        });
        await waitFor(async () => (await usageOf(gateway(), me.key)).successful === 1);
      });

      it('try again where the API fails, without a second ticket, and hold no secret', async () => {
        const account = onlyAccount(tenant);
        await account.order({ fault: 'lost_answer', on: 'ticket_create' });
        const done = await runEnded(me, await createRun(me, 'open-ticket', { title: 'Again' }, { connection_id: account.connectionId }));
        expect(done.status).toMatch(/^(succeeded|needs_review)$/);
        expect(await account.report()).toMatchObject({ ticket_duplicates: {} });
        for (const path of ['', '/events']) {
          const { text } = await call(gateway(), 'GET', `/v1/actions/open-ticket/runs/${done.id}${path}`, { key: me.key });
          expect(text).not.toContain(account.apiKey);
        }
        expect(await gateway().log()).not.toContain(account.apiKey);
      });

      it('are refused to a workspace outside the beta', async () => {
        const { tenant: other } = await makeRunner(gateway, []);
        const operator = await adminToken(gateway());
        await call(gateway(), 'DELETE', `/admin/v1/action-cohort/${other.workspaceId}`, { key: operator });
        const body = { workspace_id: other.workspaceId, user_id: other.userId, name: 'k', scopes: ['actions:run'] };
        const { json } = await call(gateway(), 'POST', '/admin/v1/keys', { key: operator, body });
        const { key } = z.looseObject({ key: z.string() }).parse(json);
        const answer = await call(gateway(), 'POST', '/v1/actions/speak-text/runs', { key, body: { input: { text: 'hello' } } });
        expectRefusal(answer, { status: 403, code: 'ACTIONS_DISABLED' });
      });
    });
  });
});
