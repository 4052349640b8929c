import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { StaticContent } from '../static-content.ts';
import { SWAGGER_UI_START_SCRIPT } from './start-script.ts';

/** One year: the name of an asset changes with its content. */
const FOR_GOOD = 'public, max-age=31536000, immutable';
const TYPES = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' } as const;

/** The files of the interactive view, by the names under which they are served. */
export interface SwaggerUiFiles {
  readonly byName: ReadonlyMap<string, StaticContent>;
  readonly style: string;
  readonly scripts: readonly string[];
}

let assets: SwaggerUiFiles | undefined;

/** Returns the files of the view from the installed package; reads them on the first call. */
export function getSwaggerUiFiles(): SwaggerUiFiles {
  return (assets ??= load());
}

function load(): SwaggerUiFiles {
  const byName = new Map<string, StaticContent>();
  const add = (name: string, ending: keyof typeof TYPES, content: string | Buffer): string => {
    const headers = { 'cache-control': FOR_GOOD, 'x-content-type-options': 'nosniff' };
    const asset = new StaticContent(content, TYPES[ending], headers);
    const full = `${name}-${asset.hash}.${ending}`;
    byName.set(full, asset);
    return full;
  };
  const { resolve } = createRequire(import.meta.url);
  const fromPackage = (file: string) => readFileSync(resolve(`swagger-ui-dist/${file}`));
  const style = add('swagger-ui', 'css', fromPackage('swagger-ui.css'));
  const scripts = [add('swagger-ui', 'js', fromPackage('swagger-ui-bundle.js')), add('start', 'js', SWAGGER_UI_START_SCRIPT)];
  return { byName, style, scripts };
}
