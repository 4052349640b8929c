import { describe, expect, it } from '@jest/globals';
import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { connect, type Stub } from '@parley/kit/rpc/client';
import { ActionsServiceService } from '@parley/protos/actions/v1/actions';
import { startActions } from '../src/server.ts';

const BY = { caller: SYSTEM_CALLER };

/** The standard health service, as far as a probe needs it: an empty question, one status in the answer. */
const HEALTH = {
  check: {
    path: '/grpc.health.v1.Health/Check',
    requestStream: false,
    responseStream: false,
    requestSerialize: () => Buffer.alloc(0),
    requestDeserialize: () => ({}),
    responseSerialize: (answer: Buffer) => answer,
    responseDeserialize: (answer: Buffer) => answer,
  },
} as const;
const SERVING = Buffer.from([0x08, 0x01]);

function everyMethod(stub: Stub<typeof ActionsServiceService>): Record<keyof typeof ActionsServiceService, () => Promise<unknown>> {
  return {
    createRun: () => stub.createRun({ slug: 's', input: '{}', connectionId: '', idempotencyKey: '', requestDigest: new Uint8Array() }, BY),
    getRun: () => stub.getRun({ slug: 's', id: 'r' }, BY),
    cancelRun: () => stub.cancelRun({ slug: 's', id: 'r' }, BY),
  };
}

describe.each(['in-process', '127.0.0.1:0'] as const)('the actions service at %s', (listen) => {
  it('refuses every method with NOT_IMPLEMENTED', async () => {
    const server = await startActions({ listen, logLevel: 'silent' });
    const stub = connect(ActionsServiceService, server.address);
    for (const call of Object.values(everyMethod(stub))) await expect(call()).rejects.toMatchObject({ condition: 'NOT_IMPLEMENTED' });
    stub.close();
    await server[Symbol.asyncDispose]();
  });

  it('is ready until it drains, and then refuses calls with SHUTTING_DOWN', async () => {
    const server = await startActions({ listen, logLevel: 'silent' });
    const stub = connect(ActionsServiceService, server.address);
    await expect(server.ready()).resolves.toEqual({ ready: true, checks: {} });
    await server.drain();
    await expect(server.ready()).resolves.toMatchObject({ ready: false });
    await expect(everyMethod(stub).createRun()).rejects.toMatchObject({ condition: 'SHUTTING_DOWN' });
    stub.close();
    await server[Symbol.asyncDispose]();
  });
});

describe('the actions service over gRPC', () => {
  it('answers health, and no longer serves while it drains', async () => {
    const server = await startActions({ listen: '127.0.0.1:0', logLevel: 'silent' });
    const health = connect(HEALTH, server.address);
    await expect(health.check({}, BY)).resolves.toEqual(SERVING);
    await server.drain();
    await expect(health.check({}, BY)).resolves.not.toEqual(SERVING);
    health.close();
    await server[Symbol.asyncDispose]();
  });
});
