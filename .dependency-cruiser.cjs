/** Which folders may import which. See "Checks" and "Invariants" in ARCHITECTURE.md. */
const { areas: rules } = require('./tools/areas.ts')

const areas = Object.keys(rules)

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'contract-stands-alone',
      comment: 'The contract is pure data: it imports only itself and the types of TypeBox.',
      severity: 'error',
      from: { path: '^contract/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^(contract/|node_modules/typebox/)' },
    },
    {
      name: 'platform-knows-no-product',
      severity: 'error',
      from: { path: '^server/platform/', pathNot: '\\.test\\.ts$' },
      to: { path: `^server/(${areas.join('|')}|[^/]+\\.ts)` },
    },
    {
      name: 'areas-meet-at-their-index',
      comment: 'An area imports another only through its index.ts.',
      severity: 'error',
      from: { path: `^server/(${areas.join('|')})/`, pathNot: '\\.test\\.ts$' },
      to: { path: `^server/(${areas.join('|')})/`, pathNot: ['^server/$1/', '^server/[^/]+/index\\.ts$'] },
    },
    {
      name: 'tests-of-areas-meet-at-their-index',
      comment: 'A test of an area may also create the demo content of another.',
      severity: 'error',
      from: { path: `^server/(${areas.join('|')})/.*\\.test\\.ts$` },
      to: {
        path: `^server/(${areas.join('|')})/`,
        pathNot: ['^server/$1/', '^server/[^/]+/(index|area)\\.ts$'],
      },
    },
    {
      name: 'roots-meet-areas-at-their-declarations',
      comment:
        'The files in server/ itself reach an area through its area.ts (for API processes), its jobs.ts (for workers) or its ' +
        'commands.ts.',
      severity: 'error',
      from: { path: '^server/([^/]+\\.ts|backup/|openapi/|reference/|config/)', pathNot: '\\.test\\.ts$' },
      to: { path: `^server/(${areas.join('|')})/`, pathNot: '^server/[^/]+/(area|jobs|commands)\\.ts$' },
    },
    {
      name: 'areas-are-listed-once',
      comment:
        'areas.ts, background-work.ts and area-commands.ts list the areas; other files of server/ go through these lists. ' +
        'Identity and integrations are there also for sign-in, API keys and webhooks.',
      severity: 'error',
      from: {
        path: '^server/([^/]+\\.ts|backup/|openapi/|reference/|config/)',
        pathNot: ['\\.test\\.ts$', '^server/(areas|background-work|area-commands)\\.ts$'],
      },
      to: {
        path: `^server/(${areas.filter(area => !['identity', 'integrations'].includes(area)).join('|')})/`,
      },
    },
    {
      name: 'workers-load-no-operations',
      comment: 'A worker needs less memory without them.',
      severity: 'error',
      from: { path: '^server/worker\\.ts$' },
      to: { path: '^server/[^/]+/(area|routes)\\.ts$', reachable: true },
    },
    {
      name: 'api-processes-load-no-jobs',
      severity: 'error',
      from: { path: '^server/api\\.ts$' },
      to: { path: '^server/([^/]+/jobs|background-work)\\.ts$', reachable: true },
    },
    ...areas.map(area => ({
      name: `arrows-from-${area}`,
      comment: 'Every area may import identity; other arrows need a decision page.',
      severity: 'error',
      from: { path: `^server/${area}/` },
      to: {
        path: `^server/(${areas.filter(other => ![area, 'identity', ...rules[area].uses].includes(other)).join('|')})/`,
      },
    })),
    {
      name: 'catalogue-through-its-index',
      comment: 'The lists and searches of assets, and the tables that they read, stand behind one file.',
      severity: 'error',
      from: { path: '^server/', pathNot: ['^server/studio/assets/catalogue/', '\\.test\\.ts$'] },
      to: { path: '^server/studio/assets/catalogue/', pathNot: '/catalogue/index\\.ts$' },
    },
    {
      name: 'sql-in-sql-files',
      comment:
        'SQL is written in .sql.ts files, in .access.ts files (who may reach a row) and in the platform.',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: [
          '^server/platform/',
          '\\.(sql|access)\\.ts$',
          '\\.test\\.ts$',
          '^server/identity/sign-in/',
          '^server/[^/]+\\.ts$',
        ],
      },
      to: {
        path: '(^server/platform/data/statement\\.ts$|^node_modules/(pg|kysely)/)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'clients-stay-outside',
      severity: 'error',
      from: { path: '^(dashboard|sdk)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^server/' },
    },
    {
      name: 'parts-know-no-data',
      comment: 'The parts of screens get what they show: they know neither the areas nor the server.',
      severity: 'error',
      from: { path: '^dashboard/(parts|charts|words)/' },
      to: { path: '^dashboard/', pathNot: '^dashboard/(parts|charts|words)/' },
    },
    {
      name: 'data-alone-calls-the-server',
      comment: 'Screens read and change through dashboard/data.',
      severity: 'error',
      from: { path: '^dashboard/', pathNot: ['^dashboard/(data|build)/', '\\.test\\.tsx?$'] },
      to: { path: '^sdk/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'dashboard-areas-stand-alone',
      comment:
        'The screens of an area use the shell, the parts and the data, not each other; links connect them.',
      severity: 'error',
      from: {
        path: '^dashboard/(home|identity|studio|marketplace|integrations|error-reports|chat|crm|billing|operator)/',
      },
      to: {
        path: '^dashboard/(home|identity|studio|marketplace|integrations|error-reports|chat|crm|billing|operator)/',
        pathNot: ['^dashboard/$1/', '^dashboard/[^/]+/index\\.tsx?$'],
      },
    },
    {
      name: 'production-without-development-packages',
      comment: 'A server is installed without the packages that the tools, the tests and the dashboard need.',
      severity: 'error',
      from: { path: '^(server|contract|sdk)/', pathNot: '(\\.test|/test-server)\\.ts$' },
      // types are gone when Node has loaded a file
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'dashboard-is-built-from-development-packages',
      comment:
        'Its packages are inside the built files, so that a server is installed without them. The server draws with qrcode and compares with diff, too.',
      severity: 'error',
      from: { path: '^dashboard/', pathNot: ['^dashboard/build/', '\\.test\\.tsx?$'] },
      to: {
        path: '^node_modules/',
        pathNot: '^node_modules/(qrcode|diff)/',
        dependencyTypes: ['npm'],
        dependencyTypesNot: ['type-only'],
      },
    },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^node:' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dashboard/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
