import chromium from '@sparticuz/chromium';
import { type Browser, chromium as launcher } from 'playwright-core';

/** Starts a Chromium without a window: the one of the dev dependency, or the one that PARLEY_CHROMIUM names. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env['PARLEY_CHROMIUM'] ?? (await chromium.executablePath());
  // Its own sandbox needs rights that containers and root do not have.
  return launcher.launch({ executablePath, args: [...chromium.args, '--no-sandbox', '--disable-dev-shm-usage'] });
}
