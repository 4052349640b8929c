import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ElevenLabsApi } from '../../../services/audio/test/elevenlabs-api.ts';
import { parleyCommand } from '../harness/cli.ts';
import { oneGateway } from '../harness/one-gateway.ts';
import { Operator } from '../harness/operator.ts';
import { type Gateway } from '../harness/parley.ts';
import { ROOT } from '../harness/paths.ts';
import { makeTenant, onlyAccount } from '../harness/tenant.ts';
import { printed, readRecipe } from './read-recipe.ts';
import { type Packages, runRecipe } from './run-recipe.ts';

/** A workspace with a chat account, something that speaks and something that transcribes; gives a key for all of it. */
async function makeReader(gateway: Gateway): Promise<string> {
  const operator = new Operator(() => gateway);
  const tenant = await makeTenant(() => gateway);
  const { apiKey: api_key } = onlyAccount(tenant);
  const where = { workspace_id: tenant.workspaceId, base_url: `${gateway.run.sandbox_url}/v1`, api_key };
  await operator.connect({ provider: 'openai-speech', label: 'mouth', ...where });
  await operator.connect({ provider: 'openai-transcription', label: 'ears', ...where });
  const scopes = ['chat', 'conversations', 'audio'];
  return (await operator.createKey({ workspace_id: tenant.workspaceId, user_id: tenant.userId, scopes })).key;
}

/** A workspace with nothing but an ElevenLabs account, and a key of it. */
async function makeElevenLabsReader(gateway: Gateway, { url }: ElevenLabsApi): Promise<string> {
  const operator = new Operator(() => gateway);
  const { workspaceId: workspace_id, userId: user_id } = await makeTenant(() => gateway, []);
  const where = ['--base-url', url, '--workspace', workspace_id];
  process.env['ELEVENLABS_API_KEY'] = 's';
  await parleyCommand(gateway, 'connections', 'add', 'elevenlabs', '--label', 'eleven', ...where, '--api-key-env', 'ELEVENLABS_API_KEY');
  return (await operator.createKey({ workspace_id, user_id, scopes: ['audio'] })).key;
}

describe('what the recipes tell their readers to do', () => {
  const gateway = oneGateway({ env: { PARLEY_EXAMPLE_ACTIONS: 'enabled' } });
  const elevenLabs = new ElevenLabsApi();
  beforeAll(() => elevenLabs.listen());
  afterAll(() => elevenLabs.close());

  /** Runs a page, and compares what it prints with what it says. */
  async function expectPage(page: string, key: string, packages?: Packages): Promise<void> {
    const steps = readRecipe(await readFile(join(ROOT, 'docs/recipes', `${page}.md`), 'utf8'));
    expect(steps).not.toEqual([]);
    const outputs = await runRecipe(steps, { PARLEY_URL: gateway().url, PARLEY_API_KEY: key }, { packages });
    for (const [at, step] of steps.entries()) expect(outputs[at]?.trim()).toMatch(printed(step));
  }

  // First: the gateway has the one workspace of a first start.
  it.each(['README.md', 'docs/actions/README.md', 'docs/cli.md', 'docs/control-plane.md', 'docs/operations.md'])(
    'does what %s says, at once after the first start',
    async (page) => {
      const { url, apiKey, operatorKey, dataDir } = gateway();
      const steps = readRecipe((await readFile(join(ROOT, page), 'utf8')).replaceAll('http://127.0.0.1:8080', url));
      expect(steps).not.toEqual([]);
      const environment = { PARLEY_URL: url, PARLEY_API_KEY: apiKey, PARLEY_OPERATOR_KEY: operatorKey };
      const outputs = await runRecipe(steps, environment, { links: { docs: join(ROOT, 'docs'), '.parley': dataDir } });
      for (const [at, step] of steps.entries()) if (step.prints !== undefined) expect(outputs[at]?.trim()).toMatch(printed(step));
    },
  );

  it.each(['curl', 'openai-node', 'ai-sdk', 'langchain-js', 'openai-python', 'cursor'])('does what %s.md says', async (page) =>
    expectPage(page, await makeReader(gateway())),
  );

  // They ask for Node 22, and run on 20 as far as the pages use them.
  it.each<[string, Packages]>([
    ['openai-node', { openai: 'openai-latest' }],
    ['ai-sdk', { ai: 'ai-latest', '@ai-sdk/openai-compatible': 'ai-sdk-openai-compatible-latest' }],
  ])('does what %s.md says with the latest major version of the client', async (page, packages) =>
    expectPage(page, await makeReader(gateway()), packages),
  );

  it.each(['README.md', 'docs/actions/README.md', 'docs/cli.md', 'docs/control-plane.md', 'docs/operations.md', 'docs/providers.md'])(
    'gives a reason for what it does not run of %s',
    async (page) => {
      const fences = (await readFile(join(ROOT, page), 'utf8')).match(/^```(?:sh|js) .*$/gm) ?? [];
      for (const fence of fences) expect(fence).toMatch(/^```(?:sh|js) not-run: \w/);
    },
  );

  it('does what elevenlabs.md says', async () => expectPage('elevenlabs', await makeElevenLabsReader(gateway(), elevenLabs)));
});
