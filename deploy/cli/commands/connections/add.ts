import { Command } from 'commander';
import { type CliContext } from '../../context.ts';
import { connection } from '../../gateway/answers.ts';
import { concurrency } from '../../input/concurrency.ts';
import { repeatable } from '../../input/repeatable.ts';
import { readSecret, type SecretOptions, withSecretOptions } from '../../input/secret-options.ts';
import { workspaceOption } from '../../input/workspace-option.ts';
import { facts } from '../../output/table.ts';

interface AddOptions extends SecretOptions {
  label: string;
  baseUrl?: string;
  account?: string;
  model?: string[];
  maxConcurrency?: number;
  default?: boolean;
  workspace?: string;
}

const EXAMPLE = `
Example:
  parley connections add openai --label official --api-key-stdin < key.txt
  parley connections add openai-compatible --label ollama --base-url http://localhost:11434/v1
  parley connections add openai-compatible --label vllm --base-url https://llm.example.com/v1 --api-key-stdin < key.txt
  parley connections add openai-speech --label voice --base-url http://localhost:8880/v1 --model tts-1
  parley connections add openai-transcription --label whisper --base-url http://localhost:8000/v1
  parley connections add http-api --label tickets --base-url https://tickets.example.com --account x-api-key --api-key-env TICKETS_KEY`;

/** `parley connections add`: the gateway asks the upstream first and stores nothing that does not work. */
export function addConnection(context: CliContext): Command {
  const command = new Command('add')
    .description('Connect an account')
    .argument('<provider>', 'openai, openai-compatible, openai-speech, openai-transcription, http-api or sandbox')
    .requiredOption('--label <label>', 'its name here: letters, digits, dots, dashes, underscores (required)')
    .option('--base-url <url>', 'where the upstream is; openai knows')
    .option(
      '--account <name>',
      'login name, for providers with accounts; for http-api the header that carries the key (default: a bearer token)',
    )
    .option('--model <name>', 'a model it offers; may be repeated (default: the upstream is asked)', repeatable)
    .option('--max-concurrency <number>', 'turns at once in each chat-routing process (default: as configured)', concurrency)
    .option('--default', 'make it the default account of the workspace, among those for the same purpose')
    .addOption(workspaceOption())
    .addHelpText('after', EXAMPLE);
  return withSecretOptions(command).action(async (provider: string, options: AddOptions) => {
    const secret = await readSecret(options, context.surroundings);
    const gateway = await context.gateway();
    const { label, baseUrl, account, model, maxConcurrency, workspace } = options;
    const body = {
      provider,
      label,
      base_url: baseUrl,
      account,
      models: model,
      max_concurrency: maxConcurrency,
      is_default: options.default,
      workspace_id: workspace,
      ...secret,
    };
    const added = await gateway.call('POST', '/admin/v1/connections', connection, { body });
    context.print(added, () =>
      facts([
        ['Connected', added.label],
        ['Id', added.id],
        ['Status', `${added.status}, ${added.health}`],
        ['Models', added.models.join(', ')],
      ]),
    );
  });
}
