import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { CliError } from '../../cli-error.ts';
import { actionValidationSchema } from '../../gateway/response-schemas.ts';
import { readActionDocument, type ServerOverrides } from './read-action-document.ts';
import { serverOption } from './server-option.ts';

/** `parley actions validate`. */
export function validateAction(context: CliContext): Command {
  return new Command('validate')
    .description('Say what is wrong with a document of an action')
    .argument('<file>', 'an Arazzo document, YAML or JSON, with its OpenAPI documents beside it')
    .addOption(serverOption())
    .action(async (file: string, { server = {} }: { server?: ServerOverrides }) => {
      const body = await readActionDocument(file, server);
      const gateway = await context.gateway();
      const { valid, slug, findings } = await gateway.call('POST', '/admin/v1/actions/validate', actionValidationSchema, { body });
      const lines = findings.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
      context.print({ slug, valid, findings }, () => (valid ? `${file} is right: action ${slug}.` : lines.join('\n')));
      if (!valid)
        throw new CliError(`${file} has ${findings.length} finding${findings.length === 1 ? '' : 's'}`, { code: 'INVALID_DOCUMENT' });
    });
}
