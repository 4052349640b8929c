import { describe, expect, it } from '@jest/globals';
import { type Connection } from '@parley/protos/routing/v1/routing';
import { ROUTES } from '../index.ts';
import { describeCapabilities } from './describe.ts';

function account(change: Partial<Connection>): Connection {
  return {
    id: '01900000-0000-7000-8000-00000000000a',
    workspaceId: '01900000-0000-7000-8000-000000000001',
    label: 'sandbox',
    provider: 'sandbox',
    status: 'active',
    health: 'healthy',
    isDefault: true,
    createdAt: undefined,
    supports: ['text', 'images'],
    baseUrl: '',
    models: [],
    refused: [],
    ...change,
  };
}

const REFUSED = account({ refused: ['images'] });

describe('images in the manifest', () => {
  it.each([
    ['nobody is connected', [], 'unavailable'],
    ['the account cannot make any', [account({ supports: ['text'] })], 'unavailable'],
    ['the account is disabled', [account({ status: 'disabled' })], 'unavailable'],
    ['the only able account refused one', [REFUSED], 'unavailable'],
    ['every able account refused one', [REFUSED, REFUSED, account({ supports: ['text'] })], 'unavailable'],
    ['the able account that did not refuse is disabled', [REFUSED, account({ status: 'disabled' })], 'unavailable'],
    ['an able account is connected', [account({})], 'unknown'],
    ['an able account cools down', [account({ status: 'cooldown' })], 'unknown'],
    ['another able account did not refuse', [REFUSED, account({})], 'unknown'],
    ['the account refused something else', [account({ refused: ['project_files'] })], 'unknown'],
  ])('when %s', (_when, connections, state) => {
    const { images, chat } = describeCapabilities(connections, ROUTES);
    expect(images).toMatchObject({ state, enabled: state === 'unknown', supported: true, verified: false });
    expect(chat.features.images).toBe(state === 'unknown');
  });

  it('have a reason where no account is connected, and an error code where one refused', () => {
    expect(describeCapabilities([], ROUTES).images).toMatchObject({ reason: 'no_connected_account' });
    const { images } = describeCapabilities([REFUSED], ROUTES);
    expect(images).toMatchObject({ error_code: 'IMAGE_GENERATION_UNAVAILABLE', retryable: false });
    expect(images).not.toHaveProperty('reason');
  });
});
