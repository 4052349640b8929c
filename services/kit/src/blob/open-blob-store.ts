import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type BlobStore } from './blob-store.ts';

/** Where blobs are stored: a local folder or an S3 bucket. */
export type BlobConfig =
  | { kind: 'folder'; path: string }
  | { kind: 's3'; bucket: string; region?: string; endpoint?: string; pathStyle?: boolean };

const EXPECTED = 'must be an absolute path, file:///path or s3://bucket?region=…&endpoint=…&path_style=true';

/** A configuration field: an absolute path, `file:///path`, or `s3://bucket` with optional `region`, `endpoint` and `path_style`. */
export const blobLocationField = z.string(EXPECTED).transform((value, context): BlobConfig => {
  const config = parse(value.trim());
  if (config) return config;
  context.addIssue({ code: 'custom', message: EXPECTED });
  return z.NEVER;
});

/** Opens the configured store. Loads the S3 client only when it is needed, as it is large. */
export async function openBlobStore(config: BlobConfig): Promise<BlobStore> {
  switch (config.kind) {
    case 'folder': {
      const { openLocalFolder } = await import('./local-folder.ts');
      return openLocalFolder(config.path);
    }
    case 's3': {
      const { openS3 } = await import('./s3.ts');
      return openS3(config);
    }
  }
}

function parse(value: string): BlobConfig | undefined {
  if (isAbsolute(value)) return { kind: 'folder', path: value };
  if (!URL.canParse(value)) return undefined;
  const url = new URL(value);
  if (url.protocol === 'file:' && url.host === '') return { kind: 'folder', path: fileURLToPath(url) };
  if (url.protocol !== 's3:' || url.host === '') return undefined;
  const [region, endpoint, pathStyle] = ['region', 'endpoint', 'path_style'].map((name) => url.searchParams.get(name) ?? undefined);
  if (endpoint !== undefined && !/^https?:\/\//.test(endpoint)) return undefined;
  return {
    kind: 's3',
    bucket: url.host,
    ...(region !== undefined && { region }),
    ...(endpoint !== undefined && { endpoint }),
    ...(pathStyle !== undefined && { pathStyle: pathStyle === 'true' }),
  };
}
