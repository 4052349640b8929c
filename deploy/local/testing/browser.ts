import chromium from '@sparticuz/chromium';
import { type Browser, chromium as launcher } from 'playwright-core';

/** Meant for functions that open one page and end: several contexts need processes of their own, and pages the rules of a real browser. */
const UNLIKE_A_BROWSER = [
  '--single-process',
  '--no-zygote',
  '--disable-web-security',
  '--allow-running-insecure-content',
  '--disable-site-isolation-trials',
];

/** Starts a Chromium without a window: the one of the dev dependency, or the one that PARLEY_CHROMIUM names. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env['PARLEY_CHROMIUM'] ?? (await chromium.executablePath());
  const args = chromium.args.filter((arg) => !UNLIKE_A_BROWSER.includes(arg));
  // Its own sandbox needs rights that containers and root do not have.
  return launcher.launch({ executablePath, args: [...args, '--no-sandbox', '--disable-dev-shm-usage'] });
}
