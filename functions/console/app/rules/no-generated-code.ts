import * as z from 'zod';

// Zod would make code from texts, which the page forbids. Schemas read this when they are made.
z.config({ jitless: true });
