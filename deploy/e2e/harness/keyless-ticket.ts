import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { Operator } from './operator.ts';
import { type Gateway } from './parley.ts';
import { ROOT } from './paths.ts';

const FOLDER = join(ROOT, 'docs', 'actions');
const IDEMPOTENCY = 'x-parley-idempotency';

const step = z.looseObject({ [IDEMPOTENCY]: z.string().optional() });
const arazzo = z.looseObject({ workflows: z.array(z.looseObject({ steps: z.array(step) })) });

/** Publishes `open-ticket` under another slug, without what lets its API tell a repeated write from a new one. Throws when it is refused. */
export async function publishKeylessTicket(gateway: Gateway): Promise<string> {
  const slug = 'open-ticket-without-key';
  const example = arazzo.parse(parse(await readFile(join(FOLDER, 'open-ticket.arazzo.yaml'), 'utf8')));
  const workflows = example.workflows.map(({ steps, ...workflow }) => ({
    ...workflow,
    steps: steps.map(({ [IDEMPOTENCY]: _key, ...rest }) => rest),
  }));
  const api = z.looseObject({}).parse(JSON.parse(await readFile(join(FOLDER, 'tickets.openapi.json'), 'utf8')));
  const sources = { tickets: { ...api, servers: [{ url: gateway.run.sandbox_url }] } };
  const document = { ...example, 'x-parley-slug': slug, workflows };
  const answer = await new Operator(() => gateway).call('POST', '/actions', { document, sources });
  if (answer.status >= 300) throw new Error(`the document was refused with ${answer.status}: ${answer.text}`);
  return slug;
}
