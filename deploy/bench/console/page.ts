import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type Browser, type BrowserContext, type Page, type Response } from 'playwright-core';
import { type FirstScreen, type Interaction } from './results.ts';
import { type Visitor } from './visitor.ts';

const VIEW = { width: 1280, height: 800 };
/** What a screen may take before it counts as not shown. */
const SHOWN_MS = 120_000;
/** Without a request and a long task for so long, what was done is over. */
const QUIET_MS = 500;

/** What the page notes of itself: `notes.mjs`. */
const NOTES = fileURLToPath(new URL('../../../bench/console/notes.mjs', import.meta.url));
interface Notes {
  eventMs: number;
  taskMs: number;
}

/** A browser that looks at the console of one gateway. */
export class Looker {
  readonly #browser: Browser;
  readonly #url: string;

  constructor(browser: Browser, url: string) {
    this.#browser = browser;
    this.#url = url;
  }

  /** Opens a page of the console again and again with an empty cache. */
  async firstScreen(name: FirstScreen['page'], path: string, rounds: number, visitor?: Visitor): Promise<FirstScreen> {
    const shownMs: number[] = [];
    let scriptBytes = 0;
    for (let round = 0; round < rounds; round++) {
      const context = await this.#context(visitor);
      const page = await context.newPage();
      const scripts: Response[] = [];
      page.on('response', (response) => {
        if (response.request().resourceType() === 'script') scripts.push(response);
      });
      await page.goto(this.#url + path);
      shownMs.push(await shown(page));
      await quiet(page);
      scriptBytes = 0;
      for (const script of scripts) scriptBytes += gzipSync(await script.body()).length;
      await context.close();
    }
    return { page: name, scriptBytes, shownMs };
  }

  /** Does on a screen what people do on it, each on its own, as on a first visit, so many times. */
  async interactions(screen: string, path: string, visitor: Visitor, rounds: number): Promise<Interaction[]> {
    const all = INTERACTIONS.map(([interaction]): Interaction => ({ screen, interaction, isThere: true, eventMs: [], taskMs: [] }));
    for (let round = 0; round < rounds; round++) {
      for (const [at, visit] of (await this.#visit(path, visitor)).entries()) {
        const one = all[at];
        if (!one) continue;
        one.isThere &&= visit.isThere;
        one.eventMs.push(visit.eventMs);
        one.taskMs.push(visit.taskMs);
      }
    }
    return all;
  }

  /** Opens a page once and does everything on it, in the order of the interactions. */
  async #visit(path: string, visitor: Visitor): Promise<(Notes & { isThere: boolean })[]> {
    const context = await this.#context(visitor);
    const page = await context.newPage();
    await page.goto(this.#url + path);
    await shown(page);
    await quiet(page);
    const measured: (Notes & { isThere: boolean })[] = [];
    for (const [, act] of INTERACTIONS) {
      await page.evaluate('Object.assign(parleyNotes, { eventMs: 0, taskMs: 0 })');
      const isThere = await act(page);
      await quiet(page);
      const { eventMs, taskMs } = await page.evaluate<Notes>('({ eventMs: parleyNotes.eventMs, taskMs: parleyNotes.taskMs })');
      measured.push({ isThere, eventMs, taskMs });
    }
    await context.close();
    return measured;
  }

  async #context(visitor: Visitor | undefined): Promise<BrowserContext> {
    const context = await this.#browser.newContext({ viewport: VIEW, locale: 'en' });
    context.setDefaultTimeout(SHOWN_MS);
    await context.addInitScript({ path: NOTES });
    if (visitor) await context.addCookies([{ name: 'parley_session', value: visitor.session, url: this.#url, httpOnly: true }]);
    return context;
  }
}

/** The interactions in the order in which they are done: what leads away comes last. Each says whether the screen offers it. */
const INTERACTIONS: readonly (readonly [Interaction['interaction'], (page: Page) => Promise<boolean>])[] = [
  ['scroll', scroll],
  ['page on', pageOn],
  ['sort', sort],
  ['search', search],
  ['open', open],
];

async function scroll(page: Page): Promise<boolean> {
  const box = await page.locator('main').boundingBox();
  if (!box) return false;
  await page.mouse.move(box.x + box.width / 2, box.y + Math.min(box.height, VIEW.height) * 0.7);
  for (let turn = 0; turn < 20; turn++) await page.mouse.wheel(0, 600);
  return true;
}

async function pageOn(page: Page): Promise<boolean> {
  return click(page, 'main button:text-is("Show more")');
}

async function sort(page: Page): Promise<boolean> {
  return click(page, 'main [role=columnheader] button');
}

async function search(page: Page): Promise<boolean> {
  const box = page.locator('main input[type=search], main [role=search] input, main input[aria-label*="earch"]').first();
  if ((await box.count()) === 0) return false;
  await box.pressSequentially('willow', { delay: 30 });
  return true;
}

async function open(page: Page): Promise<boolean> {
  const before = page.url();
  // A row leads to what it is about; on the screen of one thing, its second view.
  for (const place of [
    'main [role=row] a',
    'main article a',
    'main [role=row][tabindex] button',
    'main li a',
    'main [role=tab] >> nth=1',
  ]) {
    if (await click(page, place)) return page.url() !== before || (await page.getByRole('dialog').count()) > 0 || place.includes('tab');
  }
  return false;
}

async function click(page: Page, place: string): Promise<boolean> {
  const found = page.locator(place).first();
  if ((await found.count()) === 0) return false;
  await found.click();
  return true;
}

/** Milliseconds from the beginning of the navigation until the screen was there. */
async function shown(page: Page): Promise<number> {
  // Playwright's own waits evaluate text in the page, which its policy forbids.
  return page.evaluate<number>(`parleyNotes.shown(${SHOWN_MS})`);
}

/** Waits until the page has had nothing to do for a while. */
async function quiet(page: Page): Promise<void> {
  await page.evaluate(`parleyNotes.quiet(${QUIET_MS})`);
}
