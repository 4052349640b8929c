import { beforeEach, describe, expect, it } from '@jest/globals';
import { beforeEachOnOfficialStage, type OfficialStage } from '../../../test/official-stage.ts';
import { json } from '../../../test/openai-api/server.ts';
import { type ProjectOperations } from '../project-operations.ts';
import { type TurnProject } from '../upstream-turn.ts';

const WISH = { name: 'The gateway', instructions: 'reply in capitals', memoryPolicy: 'project_only' } as const;
const TEXT = 'The code word is heron.';

describe('projects at the official API', () => {
  let stage: OfficialStage;
  let projects: ProjectOperations;
  beforeEachOnOfficialStage((entered) => (stage = entered));
  beforeEach(() => {
    if (!stage.provider.projects) throw new Error('it has none');
    projects = stage.provider.projects;
  });
  const add = (ref: string) => {
    const bytes = (async function* () {
      yield Buffer.from(TEXT);
    })();
    const signal = new AbortController().signal;
    return projects.addFile(stage.connection, ref, {
      workspaceId: 'w',
      name: 'notes.txt',
      mimeType: 'text/plain',
      size: TEXT.length,
      bytes,
      signal,
    });
  };
  const turnProject = (upstreamRef: string): TurnProject => ({
    ...WISH,
    id: 'p',
    upstreamRef,
    sources: () => Promise.reject(new Error('it searches itself')),
  });

  it('are vector stores, whose files are searched and whose instructions are sent in every turn', async () => {
    const made = await projects.create(stage.connection, WISH);
    expect(made).toMatchObject({ ...WISH, memoryPolicyStatus: 'emulated' });
    await add(made.upstreamRef);
    const sink = await stage.run('what is the code word?', { project: turnProject(made.upstreamRef) });
    expect(sink.text).toBe('THE CODE WORD IS HERON.');
  });

  it.each([
    ['provider_default', 'provider_default'],
    ['project_only', 'project_only'],
    ['account_connected', 'project_only'],
  ] as const)('asked for %s share memories as %s', async (memoryPolicy, holds) => {
    await expect(projects.create(stage.connection, { ...WISH, memoryPolicy })).resolves.toMatchObject({ memoryPolicy: holds });
  });

  it('are renamed, found and forgotten with their files', async () => {
    const { upstreamRef } = await projects.create(stage.connection, WISH);
    await projects.update(stage.connection, upstreamRef, { name: 'The garden' });
    await projects.update(stage.connection, upstreamRef, { instructions: 'kept here' });
    await expect(projects.get(stage.connection, upstreamRef)).resolves.toMatchObject({ upstreamRef, name: 'The garden', instructions: '' });
    await add(upstreamRef);
    await projects.remove(stage.connection, upstreamRef);
    expect([stage.api.store.vectorStores.size, stage.api.store.files.size]).toEqual([0, 0]);
    await projects.remove(stage.connection, upstreamRef);
    await expect(projects.get(stage.connection, upstreamRef)).rejects.toMatchObject({ condition: 'PROJECT_NOT_FOUND' });
    await expect(projects.update(stage.connection, upstreamRef, { name: 'x' })).rejects.toMatchObject({ condition: 'PROJECT_NOT_FOUND' });
  });

  it('report the status of their files', async () => {
    const { upstreamRef } = await projects.create(stage.connection, WISH);
    const { upstreamRef: file, status } = await add(upstreamRef);
    expect(status).toBe('processing');
    const { files } = stage.api.store.vectorStores.get(upstreamRef) ?? { files: new Map() };
    for (const [said, expected] of [
      ['in_progress', 'processing'],
      ['completed', 'ready'],
      ['failed', 'failed'],
      ['cancelled', 'failed'],
    ] as const) {
      files.set(file, said);
      expect(await projects.listFileStatuses(stage.connection, upstreamRef)).toEqual(new Map([[file, expected]]));
    }
    for (let at = 0; at < 150; at++) files.set(`file_${at}`, 'completed');
    expect((await projects.listFileStatuses(stage.connection, upstreamRef)).size).toBe(151);
  });

  it('lose a file upstream too, and one that is gone is no error', async () => {
    const { upstreamRef } = await projects.create(stage.connection, WISH);
    const { upstreamRef: file } = await add(upstreamRef);
    await projects.removeFile(stage.connection, upstreamRef, file);
    expect(stage.api.store.files.size).toBe(0);
    await projects.removeFile(stage.connection, upstreamRef, file);
  });

  it('that are gone take no file, and leave none behind', async () => {
    await expect(add('vs_gone')).rejects.toMatchObject({ condition: 'PROJECT_NOT_FOUND' });
    expect(stage.api.store.files.size).toBe(0);
  });

  it.each([
    [401, 'ACCOUNT_REAUTH_REQUIRED'],
    [429, 'PROVIDER_RATE_LIMITED'],
    [500, 'PROVIDER_BAD_ANSWER'],
    [503, 'PROVIDER_UNAVAILABLE'],
  ])('%i is %s', async (status, condition) => {
    stage.api.intercept = (_call, res) => (json(res, status, { error: { message: 'secret words' } }, { 'retry-after': '7' }), true);
    for (const work of [
      () => projects.create(stage.connection, WISH),
      () => projects.remove(stage.connection, 'vs_1'),
      () => projects.listFileStatuses(stage.connection, 'vs_1'),
    ]) {
      await expect(work()).rejects.toMatchObject({ condition });
      await expect(work()).rejects.not.toThrow(/secret/);
    }
    expect(stage.api.calls).toHaveLength(6);
  });
});
