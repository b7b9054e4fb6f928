import type { Category } from '#contract/marketplace/entries.ts'
import type { Tx } from '#platform/data/database.ts'
import type { EntryRow } from '../entry.access.ts'
import { type ListingBucket, moveListingCount, setListing, setTags, setUnlisted } from './catalogue.sql.ts'

/** What the catalogue shows of a release that is about to be listed. */
export type ReleaseToList = { id: string; type: string; name: string; description: string }

/**
 * Puts a release of a locked entry into the catalogue: from now on it is what everybody sees and installs. The entry
 * becomes APPROVED; counters and ratings of earlier releases stay. `tx` is of the entry's organization. The decision
 * itself, and the release that was listed before, are the caller's.
 */
export async function listRelease(tx: Tx, entry: EntryRow, release: ReleaseToList): Promise<void> {
  const { category, pricing, tags } = entry
  const before = entry.listed_release_id === null ? undefined : bucketOf(entry)
  await moveListingCount(tx, before, { category, pricing, type: release.type }, true)
  await setListing(tx, entry.id, release.id, { ...release, tags })
}

/**
 * Takes a locked entry out of the catalogue, if it is in it. Its state is the caller's, to be set in the same
 * transaction. What it earned stays for the day when it comes back.
 */
export async function unlist(tx: Tx, entry: EntryRow): Promise<void> {
  if (entry.listed_release_id === null) return
  await Promise.all([moveListingCount(tx, bucketOf(entry), undefined), setUnlisted(tx, entry.id)])
}

/** Files a locked entry under another category or other tags. Returns the fields that changed. */
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
