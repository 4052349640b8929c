import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where a gateway runs that `npm run dev` shows. */
const GATEWAY = process.env['PARLEY_URL'] ?? 'http://127.0.0.1:8080';
const proxy = Object.fromEntries(
  ['/me', '/admin', '/v1', '/openapi'].map((path) => [path, { target: GATEWAY, changeOrigin: true, headers: { origin: GATEWAY } }]),
);

export default defineConfig({
  base: '/console/',
  plugins: [react(), tailwindcss()],
  // The edge puts a nonce of its own into each answer.
  html: { cspNonce: '__NONCE__' },
  // An import of types alone is no import: otherwise it would load what is meant to be loaded later.
  oxc: { typescript: { onlyRemoveTypeImports: false } },
  build: {
    target: 'es2023',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    // What the first load always needs is one file: it compresses better than the fifty that it would be.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'initial', tags: ['$initial'] }] } } },
  },
  server: { proxy },
});
