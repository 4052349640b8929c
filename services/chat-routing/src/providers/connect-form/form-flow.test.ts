import { describe, expect, it } from '@jest/globals';
import { beforeEachOnStage } from '../../../test/provider-stage.ts';
import { type StoredFlowMachine } from '../connect-flow.ts';
import { type HttpPools } from '../http-pools.ts';
import { openAiOfficial } from '../openai/provider.ts';
import { ProviderRegistry } from '../registry.ts';
import { type TestUpstream } from '../testing/upstream.ts';
import { formFlow } from './form-flow.ts';
import { FORM_TEXTS } from './texts.ts';

const EMULATION = { project: { count: () => 0, budget: 0 }, files: { count: () => 0, budget: 0 } };

describe('the form of a provider', () => {
  let upstream: TestUpstream;
  let pools: HttpPools;
  let flow: StoredFlowMachine;
  beforeEachOnStage((stage) => {
    ({ upstream, pools } = stage);
    flow = formFlow(openAiOfficial(pools), { title: 'OpenAI' });
  });
  const refuse = (status: number) => (upstream.script = ({ res }) => void res.writeHead(status).end('{}'));
  const say = (values: Record<string, string>, signal = AbortSignal.timeout(20_000)) =>
    flow.answer(
      flow.begin({ connectionId: 'c1', mayBePrivate: true }),
      { values: { base_url: `${upstream.url}/v1`, api_key: 'sk-1', ...values }, action: '' },
      signal,
    );

  it.each([
    [401, 'the provider does not accept the key'],
    [403, 'the key of this account is not allowed to do this'],
    [400, 'the provider does not accept the request; the base URL or the key may be wrong'],
  ])('is refused in our words for a %i', async (status, reason) => {
    refuse(status);
    await expect(say({})).resolves.toEqual({ is: 'refused', reason });
  });

  it.each([402, 408, 429, 500, 503])('is not refused for a %i, which says nothing of the key', async (status) => {
    refuse(status);
    await expect(say({})).rejects.toMatchObject({ row: { retryable: true } });
  });

  it('gives a provider up that says nothing until its time is over', async () => {
    const stop = new AbortController();
    upstream.script = () => stop.abort();
    await expect(say({}, stop.signal)).rejects.toMatchObject({ condition: 'PROVIDER_TIMEOUT' });
  });

  it('has a name for people for every provider of this build, and leaves nothing open', async () => {
    const extractor = { extract: () => Promise.reject(new Error('not asked')) };
    const registry = new ProviderRegistry(pools, { ...EMULATION, extractor } as unknown as ConstructorParameters<
      typeof ProviderRegistry
    >[1]);
    const forms = registry.traits().filter(({ name }) => !registry.get(name).connectFlow);
    expect(forms.map(({ name }) => name).toSorted()).toEqual(Object.keys(FORM_TEXTS).toSorted());
    for (const { name } of registry.traits()) {
      const { title, flow: each } = registry.getFlow(name);
      expect(title).not.toBe('');
      const state = each.begin({ connectionId: 'c1', mayBePrivate: true });
      expect(each.getStep(JSON.parse(JSON.stringify(state))).fields.length).toBeGreaterThan(0);
      await each.abandon(state);
    }
    expect(upstream.received).toEqual([]);
  });
});
