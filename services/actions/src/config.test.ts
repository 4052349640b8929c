import { describe, expect, it } from '@jest/globals';
import { readActionsConfig } from './config.ts';

const ENV = {
  DATABASE_URL: 'postgres://localhost/parley',
  NATS_URL: 'nats://localhost:4222',
  PARLEY_LISTEN: '127.0.0.1:0',
  PARLEY_CHAT_ROUTING_ADDRESS: 'dns:///chat-routing:50051',
  PARLEY_AUDIO_ADDRESS: 'dns:///audio:50051',
  PARLEY_ASSET_ADDRESS: 'dns:///asset:50051',
};

describe('readActionsConfig', () => {
  it('has a value for everything that can be left out', () => {
    expect(readActionsConfig(ENV)).toMatchObject({
      ...{ executing: true, maxRisk: 'write', maxRiskWithoutReview: 'irreversible', workers: 4, workspaceConcurrency: 4 },
      ...{ stepTimeoutMs: 60_000, runTimeoutMs: 900_000, leaseMs: 12_000, retentionMs: 2_592_000_000 },
      ...{
        egress: { allowedHosts: new Set(), allowedNetworks: [] },
        maxResponseBytes: 1_048_576,
        textExtraction: { readers: 2, timeMs: 5_000 },
      },
    });
  });

  it('takes what it is given', () => {
    const given = {
      PARLEY_ACTIONS: 'disabled',
      PARLEY_ACTIONS_RISK: 'read',
      PARLEY_ACTIONS_UNREVIEWED_RISK: 'write',
      PARLEY_ACTIONS_RUN_TIMEOUT: '1h',
      PARLEY_ACTIONS_ALLOWED_HOSTS: '127.0.0.1:8090',
    };
    expect(readActionsConfig({ ...ENV, ...given })).toMatchObject({
      ...{ executing: false, maxRisk: 'read', maxRiskWithoutReview: 'write', runTimeoutMs: 3_600_000 },
      egress: { allowedHosts: new Set(['127.0.0.1:8090']) },
    });
  });

  it.each([
    ['PARLEY_ACTIONS', 'maybe'],
    ['PARLEY_ACTIONS_RISK', 'high'],
    ['PARLEY_ACTIONS_WORKERS', '0'],
    ['PARLEY_ACTIONS_ALLOWED_HOSTS', 'https://api.example/'],
    ['PARLEY_ACTIONS_ALLOWED_NETWORKS', '10.0.0.0'],
    ['PARLEY_ASSET_ADDRESS', ''],
  ])('refuses %s=%s', (name, value) => {
    expect(() => readActionsConfig({ ...ENV, [name]: value })).toThrow(/bad configuration/);
  });
});
