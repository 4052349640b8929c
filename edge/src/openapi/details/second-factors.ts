import { type DetailsByOperationId } from './details.ts';
import { PEOPLE_DETAILS } from './people.ts';
import { SAMPLE } from './samples.ts';

const CODES = ['kq7m-2xtb-93wd-hvpe', 'r4ns-zc6j-8fya-m5gu'];
const STRONG = { ...(PEOPLE_DETAILS['getCurrentSession']?.response as object), is_strong: true };
const ADDED = { session: STRONG, recovery_codes: CODES };
const PASSKEY = { id: SAMPLE.key, name: 'Phone', transports: ['internal', 'hybrid'], created_at: SAMPLE.time, last_used_at: null };
const TOKEN = 'f3Qk0a7mZc1Yx9LrT2uVwB5nH8sJdE4gP6oKiM-_tXA';
const CHALLENGE = 'nVgJ1q0H3r5sYt7uWx9zBc2dEf4gHj6kLm8nPq0rSt1';
const NAMED = { id: 'sN3uFv8Qe1mT', rawId: 'sN3uFv8Qe1mT', type: 'public-key' };
const CLIENT_DATA = 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0';
const ASSERTION = {
  ...NAMED,
  response: {
    clientDataJSON: CLIENT_DATA,
    authenticatorData: 'SZYN5YgOjGh0NBcP',
    signature: 'MEUCIQDk3b',
    userHandle: 'AaKzxB8FfB2bfg86bVwuFQ',
  },
};
const REGISTRATION = {
  ...NAMED,
  response: { clientDataJSON: CLIENT_DATA, attestationObject: 'o2NmbXRkbm9uZQ', transports: ['internal', 'hybrid'] },
};

/** Descriptions and examples of the operations on second factors and passkeys. */
export const SECOND_FACTOR_DETAILS: DetailsByOperationId = {
  getSecondFactors: {
    description: 'What you have as a second factor, how many recovery codes are left, and whether an admin demands a second factor.',
    response: { totp: { confirmed_at: SAMPLE.time }, passkeys: 1, recovery_codes: 9, is_required: false },
  },
  verifySecondFactor: {
    description:
      'Shows a second factor in an open session. It has shown two factors from then on, and may change them for ten minutes; its cookie and CSRF token are new.',
    request: { code: '492039' },
    response: STRONG,
  },
  createTotp: {
    description:
      'Makes the secret of an authenticator app (TOTP, RFC 6238: SHA-1, six digits, 30 seconds) and shows it once. It counts when its first code is confirmed; an app that you have already counts until then. Who has a second factor must have shown it within ten minutes.',
    response: {
      secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      uri: 'otpauth://totp/Parley:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Parley',
    },
  },
  confirmTotp: {
    description:
      'Confirms the app with a code of it. The session has shown two factors from then on, with a new cookie and CSRF token. With the first second factor you get ten recovery codes, shown once, and your other sessions end.',
    request: { code: '492039' },
    response: ADDED,
  },
  deleteTotp: {
    description:
      'Removes the app. The second factor must have been shown within ten minutes; where one is demanded, the last one cannot be removed. Recovery codes end with the last one.',
  },
  createRecoveryCodes: {
    description:
      'Makes ten new recovery codes and shows them once; the old ones end. The second factor must have been shown within ten minutes.',
    response: { recovery_codes: CODES },
  },
  listPasskeys: { description: 'Your passkeys, at most 20, oldest first.', response: [PASSKEY] },
  createPasskeyOptions: {
    description:
      'What `navigator.credentials.create` needs. Browsers have passkeys over HTTPS at a host name, or on `localhost`. Who has a second factor must have shown it within ten minutes.',
    response: { token: TOKEN, options: { challenge: CHALLENGE, rp: { name: 'Parley', id: 'localhost' } } },
  },
  createPasskey: {
    description:
      'Adds the passkey that the browser has made. The session has shown two factors from then on, with a new cookie and CSRF token. With the first second factor you get ten recovery codes, shown once, and your other sessions end.',
    request: { token: TOKEN, name: 'Phone', response: REGISTRATION },
    response: { ...ADDED, passkey: PASSKEY },
  },
  updatePasskey: {
    description: 'Renames a passkey of yours.',
    request: { name: 'Old phone' },
    response: { ...PASSKEY, name: 'Old phone' },
  },
  deletePasskey: {
    description:
      'Removes a passkey of yours; it is refused from then on. The second factor must have been shown within ten minutes; where one is demanded, the last one cannot be removed.',
  },
  createSignInOptions: {
    description:
      'What `navigator.credentials.get` needs: to sign in with a passkey alone, to show one as the second factor of a sign-in, or to show one again. The challenge is answered once, within five minutes, and in the session that asked for it.',
    response: { token: TOKEN, options: { challenge: CHALLENGE, rpId: 'localhost', userVerification: 'required' } },
  },
  signInWithPasskey: {
    description:
      'Signs in with a passkey alone. That is two factors: the authenticator has verified the person. Every passkey that is not accepted gets the same answer.',
    request: { token: TOKEN, response: ASSERTION },
    response: { ...STRONG, method: 'passkey' },
  },
  signInWithSecondFactor: {
    description:
      'Ends a sign-in that was answered with `second_factor_required`: its token with one of a code of the app, a recovery code, and a passkey. A code of the app counts 30 seconds before and after its time and once; a recovery code counts once. Five wrong answers use the token up, and wrong codes delay the account.',
    request: { token: TOKEN, code: '492039' },
    response: STRONG,
  },
  deleteSecondFactors: {
    description:
      'Removes the authenticator app, the passkeys and the recovery codes of a user who has lost them, and ends the sessions of the user. The password still counts; where a second factor is demanded, the next sign-in only opens its set-up.',
  },
};
