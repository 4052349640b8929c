// `npm run screenshots [screen …]`: pictures of every screen of the console, into docs/console. Needs a build. It starts a gateway of its own on a
// temporary data folder, and makes by its API what the pictures show.
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import chromium from '@sparticuz/chromium';
import { chromium as launcher } from 'playwright-core';

/** Every screen: its name, its address below `/console` with places for ids, and whether nobody is signed in there. */
const SCREENS = [
  { name: 'sign-in', path: '/sign-in', isOpen: true },
  { name: 'setup', path: '/setup', isOpen: true },
  { name: 'home', path: '/w/{workspace}' },
  { name: 'playground', path: '/w/{workspace}/playground?conversation={conversation}' },
  { name: 'conversations', path: '/w/{workspace}/conversations' },
  { name: 'conversation', path: '/w/{workspace}/conversations/{conversation}' },
  { name: 'projects', path: '/w/{workspace}/projects' },
  { name: 'project', path: '/w/{workspace}/projects/{project}' },
  { name: 'connections', path: '/w/{workspace}/connections' },
  { name: 'connection', path: '/w/{workspace}/connections/{connection}' },
  { name: 'keys', path: '/w/{workspace}/keys' },
  { name: 'usage', path: '/w/{workspace}/usage' },
  { name: 'requests', path: '/w/{workspace}/requests' },
  { name: 'request', path: '/w/{workspace}/requests/{request}' },
  { name: 'audio', path: '/w/{workspace}/audio?tab=voices' },
  { name: 'audio-jobs', path: '/w/{workspace}/audio?tab=jobs' },
  { name: 'actions', path: '/w/{workspace}/actions' },
  { name: 'action', path: '/w/{workspace}/actions/{action}' },
  { name: 'people', path: '/w/{workspace}/people' },
  { name: 'settings', path: '/w/{workspace}/settings' },
  { name: 'route-profiles', path: '/w/{workspace}/settings?tab=route-profiles' },
  { name: 'account', path: '/account' },
  { name: 'errors', path: '/errors', isOpen: true },
];
const VIEWS = [
  { suffix: 'light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { suffix: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { suffix: 'phone', colorScheme: 'light', viewport: { width: 375, height: 812 } },
];
const WORKSPACE = '01900000-0000-7000-8000-000000000001';
const OWNER = { email: 'ada@example.com', password: 'correct horse battery staple', display_name: 'Ada' };
const QUESTIONS = [
  'Plan a week in Lisbon',
  'What does this invoice say?',
  'Explain event sourcing to a new colleague',
  'Draft a polite reminder',
];
const START_MS = 120_000;
const PAGE_MS = 60_000;
const MOST_BYTES = 4_000_000;
/** Meant for functions that open one page and end. */
const UNLIKE_A_BROWSER = ['--single-process', '--no-zygote', '--disable-web-security', '--disable-site-isolation-trials'];

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'docs/console');
const wanted = process.argv.slice(2);
const screens = SCREENS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));

const dataDir = mkdtempSync(join(tmpdir(), 'parley-screenshots-'));
// PostgreSQL, which does not run as root, has to reach its folder.
chmodSync(dataDir, 0o755);
let gateway;
try {
  await photograph();
} finally {
  await stopGateway();
  rmSync(dataDir, { recursive: true, force: true });
}
const bytes = readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
console.log(`${screens.length * VIEWS.length} pictures; ${folder} has ${(bytes / 1e6).toFixed(1)} MB`);
if (bytes > MOST_BYTES) {
  console.error(`that is more than ${MOST_BYTES / 1e6} MB`);
  process.exitCode = 1;
}

/** Makes what is to be seen, and the pictures of it. */
async function photograph() {
  const { url, setupToken, apiKey } = await startGateway();
  const owner = await makeOwner(url, setupToken);
  const ids = await makeThings(owner, apiKey);
  const browser = await openBrowser();
  try {
    mkdirSync(folder, { recursive: true });
    for (const { suffix, ...view } of VIEWS) {
      const signedIn = await openView(browser, { ...view, storageState: owner.state });
      const signedOut = await openView(browser, view);
      for (const { name, path, isOpen = false } of screens) {
        const address = `${url}/console${filled(path, ids)}`;
        await picture(isOpen ? signedOut : signedIn, address, join(folder, `${name}-${suffix}.png`));
      }
      await signedIn.close();
      await signedOut.close();
    }
  } finally {
    await browser.close();
  }
}

/** Starts a gateway, and waits until it says where it is. */
function startGateway() {
  // One port that is free, and no engine that is fetched: nothing is transcribed here.
  const env = { ...process.env, PARLEY_DATA_DIR: dataDir, PARLEY_PORT: '0', PARLEY_POCKETSPHINX: 'none' };
  gateway = spawn(process.execPath, [join(root, 'deploy/bin/start.mjs')], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    let said = '';
    const late = setTimeout(() => gateway.kill('SIGTERM'), START_MS);
    gateway.on('exit', () => reject(new Error(`the gateway did not start:\n${said}`)));
    gateway.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
      if (!said.includes('Ctrl-C')) return;
      clearTimeout(late);
      const [, at, token] = /open (\S+)\/console\/setup#(\S+)/.exec(said) ?? [];
      const [key] = /gmk_live_\w+/.exec(said) ?? [];
      resolve({ url: at, setupToken: token, apiKey: key });
    });
  });
}

