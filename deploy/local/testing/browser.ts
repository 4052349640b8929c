import chromium from '@sparticuz/chromium';
import { type Browser, chromium as launcher } from 'playwright-core';

/** Options for functions that open one page and end: several contexts need separate processes, and pages the rules of a real browser. */
const UNLIKE_A_BROWSER = [
  '--single-process',
  '--no-zygote',
  '--disable-web-security',
  '--allow-running-insecure-content',
  '--disable-site-isolation-trials',
];
/** Options of an emulated GPU, which would use the CPU time of the page. */
const EMULATED_GPU = [
  '--ignore-gpu-blocklist',
  '--in-process-gpu',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
];

/** Starts a headless Chromium: that of the dev dependency, or the one in PARLEY_CHROMIUM. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env['PARLEY_CHROMIUM'] ?? (await chromium.executablePath());
  const args = chromium.args.filter((arg) => !UNLIKE_A_BROWSER.includes(arg) && !EMULATED_GPU.includes(arg));
  // Chromium's sandbox needs privileges that containers and root do not have.
  return launcher.launch({ executablePath, args: [...args, '--disable-gpu', '--no-sandbox', '--disable-dev-shm-usage'] });
}
