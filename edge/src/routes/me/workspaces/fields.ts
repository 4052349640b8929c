import { z } from 'zod';
import { uuid } from '../../fields.ts';
import { paging } from '../../paging.ts';

/** The workspace in a path. */
export const workspaceParams = z.object({ workspace_id: uuid });

/** A page of a list of a workspace. */
export const pageQuery = z.object(paging);
