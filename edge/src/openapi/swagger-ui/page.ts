import { StaticContent } from '../static-content.ts';
import { getSwaggerUiFiles } from './files.ts';

/** Content security policy: only resources of this gateway are loaded and called; the style has its images as data URLs. */
const POLICY = [
  ["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'", "font-src 'self'"],
  ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
]
  .flat()
  .join('; ');

const HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

let page: StaticContent | undefined;

/** Returns the HTML page of the interactive view; created on the first call. */
export function getSwaggerUiPage(): StaticContent {
  return (page ??= new StaticContent(html(), 'text/html; charset=utf-8', HEADERS));
}

function html(): string {
  const { style, scripts } = getSwaggerUiFiles();
  const lines = [
    ...['<!doctype html>', '<html lang="en">', '<head>', '<meta charset="utf-8">'],
    ...[
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      '<title>Parley API</title>',
      '<link rel="icon" href="data:,">',
    ],
    ...[`<link rel="stylesheet" href="docs-public/${style}">`, '</head>', '<body>', '<div id="view"></div>'],
    ...['<noscript>This view needs scripts; the description is at <a href="openapi-public.json">openapi-public.json</a>.</noscript>'],
    ...[...scripts.map((name) => `<script src="docs-public/${name}"></script>`), '</body>', '</html>', ''],
  ];
  return lines.join('\n');
}
