/** The version of this software, and of the API as its descriptions report it. */
export const VERSION = '0.9.0';
