/**
 * What the page runs: a file of its own, since its policy allows no script within the page. The address of the description is relative, so
 * that the view works behind a prefix as well; keys are forgotten with the page.
 */
export const START = `SwaggerUIBundle({
  url: 'openapi-public.json',
  dom_id: '#view',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
  persistAuthorization: false,
  validatorUrl: null,
  syntaxHighlight: { activated: true },
});
`;
