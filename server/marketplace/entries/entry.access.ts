import type { Category, EntryStatus } from '#contract/marketplace/entries.ts'
import type { AssetType } from '#contract/studio/assets.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'

/**
 * Access to entries. Everyone may see listed entries. The submitter and the administrators of their organization may see
 * and change an entry in every status.
 */

/** The row of an entry for its own organization. `shown` is the listed release, or else the last one. */
export type EntryRow = {
  id: string
  asset_id: string
  submitted_by: string
  category: Category
  tags: string[]
  pricing: 'FREE' | 'PREMIUM'
  status: EntryStatus
  listed_release_id: string | null
  listed_version_id: string | null
  last_release_id: string
  last_version_id: string
  last_status: EntryStatus
  last_submitted_by: string
  shown_type: AssetType
  shown_name: string
  shown_description: string
}

// releases of the own organization only
const columns = `e.id, e.asset_id, e.submitted_by, e.category, e.tags, e.pricing, e.status, e.listed_release_id,
  listed.version_id as listed_version_id, e.last_release_id, last.version_id as last_version_id,
  last.status as last_status, last.submitted_by as last_submitted_by, coalesce(listed.type, last.type) as shown_type,
  coalesce(listed.name, last.name) as shown_name, coalesce(listed.description, last.description) as shown_description`
const releases = `join market_release last on last.publisher_id = $organization and last.id = e.last_release_id
  left join market_release listed on listed.publisher_id = $organization and listed.id = e.listed_release_id`

// a separate statement after the lock sees the changes of the previous lock holder
const lock = sql<never, { id: string }>(
  'select e.id from market_entry e where e.organization_id = $organization and e.id = $id for update',
)
const lockOfAsset = sql<never, { assetId: string }>(
  'select e.id from market_entry e where e.organization_id = $organization and e.asset_id = $assetId for update',
)
const selectOfAsset = sql<EntryRow, { assetId: string }>(`
  select ${columns} from market_entry e ${releases} where e.organization_id = $organization and e.asset_id = $assetId`)
type VisibleEntryRow = { is_listed: boolean } & (EntryRow | { id: null; submitted_by: null })
const selectVisible = sql<VisibleEntryRow, { id: string }>(`
  select coalesce(k.is_listed, false) as is_listed, o.* from (select $id::text as id) x
  left join market_listing k on k.entry_id = x.id
  left join (select ${columns} from market_entry e ${releases}
    where e.organization_id = $organization and e.id = $id) o on true`)

/** The entry of an asset of this organization, or undefined. */
export function entryOfAsset(db: Db, assetId: string): Promise<EntryRow | undefined> {
  return db.first(selectOfAsset, { assetId })
}

/** Like entryOfAsset, but locks the entry until the transaction ends. */
export async function lockEntryOfAsset(tx: Tx, assetId: string): Promise<EntryRow | undefined> {
  const [, entry] = await tx.inOrder(
    () => tx.run(lockOfAsset, { assetId }),
    () => tx.first(selectOfAsset, { assetId }),
  )
  return entry
}

/** Locks an entry of the organization of `tx`, without a check of its owner. */
export async function lockEntry(tx: Tx, id: string): Promise<EntryRow | undefined> {
  const [, row] = await Promise.all([tx.run(lock, { id }), tx.first(selectVisible, { id })])
  return row && row.id !== null ? row : undefined
}

// index market_release_entry: every entry has a release
const selectExists = sql<never, { id: string }>(
  `select from market_release r where $organization <> '' and r.entry_id = $id limit 1`,
)

/** True if any organization ever submitted the entry. */
export async function entryExists(db: Db, id: string): Promise<boolean> {
  return (await db.first(selectExists, { id })) !== undefined
}

/** An entry that the caller may see. `own` is set if it belongs to their organization. */
export type VisibleEntry = { id: string; isListed: boolean; isOwn: boolean; own: EntryRow | undefined }

/** The entry, if the caller may see it; `isOwn` if they submitted it. Refuses ENTRY_NOT_FOUND. */
export async function entryFor(db: Db, caller: Caller, id: string): Promise<VisibleEntry> {
  return visibleEntry(caller, id, await db.first(selectVisible, { id }))
}

/**
 * Locks an entry that the caller submitted, or that belongs to an organization they administer. Refuses ENTRY_NOT_FOUND if
 * they may not see it, and ENTRY_NOT_OWN if they may only see it.
 */
export async function lockManagedEntry(tx: Tx, caller: Caller, id: string): Promise<EntryRow> {
  const [, row] = await Promise.all([tx.run(lock, { id }), tx.first(selectVisible, { id })])
  const { isOwn, own } = visibleEntry(caller, id, row)
  if (!own || !(isOwn || caller.isAdministrator)) fail('ENTRY_NOT_OWN')
  return own
}

function visibleEntry(caller: Caller, id: string, row: VisibleEntryRow | undefined): VisibleEntry {
  const own = row && row.id !== null ? row : undefined
  const isOwn = own?.submitted_by === caller.personId
  const isListed = row?.is_listed ?? false
  if (!isListed && !isOwn && !(own && caller.isAdministrator)) fail('ENTRY_NOT_FOUND')
  return { id, isListed, isOwn, own }
}