function stopGateway() {
  return new Promise((resolve) => {
    if (!gateway || gateway.exitCode !== null || gateway.signalCode !== null) return resolve();
    gateway.removeAllListeners('exit');
    gateway.once('exit', resolve);
    gateway.kill('SIGTERM');
  });
}

async function openBrowser() {
  const executablePath = process.env['PARLEY_CHROMIUM'] ?? (await chromium.executablePath());
  const args = chromium.args.filter((arg) => !UNLIKE_A_BROWSER.includes(arg));
  return launcher.launch({ executablePath, args: [...args, '--no-sandbox', '--disable-dev-shm-usage'] });
}

async function openView(browser, view) {
  const context = await browser.newContext({ ...view, locale: 'en', reducedMotion: 'reduce' });
  context.setDefaultTimeout(PAGE_MS);
  return context;
}

/** The first owner, with what a page of theirs sends. */
async function makeOwner(url, token) {
  const first = await fetch(`${url}/me/v1/setup`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ token, ...OWNER }),
  });
  if (!first.ok) throw new Error(`the owner was refused: ${await first.text()}`);
  const [, name, value] = /^([^=]+)=([^;]+)/.exec(first.headers.getSetCookie()[0] ?? '') ?? [];
  const { csrf_token: csrf } = await first.json();
  const headers = { origin: url, cookie: `${name}=${value}`, 'x-csrf-token': csrf, 'x-service-workspace': WORKSPACE };
  const send = async (method, path, data, more = {}) => {
    const body = data && { body: JSON.stringify(data) };
    const reply = await fetch(url + path, {
      method,
      headers: { ...headers, ...(data && { 'content-type': 'application/json' }), ...more },
      ...body,
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${text}`);
    return { json: text === '' ? undefined : JSON.parse(text), headers: reply.headers };
  };
  const { json } = await send('POST', '/me/v1/admin-token');
  const bearer = { authorization: `Bearer ${json.access_token}` };
  const cookie = { name, value, httpOnly: true, sameSite: 'Lax', expires: -1 };
  const state = { cookies: [{ ...cookie, domain: new URL(url).hostname, path: '/', secure: false }], origins: [] };
  return { send, sendAdmin: (method, path, data) => send(method, path, data, bearer), state };
}

/** What is in the pictures; answers the ids of what has a screen of its own. */
async function makeThings({ send, sendAdmin }, apiKey) {
  const ids = { workspace: WORKSPACE };
  const withKey = { authorization: `Bearer ${apiKey}` };
  for (const content of QUESTIONS) {
    const said = await send('POST', '/me/v1/chat/completions', { model: 'auto', messages: [{ role: 'user', content }] });
    ids.conversation = said.headers.get('x-service-conversation-id');
    ids.request = said.headers.get('x-request-id');
  }
  await send('POST', '/v1/chat/completions', { model: 'auto', messages: [{ role: 'user', content: QUESTIONS[0] }] }, withKey);
  ids.project = (await send('POST', '/me/v1/projects', { name: 'Travel', instructions: 'Answer briefly, with prices in euros.' })).json.id;
  for (const name of ['Backend', 'Notebook'])
    await send('POST', `/me/v1/workspaces/${WORKSPACE}/keys`, { name, scopes: ['chat', 'conversations'] });
  ids.connection = (await sendAdmin('GET', `/admin/v1/connections?workspace_id=${WORKSPACE}`)).json[0].id;
  ids.action = (await sendAdmin('GET', '/admin/v1/actions')).json[0]?.slug;
  await sendAdmin('PUT', `/admin/v1/route-profiles/careful?workspace_id=${WORKSPACE}`, { account_labels: ['sandbox-b', 'sandbox-a'] });
  await sendAdmin('PUT', `/admin/v1/internal-projects/support?workspace_id=${WORKSPACE}`, { name: 'Support' });
  await sendAdmin('POST', '/admin/v1/workspaces', { name: 'Research', quotas: { tokens: '2000000 per 1 day' } });
  const invitation = { email: 'grace@example.com', workspace_id: WORKSPACE, workspace_role: 'member' };
  await sendAdmin('POST', '/admin/v1/invitations', invitation);
  for (const voice of ['slt', 'rms']) {
    const { json } = await send('POST', '/me/v1/audio/generations', { input: QUESTIONS.join('. '), voice });
    await ended(send, json.id);
  }
  return ids;
}

async function ended(send, jobId) {
  for (;;) {
    const { json } = await send('GET', `/me/v1/audio/generations/${jobId}`);
    if (['completed', 'failed', 'cancelled'].includes(json.status)) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function filled(path, ids) {
  return path.replaceAll(/\{(\w+)\}/g, (_place, name) => encodeURIComponent(ids[name]));
}

/** Opens a page and keeps what it shows once everything is read. */
async function picture(context, address, file) {
  const page = await context.newPage();
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
  await page.screenshot({ path: file, scale: 'css', animations: 'disabled' });
  await page.close();
}
