import { config } from 'zod/mini';

// The policy of the page forbids code from text, which Zod would try.
config({ jitless: true });
