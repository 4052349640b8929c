import { describe, expect, it } from '@jest/globals';
import { getBaseUrlForAccount, defaultBaseUrl } from './base-url.ts';

const regional = { baseUrl: (account: string) => `https://${account}.example.com` };

describe('the base URL of a connection', () => {
  it('is that of its provider, by its account where it depends on that', () => {
    expect(defaultBaseUrl({ baseUrl: 'https://api.example.com' }, 'eu')).toBe('https://api.example.com');
    expect(defaultBaseUrl(regional, 'eu')).toBe('https://eu.example.com');
    expect(defaultBaseUrl({}, 'eu')).toBe('');
  });

  it('changes with the account that it is derived from', () => {
    expect(getBaseUrlForAccount(regional, { account: 'eu', baseUrl: 'https://eu.example.com' }, 'us')).toBe('https://us.example.com');
  });

  it('stays where the operator named it, or where nothing moved', () => {
    expect(getBaseUrlForAccount(regional, { account: 'eu', baseUrl: 'https://proxy.example.com' }, 'us')).toBe('https://proxy.example.com');
    expect(getBaseUrlForAccount(regional, { account: 'eu', baseUrl: 'https://eu.example.com' }, 'eu')).toBe('https://eu.example.com');
  });

  it('stays where the account before named no region', () => {
    const strict = {
      baseUrl: () => {
        throw new Error('no place');
      },
    };
    expect(getBaseUrlForAccount(strict, { account: '', baseUrl: 'https://proxy.example.com' }, 'us')).toBe('https://proxy.example.com');
  });
});
