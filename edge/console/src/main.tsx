import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './app.css';
import './app/zod.ts';
import { createQueryClient } from './app/query-client.ts';
import { createConsoleRouter } from './app/router.tsx';
import { initI18n } from './i18n/i18n.ts';
import { redirectToSignIn } from './session/sign-out.ts';

// Libraries that add a style element give it the nonce of this answer.
setNonce(document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '');

const queries = createQueryClient(() => {
  // A screen that is being opened leads to the sign-in by itself.
  if (!router.state.isLoading) redirectToSignIn('ended');
});
const router = createConsoleRouter(queries);
const root = document.getElementById('root');

if (root) {
  await initI18n();
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
