import { type RunFacts } from '../results.ts';
import { type ConsoleOptions } from './options.ts';

/** The bounds that the console is held to. */
export const GOALS = { scriptBytes: 200 * 1024, firstScreenMs: 1000, interactionMs: 100 } as const;

/** What a page loads and how long it takes to show something, with an empty cache. */
export interface FirstScreen {
  page: 'sign-in' | 'home';
  /** Of every script that the page loads by itself, each compressed with gzip. */
  scriptBytes: number;
  /** From the beginning of the navigation to the heading with nothing left to load; one for each round. */
  shownMs: number[];
}

/** One thing that is done on a screen. */
export interface Interaction {
  screen: string;
  interaction: 'search' | 'sort' | 'scroll' | 'open' | 'page on';
  /** The screen offers it; what it does not offer is not measured. */
  isThere: boolean;
  /** The longest delay from an input to the next frame, of the Event Timing API; one for each round. https://www.w3.org/TR/event-timing/ */
  eventMs: number[];
  /** The longest task of the page meanwhile; 0 below 50 ms; one for each round. https://www.w3.org/TR/longtasks-1/ */
  taskMs: number[];
}

/** A whole run, as it is written to JSON. */
export interface ConsoleResults extends RunFacts {
  options: ConsoleOptions;
  browser: string;
  firstScreens: FirstScreen[];
  interactions: Interaction[];
}
