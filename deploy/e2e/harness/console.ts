import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import { type Browser, type BrowserContext, type Locator, type Page } from 'playwright-core';
import { openBrowser } from '../../local/testing/browser.ts';
import { type Gateway } from './parley.ts';
import { type Person } from './person.ts';

/** How the console is looked at. */
interface View {
  /** Without it the browser has no session. */
  person?: Person;
  /** @default 'light' */
  theme?: 'light' | 'dark';
  /** @default 1280 × 800 */
  size?: { width: number; height: number };
  /** @default 'en' */
  language?: 'en' | 'zh';
  /** The name under which the gateway is reached: browsers have passkeys for names only. @default '127.0.0.1' */
  host?: 'localhost';
  /** Origins besides that of the gateway that the page may lead to. @default none */
  visits?: readonly string[];
}

/** The console in a browser. */
export interface ConsolePage {
  page: Page;
  context: BrowserContext;
  /** Goes to a screen: `/keys` is that of the workspace, where one is given. */
  go: (path: string, workspaceId?: string) => Promise<void>;
}

/** Time a page may take on a busy machine. */
const PAGE_MS = 60_000;
/** More than any screen has controls. */
const MOST_STOPS = 60;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Opens a Chromium before the first test of the block that this is called in, and closes it behind the last. A test fails that leaves an error of the
 * console's own or a break of its policy behind.
 */
export function inConsole(gateway: () => Gateway): (view?: View) => Promise<ConsolePage> {
  let browser: Browser | undefined;
  const opened: BrowserContext[] = [];
  const errors: string[] = [];
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => browser?.close());
  afterEach(async () => {
    for (const context of opened.splice(0)) await context.close();
    expect(errors.splice(0)).toEqual([]);
  });
  return async ({ person, theme = 'light', size = { width: 1280, height: 800 }, language = 'en', host, visits = [] } = {}) => {
    if (!browser) throw new Error('there is no browser');
    const url = gateway().url.replace('127.0.0.1', host ?? '127.0.0.1');
    const origins = [url, ...visits];
    const context = await browser.newContext({ colorScheme: theme, viewport: size, locale: language, acceptDownloads: true });
    opened.push(context);
    context.setDefaultTimeout(PAGE_MS);
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url });
    if (person) await signInto(context, url, person);
    const page = await context.newPage();
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => {
      // A refusal that a test asks for is also reported by the network.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) errors.push(message.text());
    });
    page.on('request', (request) => {
      if (!/^(blob|data):/.test(request.url()) && !origins.includes(new URL(request.url()).origin)) errors.push(`asked ${request.url()}`);
    });
    const go = async (path: string, workspaceId?: string) => {
      await page.goto(`${url}/console${workspaceId === undefined ? '' : `/w/${workspaceId}`}${path}`);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
    };
    return { page, context, go };
  };
}

async function signInto(context: BrowserContext, url: string, { cookie }: Person): Promise<void> {
  await context.addCookies([{ name: 'parley_session', value: cookie.slice(cookie.indexOf('=') + 1), url, httpOnly: true }]);
}

/** Goes to a control with the Tab key alone. Throws when no press of a whole round leads to it. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor();
  for (let press = 0; press < MOST_STOPS; press++) {
    if ((await control.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the keyboard does not reach ${String(control)}`);
}

/** Expects what a page shows a moment after what it follows. Fails with what is shown instead when that does not come. */
export async function expectToBecome<T>(read: () => Promise<T>, expected: T): Promise<void> {
  await waitFor(async () => isDeepStrictEqual(await read(), expected)).catch(() => undefined);
  expect(await read()).toEqual(expected);
}

interface Violation {
  id: string;
  nodes: { html: string; failureSummary?: string }[];
}

/** Expects that axe finds nothing on what is shown, in both themes. https://github.com/dequelabs/axe-core */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate(axe);
    const violations = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: { run: (options: object) => Promise<{ violations: Violation[] }> } };
      return (await axe.run({ resultTypes: ['violations'] })).violations;
    });
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${colorScheme} ${id}: ${html} ${failureSummary ?? ''}`),
    );
    expect(found).toEqual([]);
  }
}
