import { Operator } from './operator.ts';
import { type Gateway } from './parley.ts';

/** What is said of an action of one step, which writes down the input `text`. */
export interface SmallAction {
  slug: string;
  /** Fields of the document. */
  says?: Record<string, unknown>;
  /** Fields of its step. */
  step?: Record<string, unknown>;
}

/** The Arazzo document of a small action; its runs may be given a file, which nothing reads. */
function documentOf({ slug, says, step }: SmallAction): Record<string, unknown> {
  const render = { stepId: 'render', operationId: 'render', requestBody: { payload: { text: '$inputs.text' } } };
  const inputs = { type: 'object', properties: { text: { type: 'string' }, file: { 'x-parley-asset': true } } };
  return {
    ...{ arazzo: '1.0.1', info: { title: 'Write it down', version: '1.0.0' }, 'x-parley-slug': slug, ...says },
    sourceDescriptions: [{ name: 'parley', url: 'parley:functions', type: 'openapi' }],
    workflows: [{ workflowId: slug, inputs, steps: [{ ...render, outputs: { text: '$response.body#/text' }, ...step }] }],
  };
}

/** Publishes a small action; again changes nothing. Throws when it is refused. */
export async function publishSmall(gateway: Gateway, action: SmallAction): Promise<void> {
  const { status, text } = await new Operator(() => gateway).call('POST', '/actions', { document: documentOf(action) });
  if (status !== 200) throw new Error(`${action.slug} was refused with ${status}: ${text}`);
}
