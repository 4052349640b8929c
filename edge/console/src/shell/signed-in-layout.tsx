import { useSuspenseQuery } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { Menu as MenuIcon, Search, WifiOff, X } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLiveStream } from '../live/use-live-stream.ts';
import { findLastWorkspace } from '../session/last-workspace.ts';
import { ownWorkspacesQuery } from '../session/queries.ts';
import { redirectToSignIn } from '../session/sign-out.ts';
import { Announcements } from '../ui/announcements.tsx';
import { Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { AccountMenu } from './account-menu.tsx';
import { CommandPalette } from './command-palette.tsx';
import { IdleSignOut } from './idle-sign-out.tsx';
import { Navigation } from './navigation.tsx';
import { WorkspaceChoice } from './workspace-choice.tsx';

/** What is around every screen: navigation, the workspace, the person, and whether changes arrive. */
export function SignedInLayout() {
  const { t } = useTranslation();
  const [isNavigationOpen, setNavigationOpen] = useState(false);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const { data: workspaces } = useSuspenseQuery(ownWorkspacesQuery);
  const params = useParams({ strict: false });
  const workspaceId = params.workspaceId ?? findLastWorkspace(workspaces);
  const live = useLiveStream(() => redirectToSignIn('ended'));
  return (
    <div className="flex h-dvh flex-col md:flex-row">
      <a href="#main" className="sr-only z-60 rounded-md bg-raised p-2 focus:not-sr-only focus:absolute focus:top-2 focus:start-2">
        {t('skipToContent')}
      </a>
      <header className="flex items-center gap-2 border-b bg-surface px-3 py-2 md:hidden">
        <Button
          look="ghost"
          size="icon"
          aria-label={t(isNavigationOpen ? 'closeNavigation' : 'openNavigation')}
          aria-expanded={isNavigationOpen}
          onClick={() => setNavigationOpen(!isNavigationOpen)}
        >
          {isNavigationOpen ? <X className="size-5" aria-hidden /> : <MenuIcon className="size-5" aria-hidden />}
        </Button>
        <span className="font-semibold">Parley</span>
      </header>
      {/* Over the page on a phone, beside it elsewhere. */}
      <aside
        aria-label={t('sidebar')}
        className={clsx(
          'fixed inset-x-0 top-[3.3rem] bottom-0 z-30 flex-col gap-3 overflow-y-auto border-e bg-surface p-3 md:static md:flex md:w-60 md:shrink-0',
          isNavigationOpen ? 'flex' : 'hidden',
        )}
      >
        <span className="hidden px-2 text-lg font-semibold md:block">Parley</span>
        {workspaceId !== undefined && <WorkspaceChoice workspaceId={workspaceId} />}
        <Button className="justify-start text-muted" onClick={() => setPaletteOpen(true)} aria-keyshortcuts="Control+K Meta+K">
          <Search className="size-4" aria-hidden />
          {t('palette.open')}
          <kbd className="ms-auto text-xs">{t('palette.keys')}</kbd>
        </Button>
        {workspaceId !== undefined && <Navigation workspaceId={workspaceId} onFollow={() => setNavigationOpen(false)} />}
        <div className="mt-auto">
          <AccountMenu />
        </div>
      </aside>
      <main id="main" tabIndex={-1} className="flex min-h-0 min-w-0 flex-1 flex-col gap-4 overflow-y-auto p-4 outline-none md:p-6">
        {live === 'lost' && (
          <p role="status" className="flex items-center gap-2 rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">
            <WifiOff className="size-4" aria-hidden />
            {t('live.lost')}
          </p>
        )}
        <Suspense fallback={<Skeleton />}>
          <Outlet />
        </Suspense>
      </main>
      <CommandPalette workspaceId={workspaceId} isOpen={isPaletteOpen} onOpenChange={setPaletteOpen} />
      <IdleSignOut />
      <Announcements />
    </div>
  );
}
