import { type ErrorCondition, GatewayError } from '@parley/protos/errors';

/** Error codes that occur before a request is written. */
const NOT_SENT: Readonly<Record<string, readonly [ErrorCondition, string]>> = {
  ECONNREFUSED: ['PROVIDER_UNAVAILABLE', 'nothing listens at the address of the provider'],
  ENOTFOUND: ['PROVIDER_UNAVAILABLE', 'the name of the provider does not resolve'],
  EAI_AGAIN: ['PROVIDER_UNAVAILABLE', 'the name of the provider does not resolve at the moment'],
  EHOSTUNREACH: ['PROVIDER_UNAVAILABLE', 'no network leads to the address of the provider'],
  ENETUNREACH: ['PROVIDER_UNAVAILABLE', 'no network leads to the address of the provider'],
  UND_ERR_CONNECT_TIMEOUT: ['PROVIDER_TIMEOUT', 'the provider could not be reached in time'],
};

/** Error codes of rejected certificates, which Node adopts from OpenSSL, and of failed handshakes. */
const TLS_ERRORS = /^ERR_(TLS|SSL)_|CERT|^UNABLE_TO_|^EPROTO$/;
/** Error codes of a handshake with a server that does not use TLS. */
const NO_TLS = new Set(['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'EPROTO']);

/** Converts a transport error to a coded one. `isStarted`: the request may have been written; when undefined, the error code decides. */
export function toTransportError(error: Error, isStarted?: boolean): GatewayError {
  const code = 'code' in error ? String(error.code) : '';
  const [condition, message, isCertain] = classify(error, code, isStarted);
  return new GatewayError(condition, message, { cause: error, upstream: { notSent: isStarted === undefined ? isCertain : !isStarted } });
}

function tlsMessage(code: string): string {
  if (NO_TLS.has(code)) return 'no TLS connection to the provider came about: it may speak http and not https at this address';
  return /CERT|^UNABLE_TO_|ALTNAME/.test(code)
    ? `no TLS connection to the provider came about: its certificate is not accepted (${code})`
    : 'no TLS connection to the provider came about';
}

function classify(error: Error, code: string, isStarted?: boolean): readonly [ErrorCondition, string, boolean] {
  const known = Object.hasOwn(NOT_SENT, code) ? NOT_SENT[code] : undefined;
  if (known) return [...known, true];
  if (code === 'ETIMEDOUT') return ['PROVIDER_TIMEOUT', 'the connection to the provider timed out', false];
  if (isStarted !== true && TLS_ERRORS.test(code)) return ['PROVIDER_UNAVAILABLE', tlsMessage(code), true];
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') return ['PROVIDER_TIMEOUT', 'the provider went silent', false];
  if (error.name === 'HTTPParserError' || code.startsWith('HPE_'))
    return ['PROVIDER_BAD_ANSWER', 'the provider did not answer in HTTP', false];
  const message =
    isStarted === false ? 'the connection to the provider broke off before the request was sent' : 'the connection to the provider failed';
  return ['PROVIDER_UNAVAILABLE', message, false];
}
