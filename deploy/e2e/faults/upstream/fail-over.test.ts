import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { ask, said } from '../../harness/chat.ts';
import { continuing, openaiClient, saying } from '../../harness/openai.ts';
import { makeTenant, type Provider, type Tenant } from '../../harness/tenant.ts';
import { inBothTopologies } from '../../harness/topologies.ts';
import { usageOf } from '../../harness/usage.ts';

const PROVIDERS: Provider[] = ['sandbox', 'openai-compatible'];

describe('a first turn whose accounts fail', () => {
  inBothTopologies((gateway) => {
    /** Two of three accounts fail their next turns, so that some turn meets both before it is answered. */
    async function twoFail(provider: Provider): Promise<Tenant> {
      const tenant = await makeTenant(gateway, [provider, provider, provider]);
      const [first, second] = tenant.accounts;
      await first?.order({ fault: 'server_error', count: 50 });
      await second?.order({ fault: 'bad_gateway_html', count: 50 });
      return tenant;
    }

    describe.each(PROVIDERS)('over %s', (provider) => {
      it('is answered by the one that works, and goes on there', async () => {
        const tenant = await twoFail(provider);
        const { client, sent } = openaiClient(gateway(), { apiKey: tenant.apiKey });
        for (let turns = 0; turns < 4; turns++) {
          const { data, response } = await client.chat.completions.create(saying('say elsewhere')).withResponse();
          expect(data.choices[0]?.message.content).toBe('elsewhere');
          const conversation = response.headers.get('x-service-conversation-id') ?? '';
          const next = await client.chat.completions.create(saying('say still here'), continuing(conversation));
          expect(next.choices[0]?.message.content).toBe('still here');
        }
        const stream = await client.chat.completions.create({ ...saying('say streamed'), stream: true });
        let text = '';
        for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
        expect(text).toBe('streamed');
        expect(sent()).toBe(9);
        // One turn is one usage record, whatever the number of attempts.
        await waitFor(async () => (await usageOf(gateway(), tenant.apiKey)).total_requests === 9);
        expect(await usageOf(gateway(), tenant.apiKey)).toMatchObject({ successful: 9, errors: 0 });
      });

      it('is run anew under its idempotency key once something works again', async () => {
        const tenant = await makeTenant(gateway, [provider, provider]);
        for (const account of tenant.accounts) await account.order({ fault: 'server_error', count: 1 });
        const headers = { 'idempotency-key': 'again' };
        const turn = { key: tenant.apiKey, say: 'say at last', headers };
        expect((await ask(gateway(), turn)).status).toBe(502);
        const first = said(await ask(gateway(), turn));
        expect(first.text).toBe('at last');
        expect(said(await ask(gateway(), turn))).toEqual(first);
      });
    });
  });
});
