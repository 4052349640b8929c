import { Command } from 'commander';
import { z } from 'zod';
import { type CliContext } from '../../cli-context.ts';
import { CliError } from '../../cli-error.ts';
import { type GatewayClient } from '../../gateway/client.ts';
import { connectionPath, resolveConnection } from '../../gateway/resolve-resources.ts';
import { connectionRemovalSchema } from '../../gateway/response-schemas.ts';
import { workspaceOption } from '../../input/workspace-option.ts';

interface RemoveOptions {
  moveTo?: string;
  workspace?: string;
}

const EXAMPLES = `
Conversations move between connections whose providers keep none of them, and between two of the same account; projects and files go with them.
Without --move-to they can be read and not continued, until a connection is added under the same label with --take-back.

Examples:
  parley connections remove ollama
  parley connections remove ollama --move-to vllm`;

/** `parley connections remove`: deletes a connection and its secret, and reports what became of its conversations. */
export function removeConnection(context: CliContext): Command {
  return new Command('remove')
    .description('Disconnect an account and forget its secret')
    .argument('<connection>', 'its label or id')
    .option('--move-to <label>', 'the connection that takes over its conversations')
    .addOption(workspaceOption())
    .addHelpText('after', EXAMPLES)
    .action(async (name: string, { moveTo, workspace }: RemoveOptions) => {
      const gateway = await context.gateway();
      const { id, label } = await findRemoved(gateway, name, workspace);
      const query = { workspace_id: workspace, move_to: moveTo };
      const { conversations, moved } = await gateway.call('DELETE', connectionPath({ id }), connectionRemovalSchema, { query });
      context.print({ id, label, removed: true, conversations, moved }, () => {
        if (conversations === 0) return `Removed ${label}. It had no conversations.`;
        if (moveTo !== undefined) return `Removed ${label}. ${moved} of its ${conversations} conversations go on with ${moveTo}.`;
        return `Removed ${label}. Its ${conversations} conversations can be read, and not continued; see --take-back of connections add.`;
      });
    });
}

/** By its id also one that is gone: its removal may have been cut off, and is repeated. */
async function findRemoved(gateway: GatewayClient, name: string, workspace: string | undefined): Promise<{ id: string; label: string }> {
  return resolveConnection(gateway, name, workspace).catch((error: unknown) => {
    if (error instanceof CliError && error.code === 'CONNECTION_NOT_FOUND' && z.uuid().safeParse(name).success)
      return { id: name, label: name };
    throw error;
  });
}
