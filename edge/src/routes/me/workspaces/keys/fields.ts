import { z } from 'zod';
import { createKeyBody } from '../../../admin/keys/create.ts';
import { uuid } from '../../../fields.ts';

/** The body to create an API key for the caller. */
export const createOwnKeyBody = createKeyBody.omit({ user_id: true, workspace_id: true }).meta({ id: 'NewOwnApiKey' });

/** The path parameters of an own key. */
export const ownKeyParams = z.object({ workspace_id: uuid, key_id: uuid });
