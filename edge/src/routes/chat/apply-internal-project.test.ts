import { describe, expect, it } from '@jest/globals';
import { type TurnRequest } from '@parley/protos/routing/v1/routing';
import { type Principal } from '../../middleware/principal.ts';
import { applyInternalProject } from './apply-internal-project.ts';
import { type ChatDeps } from './deps.ts';

const POLICIES: Record<string, string> = { free: 'allow_general', strict: 'require_project' };

/** What becomes of a turn with this header, of a key that is bound to `own`. */
async function applied(project: string, own = '', over: Partial<TurnRequest> = {}): Promise<Partial<TurnRequest>> {
  const turn = { project, upstreamProject: '', conversationId: '', ...over };
  const findInternalProject = async (_workspaceId: string, slug: string) => {
    const policy = POLICIES[slug];
    return policy === undefined ? undefined : { slug, policy };
  };
  await applyInternalProject(
    { findInternalProject } as unknown as ChatDeps,
    turn as TurnRequest,
    { workspaceId: 'w', project: own } as Principal,
  );
  return turn;
}

describe('the internal project of a turn', () => {
  it('says whether the turn needs an upstream project, and goes no further', async () => {
    await expect(applied('strict')).resolves.toMatchObject({ project: '', requireProject: true });
    await expect(applied('', 'strict')).resolves.toMatchObject({ project: '', requireProject: true });
    await expect(applied('free')).resolves.toEqual({ project: '', upstreamProject: '', conversationId: '' });
  });

  it('that is unknown travels on', async () => {
    await expect(applied('nobodys')).resolves.toMatchObject({ project: 'nobodys' });
  });

  it('is the one that the key is bound to', async () => {
    await expect(applied('strict', 'free')).rejects.toMatchObject({
      condition: 'INTERNAL_PROJECT_OUT_OF_SCOPE',
      param: 'X-Service-Project',
    });
    await expect(applied('strict', 'strict')).resolves.toMatchObject({ requireProject: true });
  });
});
