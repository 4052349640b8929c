import { relative } from 'node:path';
import { type RunningGateway } from './composition/start-parley.ts';

/** Returns the text that `npm start` shows once the gateway is ready; `isPreset`: the API key comes from PARLEY_API_KEY. */
export function formatBanner({ url, setupLink, newApiKey, dataDir, logFile }: RunningGateway, isPreset: boolean): string {
  const known = isPreset ? 'as set in PARLEY_API_KEY' : 'shown at the first start (create another: npx parley keys create)';
  const chat = '{"model":"auto","messages":[{"role":"user","content":"Hello!"}]}';
  const owner =
    '\n             opens with an email and a password of yours, and makes you the owner (24 hours, one use;\n             another link: npx parley users setup-link)';
  return `
Parley is ready.

  Console    ${setupLink ? setupLink + owner : `${url}/console/`}

  API key    ${newApiKey ? `${newApiKey}   (shown only now: keep it)` : known}
  Base URL   ${url}/v1
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
