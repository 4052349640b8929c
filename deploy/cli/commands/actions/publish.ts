import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { actionSchema } from '../../gateway/response-schemas.ts';
import { readActionDocument, type ServerOverrides } from './read-action-document.ts';
import { serverOption } from './server-option.ts';

/** `parley actions publish`. */
export function publishAction(context: CliContext): Command {
  return new Command('publish')
    .description('Publish a document as what new runs of its action run')
    .argument('<file>', 'an Arazzo document, YAML or JSON, with its OpenAPI documents beside it')
    .addOption(serverOption())
    .action(async (file: string, { server = {} }: { server?: ServerOverrides }) => {
      const body = await readActionDocument(file, server);
      const gateway = await context.gateway();
      const published = await gateway.call('POST', '/admin/v1/actions', actionSchema, { body });
      const { slug, version, status } = published;
      context.print(published, () => `Published ${slug}, version ${version}${status === 'active' ? '' : ` (${status})`}.`);
    });
}
