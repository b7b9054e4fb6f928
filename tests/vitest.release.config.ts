import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** `npm run release:data` stores the data of a release; see docs/guides/upgrade.md. */
export default defineConfig({
  root: join(import.meta.dirname, '..'),
  test: {
    include: ['tests/upgrade/store-release.ts'],
    globalSetup: ['tests/support/postgres.ts'],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: 'forks',
    testTimeout: 30 * 60_000,
    retry: 0,
  },
})
