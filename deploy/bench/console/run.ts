import { openBrowser } from '../../local/testing/browser.ts';
import { type Rig } from '../run/rig.ts';
import { parleySingle } from '../targets/parley-single.ts';
import { fillConsole } from './fill.ts';
import { type ConsoleOptions } from './options.ts';
import { Looker } from './page.ts';
import { type ConsoleResults, type FirstScreen, type Interaction } from './results.ts';
import { admitVisitor } from './visitor.ts';

type Measured = Pick<ConsoleResults, 'options' | 'browser' | 'firstScreens' | 'interactions'>;

/** Fills a gateway's database, then looks at its console in a browser. */
export async function runConsole(rig: Rig, options: ConsoleOptions, say: (line: string) => void): Promise<Measured> {
  const target = await rig.startTarget(parleySingle);
  const { databaseUrl, url } = target.running;
  if (databaseUrl === undefined) throw new Error(`${target.name} keeps no record`);
  const visitor = await admitVisitor(databaseUrl, url);
  const conversation = await fillConsole(databaseUrl, visitor, options, say);
  const browser = await openBrowser();
  try {
    const looker = new Looker(browser, url);
    const home = `/console/w/${visitor.workspaceId}`;
    say('console: first screens');
    const firstScreens: FirstScreen[] = [
      await looker.firstScreen('sign-in', '/console/sign-in', options.rounds),
      await looker.firstScreen('home', home, options.rounds, visitor),
    ];
    const interactions: Interaction[] = [];
    for (const [screen, path] of [
      ['keys', '/keys'],
      ['conversations', '/conversations'],
      ['connections', '/connections'],
      ['conversation', `/conversations/${conversation}`],
    ] as const) {
      say(`console: ${screen}`);
      interactions.push(...(await looker.interactions(screen, home + path, visitor, options.rounds)));
    }
    return { options, browser: `Chromium ${browser.version()}`, firstScreens, interactions };
  } finally {
    await browser.close();
  }
}
