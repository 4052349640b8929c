import { createHash } from 'node:crypto';
import { type Home } from '../../wire/home.ts';

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem;color-scheme:light dark}code{overflow-wrap:anywhere}';

/** Content security policy of the page: nothing is loaded and no script runs; the style is allowed by its hash. */
export const HOME_CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Returns the HTML of the page at `/`. Links are relative, so that a proxy may serve it below a path. */
export function renderHomePage({ version, base_url, answered_by, command_line }: Home): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parley</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<h1>Parley ${escaped(version)}</h1>
<p>This gateway speaks the OpenAI API. ${escaped(answered_by)}</p>
<dl>
<dt>Base URL for clients</dt><dd><code>${escaped(base_url)}</code></dd>
<dt>Documentation</dt><dd><a href="docs-public">docs-public</a>, with requests to try; <a href="openapi-public.json">openapi-public.json</a></dd>
<dt>State</dt><dd><a href="readyz">readyz</a></dd>
<dt>Management, on the machine of the gateway</dt><dd><code>${escaped(command_line)} --help</code></dd>
</dl>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
