import { describe, expect, it } from '@jest/globals';
import { type Connection } from '@parley/protos/routing/v1/routing';
import { type RouteSpec } from '../../openapi/route-spec.ts';
import { CHAT_ROUTE } from '../chat/route.ts';
import { ROUTES } from '../index.ts';
import { describeCapabilities, type CapabilitiesInput } from './describe.ts';

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
    ...{ pass: [], defaultModel: '', aliases: {}, restingModels: [], reason: '' },
    ...change,
  };
}

const of = (connections: readonly Connection[], isUp: CapabilitiesInput['isUp'] = () => true) =>
  describeCapabilities({ connections, routes: [CHAT_ROUTE, ...ROUTES], abilities: undefined, runsActions: true, isUp });

const REFUSED = account({ refused: ['images'] });

describe('images in the manifest', () => {
  it.each([
    ['no account is connected', [], 'unavailable'],
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
    const { images, chat } = of(connections);
    expect(images).toMatchObject({ state, enabled: state === 'unknown', supported: true, verified: false });
    expect(chat.features.images).toBe(state === 'unknown');
  });

  it('have a reason where no account is connected, and an error code where one refused', () => {
    expect(of([]).images).toMatchObject({ reason: 'no_connected_account' });
    const { images } = of([REFUSED]);
    expect(images).toMatchObject({ error_code: 'IMAGE_GENERATION_UNAVAILABLE', retryable: false });
    expect(images).not.toHaveProperty('reason');
  });
});

describe('actions in the manifest', () => {
  const actions = (runsActions: boolean, routes: readonly RouteSpec[] = ROUTES) =>
    describeCapabilities({ connections: [], routes, abilities: undefined, runsActions, isUp: () => true }).actions;

  it('are enabled for a workspace whose runs are taken', () => {
    expect(actions(true)).toMatchObject({ enabled: true, supported: true, endpoints: { createActionRun: 'POST /v1/actions/{slug}/runs' } });
    expect(actions(false)).toMatchObject({ enabled: false, supported: true });
    expect(actions(true, [])).toEqual({ enabled: false, supported: false, endpoints: {} });
  });
});

describe('a service that is down', () => {
  const able = account({ supports: ['text', 'images', 'conversation_files', 'projects', 'project_files'] });
  const enabled = (down?: string) => {
    const { chat, conversations, projects, files, images, usage, project_files } = of([able], (service) => service !== down);
    const entries = { chat, conversations, projects, files, images, usage, project_files };
    return Object.entries(entries).flatMap(([name, entry]) => (entry.enabled ? [name] : []));
  };
  const EVERYTHING = ['chat', 'conversations', 'projects', 'files', 'images', 'usage', 'project_files'];

  it('is none when all are up', () => expect(enabled()).toEqual(EVERYTHING));

  it.each([
    ['conversation', ['chat', 'conversations']],
    ['asset', ['files', 'images', 'project_files']],
    ['usage', ['usage']],
    ['actions', []],
  ])('takes with it what is the work of %s, and nothing else', (down, gone) => {
    expect(enabled(down)).toEqual(EVERYTHING.filter((name) => !gone.includes(name)));
  });

  it('is no fault of an account: there is no reason, and features follow', () => {
    const { chat, files } = of([able], (service) => service !== 'asset');
    expect(files).toEqual({ enabled: false, supported: true });
    expect(chat.features).toMatchObject({ text: true, images: false, conversation_files: false, project_files: false, projects: true });
  });
});
