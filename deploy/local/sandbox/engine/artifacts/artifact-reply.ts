import { formatCount } from '../thread.ts';
import { toArtifactLabel, type ArtifactLabel, type Recipe } from './recipe.ts';

/** Labels recipes with unique names: the second `circle.png` is `circle-2.png`. */
export function toUniqueLabels(recipes: readonly Recipe[]): (ArtifactLabel & { readonly recipe: Recipe })[] {
  const taken = new Map<string, number>();
  return recipes.map((recipe) => {
    const label = { ...toArtifactLabel(recipe), recipe };
    const count = (taken.get(label.name) ?? 0) + 1;
    taken.set(label.name, count);
    return count === 1 ? label : { ...label, name: label.name.replace(/(\.\w+)$/, `-${count}$1`) };
  });
}

/** Returns the placeholder of an artifact in a text: `[image: red-circle.png]`. */
export function toPlaceholder({ kind, name }: Pick<ArtifactLabel, 'kind' | 'name'>): string {
  return `[${kind}: ${name}]`;
}

/** Returns the reply to a message that ordered artifacts. */
export function toArtifactReply(labels: readonly ArtifactLabel[], capitals: boolean): string {
  const words = labels.length === 1 ? 'Here is what you asked for:' : `Here are the ${formatCount(labels.length, 'thing')} you asked for:`;
  return [capitals ? words.toUpperCase() : words, ...labels.map(toPlaceholder)].join('\n');
}
