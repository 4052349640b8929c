/** The version of the API as its descriptions report it, and of this software. */
export const VERSION = '0.9.0';
