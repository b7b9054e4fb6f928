import type { Tx } from '#platform/data/db.ts'
import { type AssetBucketFields, isSameBucket } from '../asset.rules.ts'
import { moveInCounters, raiseGeneration } from './counters/asset-counters.sql.ts'
import { moveInCollections } from './counters/collection-counters.sql.ts'
import { moveSharesInCounters } from './counters/share-counters.sql.ts'
import { moveInSearch, putIntoSearch, removeFromSearch, type Searched } from './indexing/asset-index.sql.ts'

type CatalogueAsset = AssetBucketFields & Omit<Searched, 'bodyMarkdown'> & { id: string }

/** Adds a new asset to search and counters. Send it last in a transaction: others wait for the counters. */
export async function addToCatalogue(tx: Tx, asset: CatalogueAsset, bodyMarkdown: string): Promise<void> {
  await Promise.all([
    putIntoSearch(tx, asset.id, asset, { ...asset, bodyMarkdown }),
    moveInCounters(tx, asset.id, undefined, asset),
  ])
}

/**
 * Moves a locked asset to its new bucket in search and in all counters. With `bodyMarkdown`, also replaces the words by which
 * search finds it. Send it last in a transaction.
 */
export async function moveInCatalogue(
  tx: Tx,
  before: AssetBucketFields,
  after: CatalogueAsset,
  bodyMarkdown?: string,
): Promise<void> {
  const { id } = after
  const isMoved = !isSameBucket(before, after)
  await Promise.all([
    bodyMarkdown !== undefined
      ? putIntoSearch(tx, id, after, { ...after, bodyMarkdown })
      : isMoved && moveInSearch(tx, id, after),
    isMoved && moveInCollections(tx, id, before, after),
    isMoved && moveSharesInCounters(tx, id, after),
    isMoved
      ? moveInCounters(tx, id, before, after)
      : bodyMarkdown !== undefined && raiseGeneration(tx, id, after),
  ])
}

/** Removes a locked asset from search and from all counters. Send it last in a transaction. */
export async function removeFromCatalogue(tx: Tx, asset: AssetBucketFields & { id: string }): Promise<void> {
  await Promise.all([
    removeFromSearch(tx, asset.id),
    moveInCollections(tx, asset.id, asset, undefined),
    moveSharesInCounters(tx, asset.id, undefined),
    moveInCounters(tx, asset.id, asset, undefined),
  ])
}

/** Puts a locked asset that was removed back into search and all counters. Send it last in a transaction. */
export async function returnToCatalogue(tx: Tx, asset: CatalogueAsset, bodyMarkdown: string): Promise<void> {
  await Promise.all([
    putIntoSearch(tx, asset.id, asset, { ...asset, bodyMarkdown }),
    moveInCollections(tx, asset.id, undefined, asset),
    moveSharesInCounters(tx, asset.id, asset),
    moveInCounters(tx, asset.id, undefined, asset),
  ])
}
