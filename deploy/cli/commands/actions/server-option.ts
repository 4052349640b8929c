import { Option } from 'commander';
import { usageError } from '../../cli-error.ts';
import { type ServerOverrides } from './read-action-document.ts';

/** The option that says where an API is called, instead of what its OpenAPI document says. */
export function serverOption(): Option {
  return new Option('--server <name=url>', 'where the API of a source description is called; repeatable').argParser(collect);
}

function collect(text: string, before: ServerOverrides = {}): ServerOverrides {
  const at = text.indexOf('=');
  if (at < 1) throw usageError('--server looks like <name>=<url>');
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}
