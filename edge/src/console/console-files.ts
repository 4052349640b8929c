import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StaticContent } from '../openapi/static-content.ts';

/** The output of `npm run build:console`; the path is the same from `src` and `dist`. */
const FOLDER = fileURLToPath(new URL('../../console/dist/', import.meta.url));
const PAGE = 'index.html';

/** One year: the name of an asset changes with its content. */
const FOR_GOOD = 'public, max-age=31536000, immutable';
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The built files of the console. */
export interface ConsoleFiles {
  /** The HTML page; `__NONCE__` is replaced by a new nonce for each response. */
  readonly page: string;
  /** The other files by their path below `/console/`. */
  readonly byPath: ReadonlyMap<string, StaticContent>;
}

let files: ConsoleFiles | undefined;

/** Returns the files; reads them on the first call. @throws Error of the file system when the console was not built */
export function loadConsoleFiles(): ConsoleFiles {
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
