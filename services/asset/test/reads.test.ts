import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Caller, SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { PNG } from './files.ts';
import { type TestFixture, type Running, artifact, newCaller, newConversation, openFixture, reaches, register } from './fixture.ts';
import { consistsOf } from './upstream.ts';

describe('reading assets', () => {
  let fixture: TestFixture;
  let service: Running;
  let caller: Caller;
  let conversationId: string;
  let ids: string[];
  beforeAll(async () => {
    fixture = await openFixture();
    service = await fixture.start();
    caller = newCaller();
    conversationId = newConversation(fixture.upstream, caller);
    const artifacts = Array.from({ length: 5 }, () => artifact(fixture.upstream, consistsOf(PNG)));
    ids = artifacts.map(({ assetId }) => assetId);
    await register(service, caller, artifacts, conversationId);
    for (const id of ids) await reaches(service, caller, id, 'ready');
  });
  afterAll(() => fixture.close());

  const list = (limit: number, offset: number, by = caller, conversation = conversationId) =>
    service.stub.listConversationAssets({ conversationId: conversation, limit, offset }, { caller: by });

  it('lists those of a conversation, oldest first, by pages', async () => {
    const all = await list(0, 0);
    expect([all.assets.map(({ id }) => id), all.total]).toEqual([ids, 5]);
    const page = await list(2, 3);
    expect([page.assets.map(({ id }) => id), page.total]).toEqual([ids.slice(3), 5]);
    await expect(list(2, 9)).resolves.toEqual({ assets: [], total: 5 });
    await expect(list(201, 0)).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'limit' });
  });

  it('asks the conversation who may', async () => {
    await expect(list(0, 0, newCaller())).rejects.toMatchObject({ condition: 'CONVERSATION_ACCESS_DENIED' });
    await expect(list(0, 0, caller, uuidv7())).rejects.toMatchObject({ condition: 'CONVERSATION_NOT_FOUND' });
    await expect(list(0, 0, caller, 'x')).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'conversation_id' });
  });

  it('returns the requested assets in order, and none of another workspace', async () => {
    const requested = [ids[3] ?? '', uuidv7(), 'x', ids[0] ?? ''];
    const { assets } = await service.stub.listAssets({ ids: requested }, { caller });
    expect(assets.map(({ id }) => id)).toEqual([ids[3], ids[0]]);
    await expect(service.stub.listAssets({ ids: requested }, { caller: newCaller() })).resolves.toEqual({ assets: [] });
    const many = Array.from({ length: 201 }, uuidv7);
    await expect(service.stub.listAssets({ ids: many }, { caller })).rejects.toMatchObject({ condition: 'VALIDATION_ERROR' });
  });

  it('keeps workspaces apart, and lets another key of the workspace in', async () => {
    const id = ids[0] ?? '';
    const [stranger, colleague] = [newCaller(), newCaller({ workspaceId: caller.workspaceId })];
    await expect(service.stub.getAsset({ id }, { caller: colleague })).resolves.toMatchObject({ id });
    for (const by of [stranger, SYSTEM_CALLER]) {
      await expect(service.stub.getAsset({ id }, { caller: by })).rejects.toMatchObject({ condition: 'ASSET_ACCESS_DENIED' });
      await expect(service.stub.retryAsset({ id }, { caller: by })).rejects.toMatchObject({ condition: 'ASSET_ACCESS_DENIED' });
    }
    await expect(service.stub.listAssets({ ids }, { caller: SYSTEM_CALLER })).rejects.toMatchObject({ condition: 'ASSET_ACCESS_DENIED' });
    for (const unknown of [uuidv7(), 'x', '']) {
      await expect(service.stub.getAsset({ id: unknown }, { caller })).rejects.toMatchObject({ condition: 'ASSET_NOT_FOUND' });
      await expect(service.stub.retryAsset({ id: unknown }, { caller })).rejects.toMatchObject({ condition: 'ASSET_NOT_FOUND' });
    }
  });
});
