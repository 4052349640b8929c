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
/** A graphics card that the processor plays: what a page draws would take it from the page. */
const EMULATED_GPU = [
  '--ignore-gpu-blocklist',
  '--in-process-gpu',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
];

/** Starts a Chromium without a window: the one of the dev dependency, or the one that PARLEY_CHROMIUM names. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env['PARLEY_CHROMIUM'] ?? (await chromium.executablePath());
  const args = chromium.args.filter((arg) => !UNLIKE_A_BROWSER.includes(arg) && !EMULATED_GPU.includes(arg));
  // Its own sandbox needs rights that containers and root do not have.
  return launcher.launch({ executablePath, args: [...args, '--disable-gpu', '--no-sandbox', '--disable-dev-shm-usage'] });
}
