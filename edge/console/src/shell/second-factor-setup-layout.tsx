import { Outlet } from '@tanstack/react-router';
import { Suspense } from 'react';
import { Announcements } from '../ui/announcements.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { AccountMenu } from './account-menu.tsx';
import { IdleSignOut } from './idle-sign-out.tsx';

/** The layout for a user who must set up a second factor: only the account is accessible. */
export function SecondFactorSetupLayout() {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex items-center justify-between gap-2 border-b bg-surface px-4 py-2">
        <span className="text-lg font-semibold">Parley</span>
        <div className="max-w-60">
          <AccountMenu />
        </div>
      </header>
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-4xl flex-1 p-4 outline-none md:p-6">
        <Suspense fallback={<Skeleton />}>
          <Outlet />
        </Suspense>
      </main>
      <IdleSignOut />
      <Announcements />
    </div>
  );
}
