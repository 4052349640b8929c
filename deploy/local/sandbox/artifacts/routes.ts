import { withSession } from '../chat/with-session.ts';
import { type Route } from '../http/router.ts';
import { getArtifact } from './get-artifact.ts';

/** Routes of artifacts, the files that replies generate. */
export const artifactRoutes: readonly Route[] = [{ method: 'GET', path: '/api/artifacts/:id', handle: withSession(getArtifact) }];
