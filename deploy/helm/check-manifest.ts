import { type Manifest } from './chart.ts';

/** A class of kubernetes-models. `validate` of its instances throws what an API server would refuse. */
export interface KubernetesModel {
  readonly prototype: { validate(): void };
}

/** Fields whose schemas allow anything, so that no validator reads them. */
const ANYTHING = /^\/metadata\/(labels|annotations)\/|^\/(apiVersion|kind)$/;

/**
 * What an object has against the schema of its kind: broken rules, and fields that the schema does not know, which an API server would drop
 * without a word. The validators are compiled code that reads every field it knows, so a field that was not read is not known.
 */
export function checkManifest(model: KubernetesModel, manifest: Manifest): string[] {
  const read = new Set<string>();
  const problems: string[] = [];
  try {
    // Not made by the constructor, which copies, and so reads, every field.
    const instance = Object.assign(Object.create(model.prototype) as KubernetesModel['prototype'], manifest);
    (watched(instance, '', read) as typeof instance).validate();
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  }
  const unknown = leaves(manifest, '').filter((path) => !read.has(path) && !ANYTHING.test(path));
  return [...problems, ...unknown.map((path) => `${path} is not a field of ${manifest.kind}`)];
}

/** The same value, which notes the paths that are read of it. */
function watched(value: unknown, path: string, read: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get: (target, key, receiver) => {
      const field: unknown = Reflect.get(target, key, receiver);
      if (typeof key !== 'string' || !Object.hasOwn(target, key)) return field;
      read.add(`${path}/${key}`);
      return watched(field, `${path}/${key}`, read);
    },
  });
}

/** Paths of all fields. */
function leaves(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, field]) => [`${path}/${key}`, ...leaves(field, `${path}/${key}`)]);
}
