import { describe, expect, it } from '@jest/globals';
import { beforeEachOnStage } from '../../../test/provider-stage.ts';
import { type OutgoingFile } from '../file-operations.ts';
import { type HttpPools } from '../http-pools.ts';
import { type ResponseScript, type TestUpstream } from '../testing/upstream.ts';
import { createSandboxProjectOperations } from './projects.ts';

describe('projects of the sandbox', () => {
  let upstream: TestUpstream;
  let pools: HttpPools;
  beforeEachOnStage((stage) => ({ upstream, pools } = stage));
  const answering = (status: number, body?: unknown): ResponseScript => {
    return ({ res }) =>
      void res.writeHead(status, { 'content-type': 'application/json' }).end(body === undefined ? '' : JSON.stringify(body));
  };
  const refusing = (status: number, code: string) => answering(status, { error: { code, message: 'secret words' } });
  const account = () => ({ id: 'a', baseUrl: upstream.url, account: 'alice', secret: 'token' });
  const projects = () => createSandboxProjectOperations(pools);
  const WISH = { name: 'Apollo', instructions: '', memoryPolicy: 'project_only' } as const;
  const PROJECT = { id: 'sp/1', name: 'Apollo', instructions: null, memory_policy: 'project_only', created_at: '2026-01-01T00:00:00Z' };

  it('are made with their policy, which the answer confirms', async () => {
    upstream.script = answering(201, PROJECT);
    await expect(projects().create(account(), WISH)).resolves.toEqual({
      ...{ upstreamRef: 'sp/1', name: 'Apollo', instructions: '', memoryPolicy: 'project_only', memoryPolicyStatus: 'verified' },
    });
    expect(upstream.received).toMatchObject([
      {
        ...{ method: 'POST', path: '/api/projects', headers: { authorization: 'Bearer token' } },
        body: { name: 'Apollo', memory_policy: 'project_only' },
      },
    ]);
  });

  it('are changed and deleted by their references', async () => {
    upstream.script = ({ method, res }) => void (method === 'DELETE' ? res.writeHead(204).end() : res.end(JSON.stringify(PROJECT)));
    await projects().update(account(), 'sp/1', { instructions: 'Be brief.' });
    await projects().remove(account(), 'sp/1');
    await projects().removeFile(account(), 'sp/1', 'sf/1');
    expect(upstream.received.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['PATCH', '/api/projects/sp%2F1', { instructions: 'Be brief.' }],
      ['DELETE', '/api/projects/sp%2F1', {}],
      ['DELETE', '/api/projects/sp%2F1/files/sf%2F1', {}],
    ]);
  });

  it('that are gone need no deletion, and cannot be asked for', async () => {
    upstream.script = refusing(404, 'project_not_found');
    await expect(projects().remove(account(), 'sp/1')).resolves.toBeUndefined();
    await expect(projects().removeFile(account(), 'sp/1', 'sf_1')).resolves.toBeUndefined();
    await expect(projects().get(account(), 'sp/1')).rejects.toMatchObject({ condition: 'PROJECT_NOT_FOUND' });
    await expect(projects().update(account(), 'sp/1', {})).rejects.toMatchObject({ condition: 'PROJECT_NOT_FOUND' });
    upstream.script = refusing(404, 'file_not_found');
    await expect(projects().removeFile(account(), 'sp/1', 'sf_1')).resolves.toBeUndefined();
  });

  it('stream files, and report their status', async () => {
    const bytes = async function* () {
      yield Buffer.from('one, ');
      yield Buffer.from('two');
    };
    const signal = AbortSignal.timeout(60_000);
    const file: OutgoingFile = { workspaceId: 'w', name: 'Ünit 1.txt', mimeType: 'text/plain', size: 8, bytes: bytes(), signal };
    upstream.script = answering(201, { id: 'sf_1', name: 'x', mime_type: 'text/plain', size: 8, status: 'processing' });
    await expect(projects().addFile(account(), 'sp/1', file)).resolves.toMatchObject({ upstreamRef: 'sf_1', status: 'processing' });
    const [received] = upstream.received;
    expect(received).toMatchObject({
      ...{ method: 'POST', path: '/api/projects/sp%2F1/files' },
      headers: { 'content-type': 'text/plain', 'x-file-name': '%C3%9Cnit%201.txt', 'content-length': '8' },
    });
    expect(received?.bytes.toString()).toBe('one, two');
    upstream.script = answering(200, {
      files: [
        { id: 'sf_1', status: 'ready' },
        { id: 'sf_2', status: 'failed' },
      ],
    });
    await expect(projects().listFileStatuses(account(), 'sp/1')).resolves.toEqual(
      new Map([
        ['sf_1', 'ready'],
        ['sf_2', 'failed'],
      ]),
    );
  });

  it.each([
    [403, 'upgrade_required', 'UPSTREAM_ACCOUNT_NOT_AUTHORIZED'],
    [404, 'project_not_found', 'PROJECT_NOT_FOUND'],
    [401, 'session_expired', 'ACCOUNT_REAUTH_REQUIRED'],
    [500, 'broken', 'PROVIDER_BAD_ANSWER'],
  ])('refuse a file with %i %s: %s', async (status, code, condition) => {
    upstream.script = refusing(status, code);
    const bytes = async function* () {
      yield Buffer.from('x');
    };
    const file: OutgoingFile = {
      workspaceId: 'w',
      name: 'x',
      mimeType: 'text/plain',
      size: 1,
      bytes: bytes(),
      signal: AbortSignal.timeout(60_000),
    };
    await expect(projects().addFile(account(), 'sp/1', file)).rejects.toMatchObject({ condition });
  });

  it.each<[string, unknown]>([
    ['no object', 'x'],
    ['no id', { ...PROJECT, id: '' }],
    ['an unknown policy', { ...PROJECT, memory_policy: 'everything' }],
  ])('that are answered with %s are no projects', async (_name, body) => {
    upstream.script = answering(201, body);
    await expect(projects().create(account(), WISH)).rejects.toMatchObject({ condition: 'PROVIDER_BAD_ANSWER' });
  });
});
