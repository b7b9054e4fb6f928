import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{server,contract,sdk,tests,tools}/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'tests/long/**'],
    globalSetup: ['tests/postgres.ts', 'tests/codes.ts'],
    setupFiles: ['tests/seen.ts'],
    pool: 'forks',
    // the files of a worker share what they import: loading it anew took a fifth of the time
    isolate: false,
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    retry: 0,
  },
})
