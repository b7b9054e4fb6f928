import { limits } from '#contract/limits.ts'
import type { ReleaseFinding } from '#contract/marketplace/entries.ts'
import { type Files, readWithin } from '#platform/adapters/files.ts'
import { findingsOf } from '../review-queue/findings/findings.ts'
import type { SubmissionSource } from './source.ts'

/** Runs the automatic checks on the source of a submission. */
export function runAutomaticChecks(
  files: Files,
  { asset, version, content, files: attached }: SubmissionSource,
): Promise<ReleaseFinding[]> {
  const { type, name } = asset
  const { changelog } = version
  return findingsOf({ ...content, type, name, changelog, files: attached }, (sha256, read) =>
    readWithin(files, sha256, limits.fileReadMs, read),
  )
}
