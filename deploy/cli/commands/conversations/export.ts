import { Command, Option } from 'commander';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type CliContext } from '../../cli-context.ts';
import { CliError, usageError } from '../../cli-error.ts';
import { type GatewayClient } from '../../gateway/client.ts';
import { listKeysToActFor } from '../../gateway/resolve-resources.ts';
import { conversationExportSchema, type ConversationExport } from '../../gateway/response-schemas.ts';
import { workspaceOption } from '../../input/workspace-option.ts';
import { toMarkdown } from './markdown.ts';

interface ExportOptions {
  format: 'json' | 'markdown' | 'both';
  out: string;
  key?: string;
  workspace?: string;
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** `parley conversations export`: files that only their owner may read, for they hold what was said. */
export function exportConversation(context: CliContext): Command {
  return new Command('export')
    .description('Write a conversation to files, as JSON and as Markdown')
    .argument('<id>', 'its id')
    .addOption(new Option('--format <format>', 'what to write').choices(['json', 'markdown', 'both']).default('both'))
    .option('--out <folder>', 'where to write <id>.json and <id>.md', '.')
    .option('--key <key>', 'id or prefix of a key that may read it (default: the keys of the workspace are tried)')
    .addOption(workspaceOption())
    .action(async (given: string, { format, out, key, workspace }: ExportOptions) => {
      if (!ID.test(given)) throw usageError('the id of a conversation is a UUID');
      const id = given.toLowerCase();
      const exported = await fetchExport(await context.gateway(), id, { key, workspace });
      const folder = resolve(context.environment.cwd, out);
      const texts = {
        ...(format !== 'markdown' && { [`${id}.json`]: `${JSON.stringify(exported, undefined, 2)}\n` }),
        ...(format !== 'json' && { [`${id}.md`]: toMarkdown(exported) }),
      };
      const files = await writeFiles(folder, texts);
      context.print({ id, messages: exported.messages.length, files }, () => files.map((file) => `Wrote ${file}`).join('\n'));
    });
}

/** The operator reads for a key that may: the first one that is not refused. */
async function fetchExport(
  gateway: GatewayClient,
  id: string,
  { key, workspace }: Pick<ExportOptions, 'key' | 'workspace'>,
): Promise<ConversationExport> {
  const path = `/admin/v1/conversations/${id}/export`;
  const keys = await listKeysToActFor(gateway, key, workspace);
  for (const { id: keyId } of keys) {
    try {
      return await gateway.call('GET', path, conversationExportSchema, { query: { key_id: keyId } });
    } catch (error) {
      if (keys.length === 1 || !(error instanceof CliError) || error.code !== 'CONVERSATION_ACCESS_DENIED') throw error;
    }
  }
  throw new CliError('no key of the workspace may read this conversation; name the workspace or the key', {
    code: 'CONVERSATION_ACCESS_DENIED',
  });
}

async function writeFiles(folder: string, texts: Readonly<Record<string, string>>): Promise<string[]> {
  try {
    await mkdir(folder, { recursive: true });
    const files = Object.entries(texts).map(([name, text]) => ({ file: join(folder, name), text }));
    for (const { file, text } of files) await writeFile(file, text, { mode: 0o600 });
    return files.map(({ file }) => file);
  } catch (error) {
    throw new CliError(`cannot write to ${folder} (${(error as NodeJS.ErrnoException).code})`, { code: 'CANNOT_WRITE', cause: error });
  }
}
