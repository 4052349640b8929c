import chromium from '@sparticuz/chromium';
// `npm run screenshots [-- screen …]`: pictures of every screen of the console, into docs/console. It starts a gateway of its own on a temporary data
// folder, and makes by its API what the pictures show. With `-- --look FOLDER` they go there as PNG, with more views of each screen.
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium as launcher } from 'playwright-core';

/**
 * Every screen: its name, its address below `/console` with places for ids, whether it is shown without a session, and whether it is there only before
 * the gateway has an owner.
 */
const SCREENS = [
  { name: 'setup', path: '/setup#{setup}', isOpen: true, isFirst: true },
  { name: 'sign-in', path: '/sign-in', isOpen: true },
  { name: 'invitation', path: '/invitation#{invitation}', isOpen: true },
  { name: 'reset', path: '/reset#{reset}', isOpen: true },
  { name: 'home', path: '/w/{workspace}' },
  { name: 'playground', path: '/w/{workspace}/playground?conversation={drawing}' },
  { name: 'playground-code', path: '/w/{workspace}/playground?conversation={drawing}&panel=code' },
  { name: 'conversations', path: '/w/{workspace}/conversations' },
  { name: 'conversation', path: '/w/{workspace}/conversations/{drawing}' },
  { name: 'projects', path: '/w/{workspace}/projects' },
  { name: 'project', path: '/w/{workspace}/projects/{project}' },
  { name: 'connections', path: '/w/{workspace}/connections' },
  { name: 'connection', path: '/w/{workspace}/connections/{connection}' },
  { name: 'keys', path: '/w/{workspace}/keys' },
  { name: 'usage', path: '/w/{workspace}/usage?by=model&period=24h' },
  { name: 'requests', path: '/w/{workspace}/requests' },
  { name: 'request', path: '/w/{workspace}/requests/{request}' },
  { name: 'audio', path: '/w/{workspace}/audio' },
  { name: 'audio-voices', path: '/w/{workspace}/audio?tab=voices' },
  { name: 'audio-jobs', path: '/w/{workspace}/audio?tab=jobs' },
  { name: 'actions', path: '/w/{workspace}/actions' },
  { name: 'action', path: '/w/{workspace}/actions/{action}' },
  { name: 'action-run', path: '/w/{workspace}/actions/{action}/runs/{run}' },
  { name: 'action-editor', path: '/w/{workspace}/new-action' },
  { name: 'people', path: '/w/{workspace}/people' },
  { name: 'users', path: '/w/{workspace}/people?tab=users' },
  { name: 'audit-log', path: '/w/{workspace}/people?tab=audit&scope=gateway' },
  { name: 'settings', path: '/w/{workspace}/settings' },
  { name: 'route-profiles', path: '/w/{workspace}/settings?tab=route-profiles' },
  { name: 'limits', path: '/w/{workspace}/settings?tab=limits' },
  { name: 'about', path: '/w/{workspace}/settings?tab=about' },
  { name: 'account', path: '/account?tab=security' },
  { name: 'errors', path: '/errors', isOpen: true },
];
const DESK = { width: 1280, height: 800 };
const PHONE = { width: 375, height: 812 };
const VIEWS = [
  { suffix: 'light', colorScheme: 'light', viewport: DESK },
  { suffix: 'dark', colorScheme: 'dark', viewport: DESK },
  { suffix: 'phone', colorScheme: 'light', viewport: PHONE },
];
/** To look at, beside the others: a wide screen, Chinese, and the order of writing of Arabic and Hebrew. */
const MORE_VIEWS = [
  { suffix: 'wide', colorScheme: 'light', viewport: { width: 3840, height: 2160 } },
  { suffix: 'zh', colorScheme: 'light', viewport: DESK, locale: 'zh' },
  { suffix: 'rtl', colorScheme: 'light', viewport: DESK, isRightToLeft: true },
  { suffix: 'rtl-phone', colorScheme: 'dark', viewport: PHONE, isRightToLeft: true },
];
const WORKSPACE = '01900000-0000-7000-8000-000000000001';
const OWNER = { email: 'ada@example.com', password: 'correct horse battery staple', display_name: 'Ada' };
const QUESTIONS = [
  'Plan a week in Lisbon',
  'What does this invoice say?',
  'Explain event sourcing to a new colleague',
  'Draft a polite reminder',
];
const DRAWING = 'Draw a red circle and make a CSV of the planets';
const MEMBERS = [
  ['Grace Hopper', 'admin'],
  ['Alan Turing', 'member'],
  ['Katherine Johnson', 'viewer'],
];
/** How often each program asks. */
const ASKED = { Backend: 14, Notebook: 6 };
const START_MS = 120_000;
const PAGE_MS = 60_000;
const MOST_BYTES = 4_000_000;
/** Meant for functions that open one page and end. */
const UNLIKE_A_BROWSER = ['--single-process', '--no-zygote', '--disable-web-security', '--disable-site-isolation-trials'];

