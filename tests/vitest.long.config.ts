import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: join(import.meta.dirname, '..'),
  test: {
    include: ['tests/long/**/*.test.ts'],
    globalSetup: ['tests/support/postgres.ts', 'tests/support/model.ts', 'tests/support/build.ts'],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: 'forks',
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 15 * 60_000,
    hookTimeout: 5 * 60_000,
    expect: { poll: { timeout: 30_000 } },
    retry: 0,
    passWithNoTests: true,
  },
})
