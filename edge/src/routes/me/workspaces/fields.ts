import { z } from 'zod';
import { uuid } from '../../fields.ts';
import { paging } from '../../paging.ts';

/** The path parameter with the id of a workspace. */
export const workspaceParams = z.object({ workspace_id: uuid });

/** Query parameters of a list in a workspace. */
export const pageQuery = z.object(paging);
