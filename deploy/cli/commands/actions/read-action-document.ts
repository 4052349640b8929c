import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { usageError } from '../../cli-error.ts';

/** Server URLs that replace those of the OpenAPI documents, by the name of the source description. */
export type ServerOverrides = Readonly<Record<string, string>>;

/** An action document with its sources, in the form that the gateway accepts. */
export interface LoadedActionDocument {
  document: object;
  sources: Record<string, object>;
}

const tree = z.record(z.string(), z.unknown());
const described = z.looseObject({ sourceDescriptions: z.array(z.looseObject({ name: z.string(), url: z.string() })).catch([]) });

/**
 * Reads an Arazzo document, JSON or YAML, and the OpenAPI documents that its source descriptions name as files beside it. Nothing is fetched: what is
 * elsewhere has to be saved first. @throws CliError with exit code 2 for what cannot be read
 */
export async function readActionDocument(path: string, servers: ServerOverrides): Promise<LoadedActionDocument> {
  const document = await readTree(path);
  const { sourceDescriptions } = described.parse(document);
  const files = sourceDescriptions.filter(({ url }) => !URL.canParse(url));
  const sources = await Promise.all(
    files.map(async ({ name, url }) => {
      const source = await readTree(resolve(dirname(path), url));
      return [name, Object.hasOwn(servers, name) ? { ...source, servers: [{ url: servers[name] }] } : source] as const;
    }),
  );
  return { document, sources: Object.fromEntries(sources) };
}

async function readTree(path: string): Promise<object> {
  const read = tree.safeParse(parsed(path, await readText(path)));
  if (!read.success) throw usageError(`${path} holds no object`);
  return read.data;
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw usageError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** JSON is YAML. */
function parsed(path: string, content: string): unknown {
  try {
    return parse(content);
  } catch {
    throw usageError(`${path} is neither YAML nor JSON`);
  }
}
