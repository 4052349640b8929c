import { describe, expect, it } from '@jest/globals';
import { requireSafeImageUrl } from './image-url.ts';

describe('requireSafeImageUrl', () => {
  it.each([
    'data:image/png;base64,iVBORw0KGgo=',
    `data:image/png;base64,${'A'.repeat(200_000)}==`,
    'https://images.example.com/a.png',
    'https://93.184.216.34/a.png',
    'https://[2606:2800:220:1:248:1893:25c8:1946]/a.png',
  ])('lets %s through', (url) => {
    expect(() => requireSafeImageUrl(url, 'p')).not.toThrow();
  });

  it.each([
    'http://images.example.com/a.png',
    'http://169.254.169.254/latest/meta-data',
    'https://169.254.169.254/latest/meta-data',
    'https://127.0.0.1/a.png',
    'https://2130706433/a.png',
    'https://0x7f.1/a.png',
    'https://10.1.2.3/',
    'https://172.31.255.255/',
    'https://192.168.0.1/',
    'https://100.64.0.1/',
    'https://0.0.0.0/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[fe80::1]/',
    'https://[fd00::1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[64:ff9b:1::a00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:0:7f00:1::]/',
    'https://[::7f00:1]/',
    'https://[::ffff:0:127.0.0.1]/',
    'https://[fec0::1]/',
    'https://[2001:db8::1]/',
    'https://[3fff::1]/',
    'https://[100::1]/',
    'https://192.0.2.1/',
    'https://198.51.100.1/',
    'https://203.0.113.1/',
    'https://192.88.99.1/',
    'https://127.0.0.1./',
    'https://localhost/',
    'https://api.localhost/',
    'https://printer.local/',
    'https://db.internal./',
    'https://intranet/',
    'https://user:password@images.example.com/a.png',
    'file:///etc/passwd',
    'ftp://example.com/a.png',
    'data:text/html;base64,PGI+',
    'data:image/png;base64,not base64!',
    'data:image/png;base64,',
    'data:image/png;base64,==',
    'data:image/png;base64,AAA=AAA=',
    `data:image/png;base64,${'A'.repeat(200_000)}!`,
    'not a url',
  ])('refuses %s and names the place', (url) => {
    expect(() => requireSafeImageUrl(url, 'messages.0.content.1.image_url.url')).toThrow(
      expect.objectContaining({ condition: 'INVALID_REQUEST', param: 'messages.0.content.1.image_url.url' }),
    );
  });
});
