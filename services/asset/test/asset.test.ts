import { describe, expect, it } from '@jest/globals';
import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { connect, type Stub } from '@parley/kit/rpc/client';
import { AssetServiceService } from '@parley/protos/asset/v1/asset';
import { startAsset } from '../src/server.ts';

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

function everyMethod(stub: Stub<typeof AssetServiceService>): Record<keyof typeof AssetServiceService, () => Promise<unknown>> {
  return {
    getAsset: () => stub.getAsset({ id: 'a' }, BY),
    retryAsset: () => stub.retryAsset({ id: 'a' }, BY),
    listConversationAssets: () => stub.listConversationAssets({ conversationId: 'c', limit: 50, offset: 0 }, BY),
  };
}

describe.each(['in-process', '127.0.0.1:0'] as const)('the asset service at %s', (listen) => {
  it('refuses every method with NOT_IMPLEMENTED', async () => {
    const server = await startAsset({ listen, logLevel: 'silent' });
    const stub = connect(AssetServiceService, server.address);
    for (const call of Object.values(everyMethod(stub))) await expect(call()).rejects.toMatchObject({ condition: 'NOT_IMPLEMENTED' });
    stub.close();
    await server[Symbol.asyncDispose]();
  });

  it('is ready until it drains, and then refuses calls with SHUTTING_DOWN', async () => {
    const server = await startAsset({ listen, logLevel: 'silent' });
    const stub = connect(AssetServiceService, server.address);
    await expect(server.ready()).resolves.toEqual({ ready: true, checks: {} });
    await server.drain();
    await expect(server.ready()).resolves.toMatchObject({ ready: false });
    await expect(everyMethod(stub).getAsset()).rejects.toMatchObject({ condition: 'SHUTTING_DOWN' });
    stub.close();
    await server[Symbol.asyncDispose]();
  });
});

describe('the asset service over gRPC', () => {
  it('answers health, and no longer serves while it drains', async () => {
    const server = await startAsset({ listen: '127.0.0.1:0', logLevel: 'silent' });
    const health = connect(HEALTH, server.address);
    await expect(health.check({}, BY)).resolves.toEqual(SERVING);
    await server.drain();
    await expect(health.check({}, BY)).resolves.not.toEqual(SERVING);
    health.close();
    await server[Symbol.asyncDispose]();
  });
});
