import { statSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Spreads the files that start whole processes, and mostly wait for them, among those that compute: by the size of the
 * files, which is closer to their time than their number. The last ones to begin are small.
 */
class SideBySide extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const of = (folders: RegExp) => sorted.filter(({ moduleId }) => folders.test(moduleId))
    const waiting = of(/\/tests\/(faults|e2e)\//)
    // what takes long begins early
    const computing = [...of(/\/tests\/invariants\//), ...of(/^(?!.*\/tests\/(faults|e2e|invariants)\/)/)]
    const sizes = computing.map(({ moduleId }) => statSync(moduleId).size)
    const total = sizes.reduce((sum, size) => sum + size, 0)
    let bytesBefore = 0
    const ordered = computing.flatMap((file, index) => {
      // all of them have begun when a quarter is left
      const due = Math.ceil((waiting.length * bytesBefore) / (total * 0.75)) + 1
      bytesBefore += sizes[index]!
      return [...waiting.slice(0, due), file]
    })
    return [...new Set([...ordered, ...waiting])]
  }
}

export default defineConfig({
  test: {
    include: ['{server,contract,dashboard,sdk,tests,tools}/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'tests/long/**'],
    globalSetup: [
      'tests/support/postgres.ts',
      'tests/support/model.ts',
      'tests/support/codes.ts',
      'tests/support/sample-seed.ts',
      'tests/support/build.ts',
    ],
    setupFiles: ['tests/support/seen.ts'],
    // programs that tests start load what Node made of their sources before
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/node') },
    // Node loads the sources as it does in production: a tenth less processor time than through Vite
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: 'forks',
    // the files of a worker share what they import: loading it anew took a fifth of the time
    isolate: false,
    // two more than there are processors where all is tested: some of the time is waiting
    maxWorkers: 4,
    sequence: { sequencer: SideBySide },
    // only to end what hangs: on a machine with other work a test may take twenty times as long as alone
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 240_000 } },
    retry: 0,
  },
})
