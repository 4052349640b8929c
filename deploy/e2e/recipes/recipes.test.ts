import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Operator } from '../harness/operator.ts';
import { oneHouse } from '../harness/one-house.ts';
import { type Parley } from '../harness/parley.ts';
import { ROOT } from '../harness/paths.ts';
import { makeTenant, onlyAccount } from '../harness/tenant.ts';
import { printed, readRecipe } from './read-recipe.ts';
import { runRecipe } from './run-recipe.ts';

/** A workspace with a chat account, something that speaks and something that transcribes; gives a key for all of it. */
async function makeReader(house: Parley): Promise<string> {
  const operator = new Operator(() => house);
  const tenant = await makeTenant(() => house);
  const { apiKey: api_key } = onlyAccount(tenant);
  const where = { workspace_id: tenant.workspaceId, base_url: `${house.run.sandbox_url}/v1`, api_key };
  await operator.connect({ provider: 'openai-speech', label: 'mouth', ...where });
  await operator.connect({ provider: 'openai-transcription', label: 'ears', ...where });
  const scopes = ['chat', 'conversations', 'audio'];
  return (await operator.createKey({ workspace_id: tenant.workspaceId, user_id: tenant.userId, scopes })).key;
}

describe('what the recipes tell their readers to do', () => {
  const house = oneHouse();

  it.each(['curl', 'openai-node', 'ai-sdk', 'langchain-js', 'openai-python', 'cursor'])('does what %s.md says', async (page) => {
    const steps = readRecipe(await readFile(join(ROOT, 'docs/recipes', `${page}.md`), 'utf8'));
    expect(steps).not.toEqual([]);
    const outputs = await runRecipe(steps, { PARLEY_URL: house().url, PARLEY_API_KEY: await makeReader(house()) });
    for (const [at, step] of steps.entries()) expect(outputs[at]?.trim()).toMatch(printed(step));
  });
});
