import type { Category } from '#contract/marketplace/entries.ts'
import type { Tx } from '#platform/data/db.ts'
import type { EntryRow } from '../entry.access.ts'
import { type ListingBucket, moveListingCount, setListing, setTags, setUnlisted } from './catalogue.sql.ts'

/** A release to list. */
export type ReleaseToList = { id: string; type: string; name: string; description: string }

/**
 * Lists a release of a locked entry in the catalogue and makes the entry APPROVED. Counters and ratings of earlier releases
 * stay. `tx` belongs to the organization of the entry. The caller records the decision and archives the previous
 * release.
 */
export async function listRelease(tx: Tx, entry: EntryRow, release: ReleaseToList): Promise<void> {
  const { category, pricing, tags } = entry
  const before = entry.listed_release_id === null ? undefined : bucketOf(entry)
  await moveListingCount(tx, before, { category, pricing, type: release.type }, true)
  await setListing(tx, entry.id, release.id, { ...release, tags })
}

/**
 * Removes a locked entry from the catalogue if it is listed. The caller sets its status in the same transaction. Ratings
 * and counters stay, in case it is listed again.
 */
export async function unlist(tx: Tx, entry: EntryRow): Promise<void> {
  if (entry.listed_release_id === null) return
  await Promise.all([moveListingCount(tx, bucketOf(entry), undefined), setUnlisted(tx, entry.id)])
}

/** Sets category and tags of a locked entry. Returns the changed fields. */
export async function retag(
  tx: Tx,
  entry: EntryRow,
  changes: { category?: Category; tags?: readonly string[] },
): Promise<string[]> {
  const { category = entry.category, tags = entry.tags } = changes
  const changed = [
    ...(category === entry.category ? [] : ['category']),
    ...(tags.join('\n') === entry.tags.join('\n') ? [] : ['tags']),
  ]
  if (changed.length === 0) return changed
  const isListed = entry.listed_release_id !== null
  const searched = { name: entry.shown_name, description: entry.shown_description, tags }
  await Promise.all([
    isListed && moveListingCount(tx, bucketOf(entry), { ...bucketOf(entry), category }),
    setTags(tx, entry.id, { category, tags, isListed }, searched),
  ])
  return changed
}

function bucketOf({ category, pricing, shown_type: type }: EntryRow): ListingBucket {
  return { category, type, pricing }
}
