import { describe, expect, it } from '@jest/globals';
import { translateGatewayText } from './translate-gateway-text.ts';

const WORDS = { Code: '验证码', 'Enter the code that was sent to {}.': '请输入发送到 {} 的验证码。' };

describe('translateGatewayText', () => {
  it('translates texts to the language of the reader, with what differs in its place', () => {
    expect(translateGatewayText(WORDS, 'Code')).toBe('验证码');
    expect(translateGatewayText(WORDS, 'Enter the code that was sent to a$&@b.c.')).toBe('请输入发送到 a$&@b.c 的验证码。');
  });

  it('leaves texts as they are where they are not known', () => {
    expect(translateGatewayText(WORDS, 'Enter the code.')).toBe('Enter the code.');
    expect(translateGatewayText(WORDS, 'Codes')).toBe('Codes');
  });
});
