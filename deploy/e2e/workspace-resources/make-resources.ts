import { z } from 'zod';
import { settled } from '../harness/assets.ts';
import { ask, said } from '../harness/chat.ts';
import { type Gateway } from '../harness/parley.ts';
import { createProject } from '../harness/projects.ts';
import { onlyAccount, type Tenant } from '../harness/tenant.ts';
import { addToProject, attach, type LocalFile } from '../harness/upload.ts';
import { type Ids, type Operation } from './operations.ts';

/** Sends a word that no other user may read. */
export const SECRET_FILE: LocalFile = { name: 'heliotrope.txt', bytes: Buffer.from('The code word is heliotrope.\n'), type: 'text/plain' };

const answered = z.looseObject({ assets: z.array(z.looseObject({ id: z.uuid() })).min(1) });
const NOTHING = { project: '00000000-0000-7000-8000-000000000000', source: 'none', asset: '00000000-0000-7000-8000-000000000000' };

/** Makes what an operation is about in a workspace; the asset of a retry has failed. */
export async function makeResources({ id, on }: Operation, gateway: Gateway, tenant: Tenant): Promise<Ids> {
  const account = onlyAccount(tenant).connectionId;
  if (on === 'workspace') return { ...NOTHING, account };
  if (on === 'project') return { ...NOTHING, ...(await makeProject(gateway, tenant)), account };
  const asset = id === 'retryAsset' ? await makeFailedAsset(gateway, tenant) : (await makeAttachment(gateway, tenant)).asset;
  return { ...NOTHING, asset, account };
}

/** A project with a file in it. */
export async function makeProject(gateway: Gateway, { apiKey: key }: Tenant, name = `Heliotrope ${Date.now()} ${Math.random()}`) {
  const { id: project, slug } = await createProject({ gateway, key }, { name, instructions: 'say heliotrope' });
  const { id: source } = await addToProject({ gateway, key }, project, SECRET_FILE);
  return { project, slug, source };
}

/** A file in a new conversation. */
export async function makeAttachment(gateway: Gateway, { apiKey: key }: Tenant) {
  const { conversation } = said(await ask(gateway, { key }));
  const { asset_id: asset, file_id: file } = await attach({ gateway, key }, conversation, SECRET_FILE);
  return { conversation, asset, file };
}

/** An asset whose upstream had nothing when it was fetched. */
export async function makeFailedAsset(gateway: Gateway, tenant: Tenant): Promise<string> {
  const key = tenant.apiKey;
  await onlyAccount(tenant).order({ fault: 'artifact_missing' });
  const { assets } = answered.parse((await ask(gateway, { key, say: 'draw a red circle' })).json);
  const { id, status } = await settled({ gateway, key }, assets[0]?.id ?? '');
  if (status !== 'failed') throw new Error(`the asset is ${status}`);
  return id;
}
