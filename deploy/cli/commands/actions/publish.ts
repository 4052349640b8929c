import { Command } from 'commander';
import { type CliContext } from '../../context.ts';
import { action } from '../../gateway/answers.ts';
import { readDocument, type Servers } from './read-document.ts';
import { serverOption } from './server-option.ts';

/** `parley actions publish`. */
export function publishAction(context: CliContext): Command {
  return new Command('publish')
    .description('Publish a document as what new runs of its action run')
    .argument('<file>', 'an Arazzo document, YAML or JSON, with its OpenAPI documents beside it')
    .addOption(serverOption())
    .action(async (file: string, { server = {} }: { server?: Servers }) => {
      const body = await readDocument(file, server);
      const gateway = await context.gateway();
      const published = await gateway.call('POST', '/admin/v1/actions', action, { body });
      const { slug, version, status } = published;
      context.print(published, () => `Published ${slug}, version ${version}${status === 'active' ? '' : ` (${status})`}.`);
    });
}
