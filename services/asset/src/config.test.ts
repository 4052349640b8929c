import { describe, expect, it } from '@jest/globals';
import { readAssetConfig } from './config.ts';

const KEY = Buffer.alloc(32, 7);
const ENV = {
  DATABASE_URL: 'postgres://u:p@db:5432/parley',
  NATS_URL: 'nats://n1:4222',
  PARLEY_LISTEN: '127.0.0.1:0',
  PARLEY_CHAT_ROUTING_ADDRESS: 'dns:///chat-routing:50051',
  PARLEY_CONVERSATION_ADDRESS: 'dns:///conversation:50051',
  PARLEY_SECRET_KEYS: `k1:${KEY.toString('base64')}`,
  PARLEY_BLOB_STORE: '/data/blobs',
  PARLEY_INSTANCE: 'asset-1',
};

describe('readAssetConfig', () => {
  it('needs no more than where things are, and has defaults for the rest', () => {
    expect(readAssetConfig(ENV)).toEqual({
      databaseUrl: ENV.DATABASE_URL,
      natsUrl: ENV.NATS_URL,
      listen: '127.0.0.1:0',
      chatRoutingAddress: ENV.PARLEY_CHAT_ROUTING_ADDRESS,
      conversationAddress: ENV.PARLEY_CONVERSATION_ADDRESS,
      secretKeys: [KEY],
      blobs: { kind: 'folder', path: '/data/blobs' },
      httpListen: '127.0.0.1:0',
      httpUrl: undefined,
      maxBytes: 200 * 1_024 ** 2,
      workers: 4,
      ingestTimeoutMs: 600_000,
      retentionMs: undefined,
      maxActionInputBytes: 20 * 1_024 ** 2,
      actionInputTtlMs: 86_400_000,
      instance: 'asset-1',
      migrate: 'start',
      logLevel: 'info',
    });
  });

  it('takes an S3 bucket, a public listener, bounds and a retention', () => {
    const env = {
      ...ENV,
      PARLEY_BLOB_STORE: 's3://files?endpoint=http://minio:9000',
      PARLEY_ASSET_HTTP_LISTEN: '0.0.0.0:8081',
      PARLEY_ASSET_HTTP_URL: 'http://asset:8081/',
      PARLEY_ASSET_MAX_BYTES: '1GB',
      PARLEY_ASSET_WORKERS: '8',
      PARLEY_ASSET_RETENTION: '30d',
      PARLEY_MAX_ACTION_ASSET: '5MB',
      PARLEY_ACTION_ASSET_TTL: '1h',
    };
    expect(readAssetConfig(env)).toMatchObject({
      blobs: { kind: 's3', bucket: 'files' },
      httpListen: '0.0.0.0:8081',
      httpUrl: 'http://asset:8081',
      maxBytes: 1_024 ** 3,
      workers: 8,
      retentionMs: 30 * 86_400_000,
      maxActionInputBytes: 5 * 1_024 ** 2,
      actionInputTtlMs: 3_600_000,
    });
  });

  it.each([
    [{ PARLEY_BLOB_STORE: 'blobs' }, /PARLEY_BLOB_STORE must be an absolute path/],
    [{ PARLEY_SECRET_KEYS: 'k1:short' }, /PARLEY_SECRET_KEYS must look like/],
    [{ PARLEY_CHAT_ROUTING_ADDRESS: '' }, /PARLEY_CHAT_ROUTING_ADDRESS is not set/],
    [{ PARLEY_ASSET_WORKERS: '0' }, /PARLEY_ASSET_WORKERS must be a whole number/],
    [{ PARLEY_ASSET_HTTP_LISTEN: '0.0.0.0:8081' }, /PARLEY_ASSET_HTTP_URL must say how the edge reaches/],
  ])('refuses %j and names the variable', (part, message) => {
    expect(() => readAssetConfig({ ...ENV, ...part })).toThrow(message);
  });
});
