import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../../routing/root.tsx';

const errorsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'errors',
}).lazy(() => import('./routes/errors.tsx').then(({ Route }) => Route));

/** The screens of the feature. */
export const errorsRoutes = [errorsRoute] as const;
