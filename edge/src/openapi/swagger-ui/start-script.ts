/**
 * The script of the page, served as a file because its policy allows no inline script. The URL of the description is relative, so that the
 * view works behind a path prefix; keys are kept only until the page is closed.
 */
export const SWAGGER_UI_START_SCRIPT = `SwaggerUIBundle({
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
