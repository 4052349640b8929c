import { createRoute } from '@tanstack/react-router';
import { z } from 'zod/mini';
import { rootRoute } from '../../routing/root.tsx';

const errorsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'errors',
  validateSearch: z.object({ q: z.catch(z.optional(z.string()), undefined) }),
}).lazy(() => import('./routes/errors.tsx').then(({ Route }) => Route));

/** The screens of the feature. */
export const errorsRoutes = [errorsRoute] as const;
