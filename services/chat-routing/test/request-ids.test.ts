import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@parley/kit/log/logger';
import { waitFor } from '@parley/kit/testing/wait-for';
import { GatewayError } from '@parley/protos/errors';
import { type Client } from './client.ts';
import { connectAccount, type TestFixture, newCaller, openFixture, type Running } from './fixture.ts';
import { answering, refusing } from './openai-script.ts';

/** What is not of one request: many turns together lead to it, or the process does it by itself. */
const OF_NO_REQUEST = ['connection health changed'];

describe('the log of requests', () => {
  let fixture: TestFixture;
  let running: Running;
  let client: Client;
  const lines: { msg: string; requestId?: string }[] = [];
  beforeAll(async () => {
    fixture = await openFixture();
    const destination = { write: (line: string) => void lines.push(JSON.parse(line) as { msg: string }) };
    running = await fixture.start({}, { recordWaitMs: 0, log: createLogger({ service: 'test', level: 'info', destination }) });
    client = running.as(newCaller({ requestId: 'req_1' }));
    lines.length = 0;
  });
  afterAll(() => fixture.close());

  it('has the id of the request on every line of it', async () => {
    const { caller } = client;
    fixture.upstream.script = answering('Fine');
    const { id } = await connectAccount(fixture, running, caller);
    const { accepted } = await client.turn('Hello');
    fixture.upstream.script = refusing(503);
    await client.turn('Hello');
    fixture.upstream.script = answering('Fine');
    // An end that the record refuses when it comes again.
    let ends = 0;
    fixture.conversation.before = ({ $case }) => {
      if ($case === 'end') throw new GatewayError(ends++ === 0 ? 'SERVICE_UNAVAILABLE' : 'VALIDATION_ERROR', 'no');
    };
    await client.turn('Hello', { conversationId: accepted?.conversationId });
    await running.stub.rotateSecrets({}, { caller });
    await running.stub.updateConnection({ id, label: 'another' }, { caller });
    await running.stub.removeConnection({ id, moveTo: '' }, { caller, deadlineMs: 20_000 });
    const messages = () => lines.map(({ msg }) => msg);
    await waitFor(() => messages().includes('the outcome of a turn was not recorded'));
    expect(messages()).toEqual(
      expect.arrayContaining([
        'connection created',
        'an attempt of a turn failed',
        'connection secrets rotated',
        'connection updated',
        'connection removed',
      ]),
    );
    const without = lines.filter(({ msg, requestId }) => requestId !== 'req_1' && !OF_NO_REQUEST.includes(msg));
    expect(without).toEqual([]);
  });
});
