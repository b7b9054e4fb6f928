import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Spreads the files that start whole processes, and mostly wait for them, evenly among those that compute. */
class SideBySide extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const of = (folders: RegExp) => sorted.filter(({ moduleId }) => folders.test(moduleId))
    const waiting = of(/\/tests\/(faults|stories)\//)
    // what takes long begins early
    const computing = [...of(/\/tests\/laws\//), ...of(/^(?!.*\/tests\/(faults|stories|laws)\/)/)]
    const each = Math.floor(computing.length / waiting.length)
    return [...waiting.flatMap(file => [file, ...computing.splice(0, each)]), ...computing]
  }
}

export default defineConfig({
  test: {
    include: ['{server,contract,sdk,tests,tools}/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'tests/long/**'],
    globalSetup: ['tests/postgres.ts', 'tests/codes.ts'],
    setupFiles: ['tests/seen.ts'],
    pool: 'forks',
    // the files of a worker share what they import: loading it anew took a fifth of the time
    isolate: false,
    // one more than there are processors where all is tested: a third of the time is waiting
    maxWorkers: 3,
    sequence: { sequencer: SideBySide },
    testTimeout: 30_000,
    hookTimeout: 30_000,
    retry: 0,
  },
})
