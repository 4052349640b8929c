import { type Gateway } from './parley.ts';

/** The values of a metric in every process of a gateway that reports it, whatever the labels. */
export async function scrape({ run }: Gateway, name: string): Promise<number[]> {
  const pages = await Promise.all(Object.values(run.metrics_urls).map(async (url) => (await fetch(url)).text()));
  const lines = pages.flatMap((page) => page.split('\n')).filter((line) => line.startsWith(name) && /[ {]/.test(line[name.length] ?? ''));
  return lines.map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)));
}
