import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type FaultProxy, startFaultProxy } from '@parley/kit/testing/fault-proxy';
import { waitFor } from '@parley/kit/testing/wait-for';
import { ask, said, stream } from '../../harness/chat.ts';
import { parseStream, readUntil } from '../../harness/event-stream.ts';
import { expectRefusal, type Refusal } from '../../harness/expectations.ts';
import { Ledger } from '../../harness/ledger.ts';
import { Sandbox } from '../../harness/sandbox.ts';
import { makeTenant, type Provider } from '../../harness/tenant.ts';
import { inBothTopologies } from '../../harness/topologies.ts';
import { readTurnResult } from '../../harness/turn-result.ts';

const PROVIDERS: Provider[] = ['sandbox', 'openai-compatible'];
const UNREACHABLE: Refusal = { status: 503, code: 'PROVIDER_UNAVAILABLE' };
const BAD_ANSWER: Refusal = { status: 502, code: 'PROVIDER_UNAVAILABLE' };
const TIMEOUT: Refusal = { status: 504, code: 'PROVIDER_TIMEOUT' };

/** What the way to the upstream does, what a turn gets that has not been accepted, and the error of one that has. */
const FAULTS: [name: 'cut' | 'pause' | 'garble', before: Refusal, after: string][] = [
  ['cut', UNREACHABLE, 'PROVIDER_UNAVAILABLE'],
  ['pause', TIMEOUT, 'PROVIDER_TIMEOUT'],
  ['garble', BAD_ANSWER, 'PROVIDER_UNAVAILABLE'],
];

describe('a bad connection to the upstream', () => {
  inBothTopologies(
    (gateway) => {
      const sandbox = new Sandbox(gateway);
      let proxy: FaultProxy;
      beforeAll(async () => {
        const { hostname, port } = new URL(gateway().run.sandbox_url);
        proxy = await startFaultProxy({ host: hostname, port: Number(port) });
      });
      afterAll(() => proxy.close());
      const tenantOf = (provider: Provider) => makeTenant(gateway, [provider], `http://127.0.0.1:${proxy.port}`);

      describe.each(PROVIDERS)('over %s', (provider) => {
        it('is only felt when it is slow', async () => {
          const tenant = await tenantOf(provider);
          proxy.latency(50);
          try {
            expect(said(await ask(gateway(), { key: tenant.apiKey, say: 'say slow' })).text).toBe('slow');
          } finally {
            proxy.latency(0);
          }
        });

        it.each(FAULTS)('%s before acceptance is a status, and passes', async (fault, refusal) => {
          const tenant = await tenantOf(provider);
          proxy[fault]();
          try {
            const turn = { key: tenant.apiKey };
            const [whole, streamed] = await Promise.all([ask(gateway(), turn), stream(gateway(), turn)]);
            expectRefusal(whole, refusal);
            expectRefusal({ status: streamed.status, headers: streamed.headers, json: await streamed.json() }, refusal);
          } finally {
            proxy.resume();
          }
          expect(said(await ask(gateway(), { key: tenant.apiKey, say: 'say well' })).text).toBe('well');
        });

        it.each(FAULTS)('%s on the way ends the stream with an error and keeps what came', async (fault, _before, code) => {
          const tenant = await tenantOf(provider);
          const ledger = new Ledger(gateway, tenant);
          await sandbox.setPace(20);
          try {
            const response = await stream(gateway(), ledger.request(5_000));
            const { raw, reader } = await readUntil(response, (read) => read.includes('" 3"'));
            proxy[fault]();
            const rest = new Response(new ReadableStream({ pull: (out) => pass(reader, out) }));
            const heard = await readTurnResult(async () => new Response(raw + (await rest.text()), { headers: response.headers }));
            ledger.heard.push(heard);
            expect(heard).toMatchObject({ outcome: 'failed', code });
            const { chunks, data } = parseStream(heard.raw.replaceAll(': ping\n\n', ''));
            expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: 'error' }], lifecycle_event: { type: 'response.failed' } });
            expect(data.at(-1)).toBe('[DONE]');
            if (fault === 'pause') expect(heard.raw).toContain(': ping\n\n');
          } finally {
            proxy.resume();
            await sandbox.setPace(0);
          }
          await ledger.reconcile();
          const [turn] = await ledger.record();
          expect(turn).toMatchObject({ status: 'failed', text: ledger.heard[0]?.text });
          await waitFor(async () => (await ask(gateway(), { key: tenant.apiKey })).status === 200);
        });
      });
    },
    { env: { PARLEY_UPSTREAM_ACCEPTANCE_MS: '3s', PARLEY_UPSTREAM_SILENCE_MS: '3s', PARLEY_PING_INTERVAL: '100ms' } },
  );
});

async function pass(reader: ReadableStreamDefaultReader<Uint8Array>, out: ReadableStreamDefaultController): Promise<void> {
  const { done, value } = await reader.read();
  if (done) out.close();
  else out.enqueue(value);
}
