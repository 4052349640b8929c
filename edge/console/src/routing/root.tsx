import { type QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router';
import { NotFound } from '../shell/not-found.tsx';

/** What loaders of all routes can use. */
export interface RouterContext {
  queries: QueryClient;
}

export const rootRoute = createRootRouteWithContext<RouterContext>()({ component: Outlet, notFoundComponent: NotFound });
