import type { EntryStatus } from '#contract/marketplace/entries.ts'
import type { AssetType } from '#contract/studio/assets.ts'
import type { Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { isWaiting } from './submission.sql.ts'

// statements on the releases of one entry, in the transaction of its organization

const setStarted = sql<never, { releaseId: string; operatorId: string }>(`
  update market_release r set status = 'UNDER_REVIEW', started_at = (select clock_timestamp()), reviewed_by = $operatorId
  where r.publisher_id = $organization and r.id = $releaseId`)
const setDecided = sql<
  never,
  { releaseId: string; status: EntryStatus; operatorId: string; reason: string | null; note: string | null }
>(`
  update market_release r set status = $status, decided_at = now(), reviewed_by = $operatorId,
    reason = $reason, note = $note, approved_at = case when $status = 'APPROVED' then now() end
  where r.publisher_id = $organization and r.id = $releaseId`)
const setReplaced = sql<never, { releaseId: string | null }>(`
  update market_release r set status = 'ARCHIVED' where r.publisher_id = $organization and r.id = $releaseId`)
// a listed release keeps the entry APPROVED
const setStatus = sql<never, { entryId: string; status: EntryStatus }>(`
  update market_entry e set status = $status, updated_at = now()
  where e.organization_id = $organization and e.id = $entryId and e.listed_release_id is null`)
const setDelisted = sql<never, { entryId: string }>(`
  update market_entry e set status = 'ARCHIVED', last_release_id = e.listed_release_id, listed_release_id = null,
    updated_at = now()
  where e.organization_id = $organization and e.id = $entryId`)
const archiveReleases = sql<never, { entryId: string; releaseId: string | null; reason: string }>(`
  update market_release r set status = 'ARCHIVED', reason = case when r.id = $releaseId then $reason else r.reason end
  where r.publisher_id = $organization and r.entry_id = $entryId and (r.id = $releaseId or ${isWaiting})`)

/** Starts the review of a waiting release. */
export async function setReviewStarted(
  tx: Tx,
  entryId: string,
  releaseId: string,
  operatorId: string,
): Promise<void> {
  await Promise.all([
    tx.run(setStarted, { releaseId, operatorId }),
    tx.run(setStatus, { entryId, status: 'UNDER_REVIEW' }),
  ])
}

/** Approves a waiting release and archives the one listed before, which stays as the base of installed copies. */
export async function decideApproved(
  tx: Tx,
  { releaseId, replacedId }: { releaseId: string; replacedId: string | null },
  operatorId: string,
  note: string | null,
): Promise<void> {
  await Promise.all([
    tx.run(setReplaced, { releaseId: replacedId }),
    tx.run(setDecided, { releaseId, status: 'APPROVED', operatorId, reason: null, note }),
  ])
}

/** Rejects a waiting release. A listed release stays listed. */
export async function decideRejected(
  tx: Tx,
  { entryId, releaseId }: { entryId: string; releaseId: string },
  operatorId: string,
  reason: string,
): Promise<void> {
  await Promise.all([
    tx.run(setDecided, { releaseId, status: 'REJECTED', operatorId, reason, note: null }),
    tx.run(setStatus, { entryId, status: 'REJECTED' }),
  ])
}

/** Archives an entry with its listed and waiting releases. The listed release stores the reason. */
export async function archiveListed(
  tx: Tx,
  entryId: string,
  releaseId: string | null,
  reason: string,
): Promise<void> {
  await Promise.all([
    tx.run(archiveReleases, { entryId, releaseId, reason }),
    tx.run(setDelisted, { entryId }),
  ])
}

const selectReleaseToList = sql<
  { id: string; type: AssetType; name: string; description: string; version: string },
  { releaseId: string }
>(`
  select r.id, r.type, r.name, r.description, r.version from market_release r
  where r.publisher_id = $organization and r.id = $releaseId`)

/** The parts of a release that the catalogue shows, and its version. */
export function releaseToList(tx: Tx, releaseId: string) {
  return tx.one(selectReleaseToList, { releaseId })
}
