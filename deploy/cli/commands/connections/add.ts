import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { type GatewayClient } from '../../gateway/client.ts';
import { connectionPath } from '../../gateway/resolve-resources.ts';
import { type Connection, type ConnectionTest, connectionTestSchema, createdConnectionSchema } from '../../gateway/response-schemas.ts';
import { collectValues } from '../../input/collect-values.ts';
import { parseConcurrency } from '../../input/concurrency.ts';
import { toModelFields, type ModelOptions, addModelOptions } from '../../input/model-options.ts';
import { readSecretFields, type SecretOptions, addSecretOptions } from '../../input/secret-options.ts';
import { workspaceOption } from '../../input/workspace-option.ts';
import { toConnectionFacts } from '../../output/format-connection.ts';
import { formatFacts } from '../../output/format-table.ts';

interface AddOptions extends SecretOptions, ModelOptions {
  label: string;
  baseUrl?: string;
  account?: string;
  model?: string[];
  maxConcurrency?: number;
  default?: boolean;
  takeBack?: boolean;
  workspace?: string;
}

const PROVIDERS =
  'anthropic, azure, bedrock, cohere, deepseek, google, google-vertex, groq, mistral, openai, xai, openai-compatible, openai-speech, elevenlabs, openai-transcription, http-api or sandbox';

const EXAMPLES = `
Examples:
  parley connections add openai --label official --api-key-stdin < key.txt
  parley connections add anthropic --label claude --api-key-stdin < key.txt
  parley connections add azure --label azure --account my-resource --model my-deployment --api-key-stdin < key.txt
  parley connections add bedrock --label aws --account eu-central-1 --model MODEL_ID --api-key-stdin < access-key-and-secret.txt
  parley connections add google-vertex --label vertex --account europe-west4 --model gemini-2.5-flash --api-key-stdin < service-account.json
  parley connections add openai-compatible --label ollama --base-url http://localhost:11434/v1
  parley connections add openai-compatible --label vllm --base-url https://llm.example.com/v1 --api-key-stdin < key.txt
  parley connections add openai-compatible --label groq --base-url https://llm.example.com/v1 --api-key-env KEY --alias fast=small --alias best=large
  parley connections add openai-compatible --label tuned --base-url http://localhost:8000/v1 --default-model large --pass temperature,top_p,seed
  parley connections add openai-compatible --label ollama --base-url http://localhost:11434/v1 --take-back
  parley connections add openai-speech --label voice --base-url http://localhost:8880/v1 --model tts-1
  parley connections add elevenlabs --label eleven --api-key-stdin < key.txt
  parley connections add openai-transcription --label whisper --base-url http://localhost:8000/v1
  parley connections add http-api --label tickets --base-url https://tickets.example.com --account x-api-key --api-key-env TICKETS_KEY`;

/** `parley connections add`: the gateway asks the upstream first and stores nothing that does not work. */
export function addConnection(context: CliContext): Command {
  const command = new Command('add')
    .description('Connect an account')
    .argument('<provider>', PROVIDERS)
    .requiredOption('--label <label>', 'its name here: letters, digits, dots, dashes, underscores (required)')
    .option(
      '--base-url <url>',
      'where the upstream is (default: where its provider has it; needed for openai-compatible, -speech, -transcription, http-api)',
    )
    .option(
      '--account <name>',
      'azure: the resource; bedrock: the region; google-vertex: location or project/location; http-api: the header that carries the key (default: a bearer token); sandbox: the login name',
    )
    .option('--model <name>', 'a model it offers; may be repeated (default: the upstream is asked)', collectValues)
    .option('--max-concurrency <number>', 'turns at once in each chat-routing process (default: as configured)', parseConcurrency)
    .option('--default', 'make it the default account of the workspace, among those for the same purpose')
    .option('--take-back', 'conversations of connections that were removed under this label go on with this one')
    .addOption(workspaceOption())
    .addHelpText('after', EXAMPLES);
  return addSecretOptions(addModelOptions(command)).action(async (provider: string, options: AddOptions) => {
    const secret = await readSecretFields(options, context.environment);
    const gateway = await context.gateway();
    const { label, baseUrl, account, model, maxConcurrency, takeBack, workspace } = options;
    const body = {
      provider,
      label,
      base_url: baseUrl,
      account,
      models: model,
      max_concurrency: maxConcurrency,
      is_default: options.default,
      ...toModelFields(options),
      take_back: takeBack,
      workspace_id: workspace,
      ...secret,
    };
    const created = await gateway.call('POST', '/admin/v1/connections', createdConnectionSchema, { body });
    const test = created.health === 'unknown' ? await testNamed(gateway, created, workspace) : undefined;
    const added = { ...created, ...test?.connection };
    context.print(added, () =>
      [
        ...(test?.ok === false ? [`${added.label} is stored, but does not work yet: ${test.message} [${test.code}]`] : []),
        formatFacts([['Connected', added.label], ['Id', added.id], ...toConnectionFacts(added)]),
        ...(added.conversations_taken > 0 ? [`${added.conversations_taken} conversations were taken back.`] : []),
        ...(added.conversations_left > 0 ? [leftBehind(added.label, added.conversations_left)] : []),
      ].join('\n'),
    );
  });
}

/** The gateway does not ask a server whose models are named: it may have no list of them. */
function testNamed(gateway: GatewayClient, created: Connection, workspace: string | undefined): Promise<ConnectionTest> {
  return gateway.call('POST', connectionPath(created, '/test'), connectionTestSchema, { query: { workspace_id: workspace } });
}

function leftBehind(label: string, conversations: number): string {
  return (
    `${conversations} conversations of a connection that was removed as ${label} cannot go on. ` +
    `To give them to this one, remove it and add it again with --take-back.`
  );
}
