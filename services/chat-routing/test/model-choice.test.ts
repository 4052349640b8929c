import { describe, expect, it } from '@jest/globals';
import { type CreateConnectionRequest, type UpdateConnectionRequest } from '@parley/protos/routing/v1/routing';
import { listing } from './openai-script.ts';
import { useClient } from './use-client.ts';

const MODELS = ['text-embedding-3-small', 'small', 'large'];

describe('the model of a turn', () => {
  const test = useClient();
  const create = (over: Partial<CreateConnectionRequest> = {}) => test.connect({ models: MODELS, ...over });
  const update = (id: string, over: Partial<UpdateConnectionRequest>) => test.running.stub.updateConnection({ id, ...over }, test.init());
  const asked = async (model: string) => {
    const { error } = await test.client.turn('hello', { model });
    return error ? error.condition : test.fixture.upstream.received.at(-1)?.body.model;
  };
  const listed = async () => (await test.running.stub.listModels({}, test.init())).models.map(({ id }) => id);

  it('is for auto the first one to chat with, or the default one', async () => {
    const { id } = await create();
    await expect(asked('auto')).resolves.toBe('small');
    await update(id, { defaultModel: 'large' });
    await expect(asked('auto')).resolves.toBe('large');
    await update(id, { defaultModel: '' });
    await expect(asked('auto')).resolves.toBe('small');
  });

  it('is what an alias is on the connection that is chosen, and aliases are listed', async () => {
    await create({ label: 'one', aliases: { fast: 'small' } });
    await create({ label: 'two', models: ['tiny'], aliases: { fast: 'tiny' } });
    await expect(listed()).resolves.toEqual([...MODELS, 'fast', 'tiny']);
    const models = new Set<unknown>();
    for (const upstreamAccount of ['one', 'two']) {
      await test.client.turn('hello', { model: 'fast', upstreamAccount });
      models.add(test.fixture.upstream.received.at(-1)?.body.model);
    }
    expect([...models]).toEqual(['small', 'tiny']);
  });

  it('is an alias’s where a conversation goes on, too', async () => {
    const { id } = await create({ aliases: { fast: 'small' } });
    const conversationId = (await test.client.turn('hello', { model: 'large' })).accepted?.conversationId;
    await expect(test.client.turn('more', { conversationId, model: 'fast' })).resolves.toMatchObject({ accepted: { model: 'small' } });
    await update(id, { aliases: { models: {} } });
    await expect(test.client.turn('more', { conversationId, model: 'fast' })).resolves.toMatchObject({
      error: { condition: 'INVALID_REQUEST' },
    });
    await expect(test.client.turn('more', { conversationId })).resolves.toMatchObject({ accepted: { model: 'large' } });
  });

  it('is returned with the connection, as are the parameters that it passes on', async () => {
    const created = await create({ aliases: { fast: 'small' }, defaultModel: 'large', pass: ['seed', 'stop'] });
    expect(created).toMatchObject({ aliases: { fast: 'small' }, defaultModel: 'large', pass: ['seed', 'stop'] });
    await expect(update(created.id, { pass: { names: [] } })).resolves.toMatchObject({ pass: [], defaultModel: 'large' });
    await expect(update(created.id, { label: 'other' })).resolves.toMatchObject({ aliases: { fast: 'small' } });
  });

  it.each<[string, Partial<CreateConnectionRequest>, string]>([
    ['a default model it does not have', { defaultModel: 'huge' }, 'default_model'],
    ['an alias of a model it does not have', { aliases: { fast: 'huge' } }, 'aliases'],
    ['an alias auto', { aliases: { auto: 'small' } }, 'aliases'],
    ['a parameter that is never passed', { pass: ['tools'] }, 'pass'],
  ])('refuses a connection with %s', async (_name, over, param) => {
    await expect(create(over)).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param });
    const { id } = await create();
    const { defaultModel, aliases, pass } = over;
    const change = { defaultModel, aliases: aliases && { models: aliases }, pass: pass && { names: pass } };
    await expect(update(id, change)).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param });
  });

  it('may be new with a test, and with a new address', async () => {
    test.fixture.upstream.script = listing('old');
    const { id } = await create({ models: [], aliases: { fast: 'old' } });
    test.fixture.upstream.script = listing('new', 'newer');
    await expect(test.running.stub.testConnection({ id }, test.init())).resolves.toMatchObject({
      models: ['new', 'newer'],
      connection: { models: ['new', 'newer'] },
    });
    await expect(listed()).resolves.toEqual(['new', 'newer']);
    test.fixture.upstream.script = listing('newest');
    await expect(update(id, { baseUrl: `${test.fixture.upstream.url}/v2` })).resolves.toMatchObject({ models: ['newest'] });
    // What was said of a model that has gone does not keep an operator from saying something else.
    await expect(update(id, { defaultModel: 'newest' })).resolves.toMatchObject({ aliases: { fast: 'old' } });
  });

  it('stays what the operator named, whatever a test finds', async () => {
    const { id } = await create({ models: ['mine'] });
    await test.running.stub.testConnection({ id }, test.init());
    await expect(listed()).resolves.toEqual(['mine']);
  });
});
