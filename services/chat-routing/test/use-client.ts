import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { type CreateConnectionRequest } from '@parley/protos/routing/v1/routing';
import { type Client } from './client.ts';
import { connectAccount, newCaller, openFixture, type Running, type TestFixture } from './fixture.ts';
import { answering } from './openai-script.ts';

/** One running service for all tests of a file, and a caller in a workspace of its own for each test. The upstream answers `ok`. */
export function useClient() {
  let fixture: TestFixture;
  let running: Running;
  let client: Client;
  beforeAll(async () => {
    fixture = await openFixture();
    running = await fixture.start();
  });
  afterAll(() => fixture.close());
  beforeEach(() => {
    client = running.as(newCaller());
    fixture.upstream.script = answering('ok');
    fixture.upstream.received.length = 0;
  });
  return {
    get fixture() {
      return fixture;
    },
    get running() {
      return running;
    },
    get client() {
      return client;
    },
    init: () => ({ caller: client.caller, deadlineMs: 20_000 }),
    connect: (over: Partial<CreateConnectionRequest>) => connectAccount(fixture, running, client.caller, over),
  };
}
