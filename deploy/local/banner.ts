import { relative } from 'node:path';
import { type Parley } from './composition/start-parley.ts';

/** The text that `npm start` shows once the gateway answers; `isPreset`: the API key comes from PARLEY_API_KEY. */
export function banner({ url, setupLink, newApiKey, dataDir, logFile }: Parley, isPreset: boolean): string {
  const known = isPreset ? 'as set in PARLEY_API_KEY' : 'shown at the first start (create another: npx parley keys create)';
  const chat = '{"model":"auto","messages":[{"role":"user","content":"Hello!"}]}';
  const first = setupLink
    ? `\n  First      open ${setupLink}\n             to become the owner (24 hours, one use; another: npx parley users setup-link);\n             the page comes with the console, until then docs/people.md has the call\n`
    : '';
  return `
Parley is ready.
${first}
  Base URL   ${url}/v1
  API key    ${newApiKey ? `${newApiKey}   (shown only now: keep it)` : known}
  Answers    the sandbox, until you add a connection. It is a program with fixed commands, not a language model
  API docs   ${url}/docs-public
  Manage     npx parley --help   (connections, keys, status)
  Data       ${dataDir}
  Log        ${relative(dataDir, logFile)} in that folder

Try it:
  curl ${url}/v1/chat/completions -H "Authorization: Bearer ${newApiKey ?? '$PARLEY_API_KEY'}" -H "Content-Type: application/json" -d '${chat}'

Ctrl-C stops everything.
`;
}
