import { diffVersions, type VersionDifference } from '#contract/studio/versions.ts'
import { fail } from '#platform/fail.ts'
import { query } from '#platform/http/operation.ts'
import { inThread } from '#platform/threads.ts'
import { accessOf, readerOf } from '../assets/asset.access.ts'
import { type ComparedVersion, compareVersions } from './compare.ts'
import { comparedVersions } from './version-history.sql.ts'

/** Compares two versions of an asset: lines of the texts, fields of the front matter, files. */
export const diff = query(diffVersions, async ({ db, caller, params: { id, a, b } }) => {
  const [from, to] = await comparedVersions(db, readerOf(caller), id, a, b)
  if (!from || !to) fail('ASSET_NOT_FOUND')
  accessOf(from.access)
  if (from.version === null || to.version === null) fail('VERSION_NOT_FOUND')
  return difference(from, to)
})

/** Characters of both bodies above which the comparison, which then takes milliseconds, runs in a thread. */
const threadThreshold = 32_768

/** Compares two versions or two releases. Long texts are compared in a thread. */
export async function difference(from: ComparedVersion, to: ComparedVersion): Promise<VersionDifference> {
  const pair = { from, to }
  if (from.body_markdown.length + to.body_markdown.length <= threadThreshold) return compareVersions(pair)
  return inThread<typeof compareVersions>(new URL('./compare.ts', import.meta.url), 'compareVersions', pair)
}
