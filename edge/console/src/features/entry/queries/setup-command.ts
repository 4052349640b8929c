/** Makes a link for the first owner, on the machine of the gateway. */
export const SETUP_COMMAND = 'npx parley users setup-link';
