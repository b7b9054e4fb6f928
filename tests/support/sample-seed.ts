import { randomInt } from 'node:crypto'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The number that chooses the samples of a run; see sample.ts. */
    sampleSeed: number
  }
}

/** Vitest's global setup: chooses that number, another one in each run. A run that fails prints it, and SAMPLE_SEED repeats it. */
export function setup(project: TestProject): () => void {
  const seed = Number(process.env.SAMPLE_SEED ?? randomInt(1_000_000))
  project.provide('sampleSeed', seed)
  return () => {
    if (project.vitest.state.getCountOfFailedTests() === 0) return
    process.stderr.write(`\nSAMPLE_SEED=${seed} repeats the samples of this run\n`)
  }
}
