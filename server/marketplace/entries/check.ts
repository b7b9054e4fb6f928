import { checkEntry } from '#contract/marketplace/entries.ts'
import { workflow } from '#platform/http/operation.ts'
import { runAutomaticChecks } from './automatic-checks.ts'
import { sourceFor } from './source.ts'

/** Runs the checks of a submission without storing anything. */
export const check = workflow(checkEntry, async ({ db, caller, body, services }) => {
  const source = await sourceFor(db, caller, body.assetId)
  const findings = await runAutomaticChecks(services.files, source)
  const isSubmittable = findings.every(({ severity }) => severity !== 'block')
  return { isSubmittable, version: source.version.version, findings }
})
