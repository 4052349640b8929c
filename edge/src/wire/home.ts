import { z } from 'zod';

/** The response of `/` to clients that do not accept HTML. */
export const home = z
  .object({
    platform: z.literal('parley'),
    version: z.string(),
    base_url: z.string().meta({ description: 'For `base_url` of OpenAI clients.' }),
    answered_by: z.string().meta({ description: 'What answers chats.' }),
    docs_url: z.string(),
    openapi_url: z.string(),
    command_line: z.string().meta({ description: 'The command that manages this gateway on its machine.' }),
  })
  .meta({ id: 'Home' });

/** The data of `/`, for the JSON and the HTML response. */
export type Home = z.output<typeof home>;
