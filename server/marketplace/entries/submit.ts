import { type ReleaseFinding, submitEntry } from '#contract/marketplace/entries.ts'
import type { Input } from '#contract/operation.ts'
import type { Tx } from '#platform/data/db.ts'
import type { AuditSubject } from '#platform/events/audit.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { workflow } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { lockAsset, normalizeTags } from '#server/studio/index.ts'
import { runAutomaticChecks } from './automatic-checks.ts'
import { termsOf } from './catalogue/catalogue.terms.ts'
import { retag } from './catalogue/catalogue.ts'
import { releaseDigest } from './digest.ts'
import { type EntryRow, entryOfAsset, lockEntryOfAsset } from './entry.access.ts'
import { assertNoBlockingFindings, assertSubmittable } from './entry.rules.ts'
import { addUpdate, archiveWaiting, insertEntry, insertRelease, resubmitEntry } from './entry.sql.ts'
import { entryNow } from './read.ts'
import { publishedVersion, type SubmissionSource, sourceFor } from './source.ts'

type Submission = {
  body: Input<typeof submitEntry>['body']
  source: SubmissionSource
  findings: ReleaseFinding[]
}

/**
 * Submits an asset. The automatic checks read the published version outside of a transaction (ENT-8). The transaction copies
 * it into a release if it is still the published one (ENT-5); otherwise the checks start again.
 */
export const submit = workflow(submitEntry, async ({ db, transact, caller, body, services }) => {
  if (body.pricing === 'PREMIUM') fail('PRICING_NOT_SUPPORTED')
  // repeats only if the asset is published again meanwhile
  for (;;) {
    const source = await sourceFor(db, caller, body.assetId)
    assertSubmittable(await entryOfAsset(db, body.assetId), source.version.id)
    const findings = await runAutomaticChecks(services.files, source)
    assertNoBlockingFindings(findings)
    const subject: AuditSubject = {}
    const freezing = transact(tx => freezeRelease(tx, caller, { body, source, findings }, subject), subject)
    const entryId = await freezing.catch(unlessOutdated)
    if (entryId !== undefined) return entryNow(db, caller, entryId)
  }
})

/** The asset was published or renamed during the checks. */
class Outdated extends Error {}
function unlessOutdated(error: unknown): undefined {
  if (!(error instanceof Outdated)) throw error
}

/** Creates the release of a checked source and submits its entry. Returns the id of the entry. */
export async function freezeRelease(
  tx: Tx,
  caller: Caller,
  submission: Submission,
  subject: AuditSubject,
): Promise<string> {
  const { body, source } = submission
  const [asset, before] = await tx.inOrder(
    () => lockAsset(tx, caller, body.assetId, 'read'),
    () => lockEntryOfAsset(tx, body.assetId),
  )
  const isSame =
    asset.name === source.asset.name && publishedVersion(caller, asset) === source.version.version
  if (!isSame) throw new Outdated()
  assertSubmittable(before, source.version.id)
  const entryId = before?.id ?? newId()
  const release = releaseOf(caller, entryId, asset.name, submission)
  await tx.inOrder(
    // on Citus its lock excludes other submissions: two that had inserted would wait for each other
    () => before && archiveWaiting(tx, before.last_release_id),
    () => insertRelease(tx, release),
    () => writeEntry(tx, caller, before, submission, { entryId, releaseId: release.id, name: asset.name }),
  )
  Object.assign(subject, { subject: entryId, changed: ['status', 'version'] })
  return entryId
}

function releaseOf(caller: Caller, entryId: string, name: string, { source, findings }: Submission) {
  const { asset, version, content, files } = source
  const digest = releaseDigest({ ...content, type: asset.type, name, version: version.version, files })
  const ids = {
    id: newId(),
    entryId,
    assetId: asset.id,
    versionId: version.id,
    submittedBy: caller.personId,
  }
  return { ...ids, name, digest, findings }
}

async function writeEntry(
  tx: Tx,
  caller: Caller,
  before: EntryRow | undefined,
  { body, source }: Submission,
  { entryId, releaseId, name }: { entryId: string; releaseId: string; name: string },
): Promise<unknown> {
  const { category, pricing = 'FREE' } = body
  // absent tags do not change
  const tags = body.tags ? normalizeTags(body.tags) : (before?.tags ?? [])
  if (before?.status === 'APPROVED')
    return Promise.all([addUpdate(tx, entryId, releaseId), retag(tx, before, { category, tags })])
  const terms = termsOf({ name, tags, description: source.content.description })
  const entry = { id: entryId, submittedBy: caller.personId, category, tags, pricing, releaseId, terms }
  return before ? resubmitEntry(tx, entry) : insertEntry(tx, { ...entry, assetId: body.assetId })
}