/** Of the compression: text stays sharp, and a picture has some ten kilobytes. */
const WEBP_QUALITY = 0.9;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values, positionals: wanted } = parseArgs({ options: { look: { type: 'string' } }, allowPositionals: true });
const folder = values.look ?? join(root, 'docs/console');
const views = values.look ? [...VIEWS, ...MORE_VIEWS] : VIEWS;
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
console.log(`${screens.length * views.length} pictures; ${folder} has ${(bytes / 1e6).toFixed(1)} MB`);
if (!values.look && bytes > MOST_BYTES) {
  console.error(`that is more than ${MOST_BYTES / 1e6} MB`);
  process.exitCode = 1;
}

/** Makes what is to be seen, and the pictures of it. */
async function photograph() {
  const { url, setupToken, apiKey } = await startGateway();
  mkdirSync(folder, { recursive: true });
  const browser = await openBrowser();
  try {
    await pictures(browser, { url, ids: { setup: setupToken }, wanted: screens.filter(({ isFirst }) => isFirst) });
    const owner = await makeOwner(url, setupToken);
    const ids = await makeThings(owner, apiKey);
    await pictures(browser, { url, ids, state: owner.state, wanted: screens.filter(({ isFirst }) => !isFirst) });
  } finally {
    await browser.close();
  }
}

/** Pictures of screens in every view; `state` is that of who is signed in. */
async function pictures(browser, { url, ids, state, wanted }) {
  const converter = await (await browser.newContext()).newPage();
  for (const { suffix, isRightToLeft = false, ...view } of views) {
    const signedIn = await openView(browser, { ...view, storageState: state }, isRightToLeft);
    const signedOut = await openView(browser, view, isRightToLeft);
    for (const { name, path, isOpen = false } of wanted) {
      const address = `${url}/console${filled(path, ids)}`;
      const png = await picture(isOpen ? signedOut : signedIn, address);
      if (values.look) writeFileSync(join(folder, `${name}-${suffix}.png`), png);
      else writeFileSync(join(folder, `${name}-${suffix}.webp`), await toWebp(converter, png));
    }
    await signedIn.close();
    await signedOut.close();
  }
  await converter.context().close();
}

