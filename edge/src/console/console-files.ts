import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StaticContent } from '../openapi/static-content.ts';

/** What `npm run build:console` makes. The same place from the sources and from the build. */
const FOLDER = fileURLToPath(new URL('../../console/dist/', import.meta.url));
const PAGE = 'index.html';

/** A year: the name of an asset changes with its content. */
const FOR_GOOD = 'public, max-age=31536000, immutable';
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The console as it was built. */
export interface ConsoleFiles {
  /** The page, with `__NONCE__` where each answer has a nonce of its own. */
  readonly page: string;
  /** By their paths below `/console/`. */
  readonly byPath: ReadonlyMap<string, StaticContent>;
}

let files: ConsoleFiles | undefined;

/** Read on the first request. @throws Error of the file system where it was not built */
export function consoleFiles(): ConsoleFiles {
  return (files ??= { page: readFileSync(join(FOLDER, PAGE), 'utf8'), byPath: new Map(readAssets()) });
}

function* readAssets(): Iterable<[string, StaticContent]> {
  for (const entry of readdirSync(FOLDER, { recursive: true, withFileTypes: true })) {
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const file = join(entry.parentPath, entry.name);
    const path = file.slice(FOLDER.length).replaceAll('\\', '/');
    const cacheControl = path.startsWith('assets/') ? FOR_GOOD : 'no-cache';
    yield [path, new StaticContent(readFileSync(file), type, { 'cache-control': cacheControl, 'x-content-type-options': 'nosniff' })];
  }
}
