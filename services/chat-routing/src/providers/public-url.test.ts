import { describe, expect, it } from '@jest/globals';
import { requirePublicUrl } from './public-url.ts';

const resolving =
  (...addresses: string[]) =>
  () =>
    Promise.resolve(addresses.map((address) => ({ address })));
const place = (url: string, ...addresses: string[]) => requirePublicUrl(url, false, resolving(...addresses));
const REFUSED = { condition: 'CONNECT_STEP_INVALID', param: 'base_url' };

describe('a base URL that a person types', () => {
  it.each(['https://api.example.com/v1', 'http://8.8.8.8:8080/v1', 'https://[2606:4700::1111]/'])('may be public: %s', async (url) => {
    await expect(place(url, '8.8.8.8', '2606:4700::1111')).resolves.toBeUndefined();
  });

  it.each([
    ...[
      'http://127.0.0.1:11434/v1',
      'http://localhost/',
      'http://2130706433/',
      'http://0x7f.1/',
      'http://10.0.0.1/',
      'http://169.254.169.254/',
    ],
    ...['http://[::1]/', 'http://[::ffff:127.0.0.1]/', 'http://metadata/', 'http://metadata.google.internal/', 'http://printer.local./'],
  ])('may not be private: %s', async (url) => {
    await expect(place(url, '8.8.8.8')).rejects.toMatchObject(REFUSED);
  });

  it.each([[['10.0.0.1']], [['8.8.8.8', '127.0.0.1']], [['::1']]])('may not resolve to %j', async (addresses) => {
    await expect(place('https://api.example.com/v1', ...addresses)).rejects.toMatchObject(REFUSED);
  });

  it('may be private for a person who may', async () => {
    await expect(requirePublicUrl('http://127.0.0.1:11434/v1', true)).resolves.toBeUndefined();
    await expect(requirePublicUrl('file:///etc/passwd', true)).rejects.toMatchObject(REFUSED);
  });

  it('may not resolve at the moment', async () => {
    const away = () => Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'EAI_AGAIN' }));
    await expect(requirePublicUrl('https://api.example.com/', false, away)).rejects.toMatchObject({ condition: 'PROVIDER_UNAVAILABLE' });
  });
});
