import { createRoute } from '@tanstack/react-router';
import { z } from 'zod';
import { rootRoute } from '../../routing/root.tsx';

const errorsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'errors',
  validateSearch: z.object({ q: z.string().optional().catch(undefined) }),
}).lazy(() => import('./routes/errors.tsx').then(({ Route }) => Route));

/** The screens of the feature. */
export const errorsRoutes = [errorsRoute] as const;
