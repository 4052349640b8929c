import { Command } from 'commander';
import { resolve } from 'node:path';
import { type CliContext } from '../../cli-context.ts';
import { CliError } from '../../cli-error.ts';
import { type GatewayClient } from '../../gateway/client.ts';
import { resolveConnection, listKeysToActFor } from '../../gateway/resolve-resources.ts';
import { type ApiKey, createdConversationSchema } from '../../gateway/response-schemas.ts';
import { workspaceOption } from '../../input/workspace-option.ts';
import { formatFacts } from '../../output/format-table.ts';
import { readMessages } from './read-messages.ts';

interface ImportOptions {
  title?: string;
  account?: string;
  model?: string;
  key?: string;
  workspace?: string;
}

/** `parley conversations import`: a conversation that goes on where a file ends. */
export function importConversation(context: CliContext): Command {
  return new Command('import')
    .description('Create a conversation from a JSON file: an OpenAI-style array of messages, or an export')
    .argument('<file>', 'the file')
    .option('--title <title>', 'its title (default: that of the export, else made from the messages)')
    .option('--account <label>', 'label or id of the account it goes on with (default: the gateway chooses)')
    .option('--model <model>', 'the model it goes on with (default: auto)')
    .option('--key <key>', 'id or prefix of the key it will belong to (default: the only one of the workspace)')
    .addOption(workspaceOption())
    .action(async (path: string, { title, account, model, key, workspace }: ImportOptions) => {
      const file = await readMessages(resolve(context.environment.cwd, path));
      const gateway = await context.gateway();
      const owner = await ownerOf(gateway, key, workspace, context.environment.now());
      const connection = account === undefined ? undefined : await resolveConnection(gateway, account, owner.workspace_id);
      const body = {
        key_id: owner.id,
        title: title ?? file.title,
        upstream_account_id: connection?.id,
        model,
        messages: file.messages,
      };
      const created = await gateway.call('POST', '/admin/v1/conversations/import', createdConversationSchema, { body });
      context.print(created, () =>
        formatFacts([
          ['Imported', `${file.messages.length} messages`],
          ['Conversation', created.id],
          ['Title', created.title],
          ['Key', `${owner.prefix} (${owner.name})`],
        ]),
      );
    });
}

/** The key that the conversation will belong to. @throws CliError when that is not clear */
async function ownerOf(gateway: GatewayClient, name: string | undefined, workspace: string | undefined, now: number): Promise<ApiKey> {
  const keys = await listKeysToActFor(gateway, name, workspace);
  const isUsable = ({ revoked_at: revokedAt, expires_at: expiresAt }: ApiKey) =>
    revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now);
  const usable = name === undefined ? keys.filter(isUsable) : keys;
  const [only] = usable;
  if (only && usable.length === 1) return only;
  const reason = only ? 'the workspace has several keys' : 'the workspace has no key that can be used';
  throw new CliError(`${reason}; say with --key which one the conversation shall belong to (see: parley keys list)`, {
    code: only ? 'AMBIGUOUS_KEY' : 'KEY_NOT_FOUND',
  });
}
