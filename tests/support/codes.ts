import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { errors } from '#contract/errors.ts'
import { events } from '#contract/events.ts'
import { errorAt } from '#platform/http/contract-check.ts'
import { contractConsts } from '../invariants/operations.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The file in which the test files of a run record what they saw; see seen.ts. */
    seenFile: string
  }
}

/** Codes that are not used yet, with the reason. */
const plannedCodes: Record<string, string> = {}

/** The contracts whose operations must return each declared code in a test. */
const proven = /^contract\/(?:billing\/|crm\/(?:budgets|portal|sign))/

/**
 * Vitest's global setup of an invariant: every error code of the contract is returned in some test, every
 * event is emitted in one, and each operation of budgets, signatures, invoices and payments returns each code
 * that it declares. Checked only after the whole suite; tests that failed may explain what is missing.
 */
export function setup(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'patio-seen-'))
  const file = join(folder, 'seen')
  writeFileSync(file, '')
  project.provide('seenFile', file)
  return async () => {
    const seen = new Set(readFileSync(file, 'utf8').split('\n'))
    rmSync(folder, { recursive: true })
    const { config, state } = project.vitest
    const { testFiles } = await project.globTestFiles()
    const isPart = config.testNamePattern !== undefined || state.getFiles().length < testFiles.length
    if (isPart) return
    const words = [...Object.keys(errors), ...Object.keys(events), ...(await declared())]
    const unseen = words.filter(word => seen.has(word) === word in plannedCodes)
    if (unseen.length === 0) return
    process.stderr.write(
      `\nNo test sees these error codes given or events announced, or tests/support/codes.ts should not call them later ones: ${unseen.join(', ')}\n`,
    )
    process.exitCode = 1
  }
}

async function declared(): Promise<string[]> {
  const operations = (await contractConsts()).filter(({ file }) => proven.test(file))
  return operations.flatMap(({ contract }) => contract.errors.map(code => errorAt(contract, code)))
}
