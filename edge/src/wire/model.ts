import { type Model } from '@parley/protos/routing/v1/routing';
import { z } from 'zod';

/** A model in responses, as in OpenAI's API. */
export const model = z
  .object({ id: z.string(), object: z.literal('model'), created: z.int(), owned_by: z.string() })
  .meta({ id: 'Model', description: '`auto` routes to the best connected account by health, load and availability.' });

/** The list of models, as in OpenAI's API. */
export const modelList = z.object({ object: z.literal('list'), data: z.array(model) }).meta({ id: 'ModelList' });

/** Converts a model to its JSON form. */
export function toModel({ id, created, ownedBy }: Model): z.input<typeof model> {
  return { id, object: 'model', created, owned_by: ownedBy };
}
