import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { databaseFolder } from './folders.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder with the template of data folders; see processes.ts. */
    modelFolder: string
  }
}

/** Vitest's global setup: creates that folder, and deletes it at the end of the run. */
export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(databaseFolder(), 'patio-model-'))
  project.provide('modelFolder', folder)
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
