import { z } from 'zod';
import { newKey } from '../../../admin/keys/create.ts';
import { uuid } from '../../../fields.ts';

/** A key to create for oneself. */
export const newOwnKey = newKey.omit({ user_id: true, workspace_id: true }).meta({ id: 'NewOwnApiKey' });

/** The own key in a path. */
export const ownKeyParams = z.object({ workspace_id: uuid, key_id: uuid });
