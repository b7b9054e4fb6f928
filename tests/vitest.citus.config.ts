import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

process.env.TEST_DATABASE_URL = process.env.CITUS_URL

const files = [
  'server/billing/invoices/issuing/issuing.test.ts',
  'server/crm/budgets/budgets.test.ts',
  'server/error-reports/groups/list.test.ts',
  'server/error-reports/groups/organization-errors.test.ts',
  'server/error-reports/intake/allowance.test.ts',
  'server/error-reports/intake/group-cache.test.ts',
  'server/error-reports/secret-names/secret-names.test.ts',
  'server/error-reports/tickets/tickets.test.ts',
  'server/identity/audit-log/audit-log.test.ts',
  'server/identity/invitations/invitations.test.ts',
  'server/identity/members/members.test.ts',
  'server/identity/operator/operator.test.ts',
  'server/identity/provisioning/scim.test.ts',
  'server/identity/roles/roles.test.ts',
  'server/identity/sign-in/oidc.test.ts',
  'server/identity/sign-in/passkey.test.ts',
  'server/identity/sign-in/password.test.ts',
  'server/identity/sign-in/reset.test.ts',
  'server/identity/sign-in/sessions.test.ts',
  'server/identity/sign-in/two-factor.test.ts',
  'server/identity/units/units.test.ts',
  'server/identity/views/views.test.ts',
  'server/integrations/applications/applications.test.ts',
]

/** `npm run test:citus`: test files of operations that pass as they are on distributed databases, in the cluster of CITUS_URL. */
export default defineConfig({
  root: join(import.meta.dirname, '..'),
  test: {
    include: process.env.CITUS_URL ? files : [],
    globalSetup: ['tests/support/postgres.ts', 'tests/support/model.ts', 'tests/support/sample-seed.ts'],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: 'forks',
    isolate: false,
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    passWithNoTests: true,
    retry: 0,
  },
})
