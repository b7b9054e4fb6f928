import type { Db, Tx } from '#platform/data/db.ts'
import { organizationLock } from '#platform/data/organization-lock.ts'
import { sql } from '#platform/data/statement.ts'
import { fail } from '#platform/fail.ts'

/** A collection without its counts and path. */
export type CollectionRow = {
  id: string
  name: string
  description: string
  parent_id: string | null
  icon_name: string | null
  color: string | null
  position: number
  owner_id: string
  created_at: string
  updated_at: string
}

export const collectionColumns = `k.id, k.name, k.description, k.parent_id, k.icon_name, k.color, k.position,
  k.owner_id, k.created_at, k.updated_at`
const collectionById = `select ${collectionColumns} from collection k where k.organization_id = $organization and k.id = $id`

const selectCollection = sql<CollectionRow, { id: string }>(collectionById)
const selectCollectionLocked = sql<CollectionRow, { id: string }>(`${collectionById} for no key update of k`)
const selectCollectionForDeletion = sql<CollectionRow, { id: string }>(`${collectionById} for update of k`)
const acquireTreeLock = sql<never>(`select ${organizationLock('collections')}`)

/**
 * Returns a collection; every member of the organization may see it. Fails with COLLECTION_NOT_FOUND if it does not exist
 * or belongs to another organization.
 */
export async function collectionFor(db: Db, id: string): Promise<CollectionRow> {
  return (await db.first(selectCollection, { id })) ?? fail('COLLECTION_NOT_FOUND')
}

/** Like `collectionFor`, and locks the collection against changes until the transaction ends. */
export async function lockCollection(tx: Tx, id: string): Promise<CollectionRow> {
  return (await tx.first(selectCollectionLocked, { id })) ?? fail('COLLECTION_NOT_FOUND')
}

/** Like `lockCollection`, and also blocks concurrent additions to the collection. */
export async function lockCollectionForDeletion(tx: Tx, id: string): Promise<CollectionRow> {
  return (await tx.first(selectCollectionForDeletion, { id })) ?? fail('COLLECTION_NOT_FOUND')
}

/**
 * Blocks other transactions from adding, moving or deleting collections of the organization until this one ends. Take it
 * before reading the tree, so that decisions about the tree stay valid.
 */
export async function lockTree(tx: Tx): Promise<void> {
  await tx.first(acquireTreeLock)
}
