import { describe, expect, it } from '@jest/globals';
import { type Connection } from '@parley/protos/routing/v1/routing';
import { type RouteSpec } from '../../openapi/route-spec.ts';
import { describeCapabilities } from './describe.ts';

const ABLE = ['text', 'conversation_files', 'projects', 'project_files'];

function account(change: Partial<Connection> = {}): Connection {
  const about = { id: 'c1', workspaceId: 'w1', label: 'a', provider: 'sandbox', baseUrl: '', models: [], isDefault: true };
  const said = { pass: [], defaultModel: '', aliases: {}, restingModels: [], reason: '' };
  return { ...about, ...said, status: 'active', health: 'healthy', supports: ABLE, refused: [], ...change };
}

function row(method: RouteSpec['method'], path: string, operationId: string): RouteSpec {
  return { method, path, operationId, summary: '', access: 'key', scope: 'conversations', throttle: null, status: 200 };
}

const on = (routes: readonly RouteSpec[], connections: readonly Connection[]) =>
  describeCapabilities({ connections, routes, abilities: undefined, runsActions: true, isUp: () => true });

const ROUTES = [
  row('post', '/v1/conversations/{conversation_id}/attachments', 'createAttachment'),
  row('get', '/v1/projects', 'listProjects'),
  row('post', '/v1/projects/{project_id}/files', 'createProjectFile'),
];

describe('projects and files in the manifest', () => {
  const of = (...connections: Connection[]) => on(ROUTES, connections);

  it('are enabled for an account that has them, with their endpoints and policies', () => {
    const { projects, files, project_files, chat } = of(account());
    expect(projects).toEqual({
      enabled: true,
      supported: true,
      endpoints: { listProjects: 'GET /v1/projects', createProjectFile: 'POST /v1/projects/{project_id}/files' },
      memory_policies: ['provider_default', 'account_connected', 'project_only'],
    });
    expect([files, project_files]).toEqual([
      { enabled: true, supported: true },
      { enabled: true, supported: true },
    ]);
    expect(chat.features).toMatchObject({ conversation_files: true, projects: true, project_files: true });
  });

  it('are not supported by a platform without the routes', () => {
    const { projects, files, project_files } = on([], [account()]);
    expect([projects, files, project_files].map(({ enabled, supported, reason }) => [enabled, supported, reason])).toEqual(
      Array.from({ length: 3 }, () => [false, false, undefined]),
    );
  });

  it.each([
    ['no account', [], 'no_connected_account'],
    ['an expired account', [account({ status: 'expired' })], 'no_connected_account'],
    ['disabled accounts', [account({ status: 'disabled' })], 'account_disabled'],
  ])('say why they are off with %s', (_name, connections, reason) => {
    const { projects, files, project_files } = of(...connections);
    for (const each of [projects, files, project_files]) expect(each).toMatchObject({ enabled: false, supported: true, reason });
  });

  it('remember that every able account refused files of projects, and nothing else', () => {
    const refused = account({ refused: ['project_files'] });
    const { project_files, projects, files, chat } = of(refused, account({ supports: ['text'] }));
    expect(project_files).toEqual({ enabled: false, supported: true, reason: 'upstream_not_authorized' });
    expect([projects.enabled, files.enabled]).toEqual([true, true]);
    expect(chat.features).toMatchObject({ project_files: false, projects: true });
  });

  it('stay optimistic while one able account has not refused', () => {
    const { project_files } = of(account({ refused: ['project_files'] }), account({ id: 'c2' }));
    expect(project_files).toEqual({ enabled: true, supported: true });
  });

  it('listen to connected accounts only', () => {
    const { project_files } = of(account({ refused: ['project_files'] }), account({ id: 'c2', status: 'disabled' }));
    expect(project_files).toMatchObject({ enabled: false, reason: 'upstream_not_authorized' });
  });

  it('give no reason where a connected account cannot do it at all', () => {
    const { project_files } = of(account({ supports: ['text'] }));
    expect(project_files).toEqual({ enabled: false, supported: true });
  });
});