/** Starts a gateway, and waits until it says where it is. */
function startGateway() {
  // One port that is free, no engine that is fetched, as nothing is transcribed here, and an upstream that fails on request.
  const env = { ...process.env, PARLEY_DATA_DIR: dataDir, PARLEY_PORT: '0', PARLEY_POCKETSPHINX: 'none', PARLEY_SANDBOX_CONTROL: '1' };
  gateway = spawn(process.execPath, [join(root, 'deploy/bin/start.mjs')], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    let said = '';
    const late = setTimeout(() => gateway.kill('SIGTERM'), START_MS);
    gateway.on('exit', () => reject(new Error(`the gateway did not start:\n${said}`)));
    gateway.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
      if (!said.includes('Ctrl-C')) return;
      clearTimeout(late);
      const [, at, token] = /(http\S+)\/console\/setup#(\S+)/.exec(said) ?? [];
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

async function openView(browser, view, isRightToLeft) {
  const context = await browser.newContext({ locale: 'en', reducedMotion: 'reduce', ...view });
  context.setDefaultTimeout(PAGE_MS);
  if (isRightToLeft)
    await context.addInitScript(() => document.addEventListener('readystatechange', () => (document.documentElement.dir = 'rtl')));
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
  const at = `workspace_id=${WORKSPACE}`;
  const ids = { workspace: WORKSPACE };
  ids.project = (await send('POST', '/me/v1/projects', { name: 'Travel', instructions: 'Answer briefly, with prices in euros.' })).json.id;
  for (const content of [...QUESTIONS, DRAWING]) ids.drawing = await chat(send, content);
  await sendAdmin('PUT', `/admin/v1/route-profiles/careful?${at}`, { account_labels: ['sandbox-b', 'sandbox-a'] });
  await sendAdmin('PUT', `/admin/v1/internal-projects/support?${at}`, { name: 'Support' });
  await sendAdmin('POST', '/admin/v1/workspaces', { name: 'Research', quotas: { tokens: '2000000 per 1 day' } });
  for (const [display_name, role] of MEMBERS) {
    const email = `${display_name.split(' ')[0].toLowerCase()}@example.com`;
    const { json } = await sendAdmin('POST', '/admin/v1/users', { display_name, email });
    await sendAdmin('PUT', `/admin/v1/workspaces/${WORKSPACE}/members/${json.id}`, { role });
    ids.reset ??= tokenOf(await sendAdmin('POST', `/admin/v1/users/${json.id}/reset-link`));
  }
  const invitation = { email: 'edsger@example.com', workspace_id: WORKSPACE, workspace_role: 'member' };
  ids.invitation = tokenOf(await sendAdmin('POST', '/admin/v1/invitations', invitation));
  for (const [name, times] of Object.entries(ASKED)) await askAs(send, name, times);
  ids.request = await failOver(send, sendAdmin, apiKey);
  ids.connection = (await sendAdmin('GET', `/admin/v1/connections?${at}`)).json[0].id;
  for (const voice of ['slt', 'rms']) {
    const { json } = await send('POST', '/me/v1/audio/generations', { input: QUESTIONS.join('. '), voice });
    await ended(send, `/me/v1/audio/generations/${json.id}`);
  }
  ids.action = 'open-ticket';
  const { json: run } = await send('POST', `/me/v1/actions/${ids.action}/runs`, { input: { title: 'The door is stuck' } });
  ids.run = run.id;
  await ended(send, `/me/v1/actions/${ids.action}/runs/${run.id}`);
  return ids;
}

/** The token of a one-time link in an answer. */
function tokenOf({ json }) {
  return new URL(json.url).hash.slice(1);
}

/** Says something in a conversation of the owner; answers its id. */
async function chat(send, content, headers) {
  const { headers: answered } = await send('POST', '/me/v1/chat/completions', turn(content), headers);
  return answered.get('x-service-conversation-id');
}

function turn(content, model = 'auto') {
  return { model, messages: [{ role: 'user', content }] };
}

/** Makes a key with a quota, and uses it some times. */
async function askAs(send, name, times) {
  const facts = { name, scopes: ['chat', 'conversations'], quotas: { requests: '16 per 1 day' } };
  const { json } = await send('POST', `/me/v1/workspaces/${WORKSPACE}/keys`, facts);
  const withKey = { authorization: `Bearer ${json.key}` };
  for (let asked = 0; asked < times; asked++) {
    await send('POST', '/v1/chat/completions', turn(QUESTIONS[asked % QUESTIONS.length], asked % 3 ? 'auto' : 'sandbox-mini'), withKey);
  }
}

/** A request whose first account fails before it answers; answers its id. */
async function failOver(send, sendAdmin, apiKey) {
  const { sandbox_control_url: control } = JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8'));
  for (const account of ['ada', 'bob']) {
    const order = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ fault: 'server_error' }) };
    await fetch(`${control}/control/accounts/${account}/faults`, order);
    const { headers } = await send('POST', '/v1/chat/completions', turn(QUESTIONS[0]), { authorization: `Bearer ${apiKey}` });
    await fetch(`${control}/control/accounts/${account}/faults`, { method: 'DELETE' });
    const id = headers.get('x-request-id');
    const { json } = await sendAdmin('GET', `/admin/v1/requests/${encodeURIComponent(id)}`);
    if (json.turns.some(({ attempts }) => attempts.length > 1)) return id;
  }
  throw new Error('no request went to a second account');
}

/** Waits until a job or a run has ended. */
async function ended(send, path) {
  for (;;) {
    const { json } = await send('GET', path);
    if (['completed', 'succeeded', 'failed', 'cancelled', 'needs_review'].includes(json.status)) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function filled(path, ids) {
  return path.replaceAll(/\{(\w+)\}/g, (_place, name) => encodeURIComponent(ids[name]));
}

/** Opens a page; answers what it shows once everything is read, as PNG. */
async function picture(context, address) {
  const page = await context.newPage();
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page
    .getByRole('status', { name: /^(Loading|正在加载)$/ })
    .first()
    .waitFor({ state: 'detached' });
  await page.waitForLoadState('networkidle');
  const png = await page.screenshot({ scale: 'css', animations: 'disabled' });
  await page.close();
  return png;
}

/** The same picture in a fifth of the bytes. */
async function toWebp(page, png) {
  const base64 = await page.evaluate(
    async ([data, quality]) => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
      const canvas = new OffscreenCanvas(image.width, image.height);
      canvas.getContext('2d').drawImage(image, 0, 0);
      const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/webp', quality })).arrayBuffer());
      return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    },
    [png.toString('base64'), WEBP_QUALITY],
  );
  return Buffer.from(base64, 'base64');
}
