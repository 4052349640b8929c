import { beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ask, said } from '../harness/chat.ts';
import { query } from '../harness/database.ts';
import { expectRefusal } from '../harness/expectations.ts';
import { call } from '../harness/http.ts';
import { Operator } from '../harness/operator.ts';
import { createProject } from '../harness/projects.ts';
import { Sandbox } from '../harness/sandbox.ts';
import { makeTenant, onlyAccount, type Tenant } from '../harness/tenant.ts';
import { inBothTopologies } from '../harness/topologies.ts';
import { attach, upload, type Uploader } from '../harness/upload.ts';
import { SECRET_FILE } from './make-resources.ts';

const flags = z.looseObject({ enabled: z.boolean(), supported: z.boolean(), reason: z.string().optional() });
const manifest = z.looseObject({
  capabilities: z.looseObject({
    chat: z.looseObject({ features: z.looseObject({ project_files: z.boolean(), conversation_files: z.boolean() }) }),
    files: flags,
    project_files: flags,
  }),
});
const NOT_AUTHORIZED = { status: 403, code: 'UPSTREAM_ACCOUNT_NOT_AUTHORIZED' };

describe('an upload that the upstream does not take', () => {
  inBothTopologies((gateway) => {
    let tenant: Tenant;
    let me: Uploader;
    let paths: { conversation: string; project: string };
    beforeEach(async () => {
      tenant = await makeTenant(gateway);
      me = { gateway: gateway(), key: tenant.apiKey };
      const { conversation } = said(await ask(gateway(), { key: me.key }));
      const { id } = await createProject(me, { name: 'Doors' });
      paths = { conversation: `/v1/conversations/${conversation}`, project: `/v1/projects/${id}` };
    });
    const uploadPath = (place: keyof typeof paths) => `${paths[place]}/${place === 'conversation' ? 'attachments' : 'files'}`;
    const kept = async () => ({
      upstream: (await onlyAccount(tenant).report()).files,
      assets: await query(gateway(), 'SELECT id, status FROM asset.assets WHERE workspace_id = $1', [tenant.workspaceId]),
      files: await query(gateway(), 'SELECT id FROM routing.upstream_files WHERE workspace_id = $1', [tenant.workspaceId]),
      blobs: (await readdir(join(gateway().dataDir, 'blobs'), { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .sort(),
      listed: [
        (await call(gateway(), 'GET', `${paths.conversation}/assets`, { key: me.key })).json,
        (await call(gateway(), 'GET', `${paths.project}/files`, { key: me.key })).json,
      ],
    });

    it.each([
      ['conversation', 'uploads', 'server_error', 502, 'UPLOAD_FAILED'],
      ['conversation', 'uploads', 'bad_gateway_html', 502, 'UPLOAD_FAILED'],
      ['conversation', 'uploads', 'cut', 502, 'UPLOAD_FAILED'],
      ['conversation', 'uploads', 'session_expired', 403, 'ACCOUNT_REAUTH_REQUIRED'],
      ['conversation', 'uploads', 'upgrade_required', 403, 'UPSTREAM_ACCOUNT_NOT_AUTHORIZED'],
      ['project', 'sources', 'server_error', 502, 'UPLOAD_FAILED'],
      ['project', 'sources', 'cut', 502, 'UPLOAD_FAILED'],
      ['project', 'sources', 'rate_limited', 429, 'PROVIDER_RATE_LIMITED'],
    ] as const)('to a %s (%s: %s) is answered with %i %s and leaves nothing', async (place, on, fault, status, code) => {
      const before = await kept();
      await onlyAccount(tenant).order({ fault, on });
      expectRefusal(await upload(me, uploadPath(place), SECRET_FILE), { status, code });
      expect(await kept()).toEqual(before);
      expect(before.listed).toEqual([[], []]);
    });

    it.each(['conversation', 'project'] as const)('to a %s can be tried again, and is there once', async (place) => {
      await onlyAccount(tenant).order({ fault: 'server_error', on: place === 'project' ? 'sources' : 'uploads' });
      expectRefusal(await upload(me, uploadPath(place), SECRET_FILE), { status: 502, code: 'UPLOAD_FAILED' });
      expect([200, 201]).toContain((await upload(me, uploadPath(place), SECRET_FILE)).status);
      const { upstream, assets, files } = await kept();
      expect([upstream, assets, files].map((all) => all.length)).toEqual([1, 1, 1]);
    });

    it('because the account has none of it is remembered, until it works or is tested again', async () => {
      const account = onlyAccount(tenant);
      const capabilities = async () =>
        manifest.parse((await call(gateway(), 'GET', '/v1/capabilities', { key: me.key })).json).capabilities;
      const becomes = async (enabled: boolean) => {
        await waitFor(async () => (await capabilities()).project_files.enabled === enabled);
        const shown = await capabilities();
        expect(shown.project_files).toEqual({ enabled, supported: true, ...(!enabled && { reason: 'upstream_not_authorized' }) });
        expect(shown.chat.features).toMatchObject({ project_files: enabled, conversation_files: true });
        expect(shown.files).toEqual({ enabled: true, supported: true });
      };
      await becomes(true);
      const before = await kept();
      await new Sandbox(gateway).putAccount({ ...account, tier: 'free' });
      expectRefusal(await upload(me, uploadPath('project'), SECRET_FILE), NOT_AUTHORIZED);
      expect(await kept()).toEqual(before);
      await becomes(false);
      const conversation = paths.conversation.split('/').at(-1) ?? '';
      expect((await attach(me, conversation, SECRET_FILE)).file_id).toBeTruthy();
      await becomes(false);
      await new Operator(gateway).testConnection(account.connectionId, tenant.workspaceId);
      await becomes(true);
      expectRefusal(await upload(me, uploadPath('project'), SECRET_FILE), NOT_AUTHORIZED);
      await becomes(false);
      await new Sandbox(gateway).putAccount(account);
      expect(await upload(me, uploadPath('project'), SECRET_FILE)).toMatchObject({ status: 201 });
      await becomes(true);
    });
  });
});
