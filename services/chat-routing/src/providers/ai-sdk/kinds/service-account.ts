import { GatewayError } from '@parley/protos/errors';
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';

/** A Google service account with its private key, as read from the downloaded key file. */
export interface ServiceAccount {
  email: string;
  key: KeyObject;
  keyId: string;
  project: string;
  tokenUrl: string;
}

const file = z.object({
  type: z.literal('service_account'),
  client_email: z.string().min(1),
  private_key: z.string().min(1),
  private_key_id: z.string().default(''),
  project_id: z.string().min(1),
  token_uri: z.url({ protocol: /^https?$/ }).default('https://oauth2.googleapis.com/token'),
});

/** Parses the JSON key file of a service account. Throws VALIDATION_ERROR, which names missing fields but never quotes the key. */
export function readServiceAccount(secret: string): ServiceAccount {
  const read = file.safeParse(parse(secret));
  if (!read.success) {
    const fields = [...new Set(read.error.issues.map(({ path }) => path.join('.')))].filter(Boolean).join(', ');
    throw invalid(`api_key must be the JSON key of a service account${fields && `; missing or wrong in it: ${fields}`}`);
  }
  const { client_email: email, private_key: pem, private_key_id: keyId, project_id: project, token_uri: tokenUrl } = read.data;
  return { email, key: privateKey(pem), keyId, project, tokenUrl };
}

function privateKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    // The cause is left out because it may quote the key.
    throw invalid('api_key must be the JSON key of a service account; its private_key cannot be read');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function invalid(message: string): GatewayError {
  return new GatewayError('VALIDATION_ERROR', message, { param: 'api_key' });
}
