/**
 * Types are imported as `import { type X } from './x.ts'`. Packages are an exception: with `verbatimModuleSyntax` that form still loads the
 * module, and a package whose types alone are needed must not be loaded.
 */
const inlineTypeImports = {
  meta: { type: 'layout', fixable: 'code', schema: [], messages: { inline: 'Write import { type X } instead of import type { X }.' } },
  create: (context) => ({
    ImportDeclaration(node) {
      const isOurs = /^\.|^@parley\//.test(node.source.value);
      const isNamed = node.specifiers.length > 0 && node.specifiers.every(({ type }) => type === 'ImportSpecifier');
      if (node.importKind !== 'type' || !isOurs || !isNamed) return;
      const names = node.specifiers.map((specifier) => `type ${context.sourceCode.getText(specifier)}`);
      context.report({
        node,
        messageId: 'inline',
        fix: (fixer) => fixer.replaceText(node, `import { ${names.join(', ')} } from ${node.source.raw};`),
      });
    },
  }),
};

export default { meta: { name: 'parley' }, rules: { 'inline-type-imports': inlineTypeImports } };
