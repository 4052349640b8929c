import { type ParsedLocation, redirect } from '@tanstack/react-router';

/** Screens that a one-time link leads to. */
export type LinkPage = 'setup' | 'invitation' | 'reset';

// In memory only: not in the address, in storage or in a cache.
const kept = new Map<LinkPage, string>();

/**
 * Creates a `beforeLoad` that takes the token of a link out of the fragment of the address, which no server sees and no history keeps. The
 * screen has the token as `linkToken`, undefined when it was opened without a link.
 */
export function createLinkTokenLoader(page: LinkPage) {
  return ({ location }: { location: Pick<ParsedLocation, 'hash'> }): { linkToken: string | undefined } => {
    if (location.hash) {
      kept.set(page, location.hash);
      throw redirect({ to: `/${page}`, hash: '', replace: true });
    }
    return { linkToken: kept.get(page) };
  };
}

/** Deletes a token that was used. */
export function forgetToken(page: LinkPage): void {
  kept.delete(page);
}
