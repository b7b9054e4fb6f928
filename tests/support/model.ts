import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { databaseFolder } from './folders.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the test files of a run keep what their data folders are copied from; see processes.ts. */
    modelFolder: string
  }
}

/** Vitest's global setup: a folder of the run for that, removed at its end. */
export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(databaseFolder(), 'patio-model-'))
  project.provide('modelFolder', folder)
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
