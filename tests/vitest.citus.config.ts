import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { areas } from '../tools/areas.ts'
import { exceptions } from './citus/exceptions.ts'

process.env.TEST_DATABASE_URL = process.env.CITUS_URL

/** End-to-end flows of the API. The others need the embedded database or a browser. */
const flows = [
  'chat-*',
  'crm',
  'lead-events',
  'marketplace*',
  'payments',
  'signed-documents',
  'signing',
  'studio',
  'tools',
]
const files = [
  ...Object.keys(areas).map(area => `server/${area}/**/*.test.ts`),
  ...flows.map(flow => `tests/e2e/${flow}.test.ts`),
]

/** `npm run test:citus`: the tests of all areas, and flows over them, on distributed databases, in the cluster of CITUS_URL. */
export default defineConfig({
  root: join(import.meta.dirname, '..'),
  test: {
    include: process.env.CITUS_URL ? files : [],
    exclude: exceptions.flatMap(({ file, tests }) => (tests === 'all' ? [file] : [])),
    globalSetup: ['tests/support/postgres.ts', 'tests/support/model.ts', 'tests/support/sample-seed.ts'],
    setupFiles: ['tests/citus/expect-exceptions.ts'],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: 'forks',
    isolate: false,
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 240_000 } },
    passWithNoTests: true,
    retry: 0,
  },
})
