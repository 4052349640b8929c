import { config } from 'zod';

// The policy of the page forbids code from text, which Zod would try.
config({ jitless: true });
