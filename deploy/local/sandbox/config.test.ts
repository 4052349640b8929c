import { describe, expect, it } from '@jest/globals';
import { readSandboxConfig } from './config.ts';

describe('readSandboxConfig', () => {
  it('reads the environment', () => {
    const accounts = [{ id: 'a', label: 'A', password: 'p', tier: 'pro' }];
    expect(
      readSandboxConfig({
        PATH: '/bin',
        PARLEY_SANDBOX_PORT: '4010',
        PARLEY_SANDBOX_HOST: '0.0.0.0',
        PARLEY_SANDBOX_DELAY_MS: '0',
        PARLEY_SANDBOX_CONTROL: '1',
        PARLEY_SANDBOX_ACCOUNTS: JSON.stringify(accounts),
      }),
    ).toMatchObject({ host: '0.0.0.0', port: 4010, delayMs: 0, control: true, accounts });
  });

  it('needs nothing, and takes an empty variable for none', () => {
    expect(readSandboxConfig({ PARLEY_SANDBOX_PORT: '' })).toMatchObject({ port: undefined, delayMs: undefined, control: false });
  });

  it.each([
    ['PARLEY_SANDBOX_PORT', '70000'],
    ['PARLEY_SANDBOX_DELAY_MS', 'slow'],
    ['PARLEY_SANDBOX_CONTROL', 'yes'],
    ['PARLEY_SANDBOX_ACCOUNTS', '[{"id":"a"}]'],
    ['PARLEY_SANDBOX_ACCOUNTS', 'ada'],
  ])('names the bad variable %s=%s in one line', (name, value) => {
    expect(() => readSandboxConfig({ [name]: value })).toThrow(new RegExp(`^${name}.*: .+$`));
  });
});
