/**
 * The catalogue: its lists, its searches, and the counters and terms that they read, as docs/architecture/catalogue.md
 * explains them. Nothing outside imports another file of this folder.
 */

// count the assets of collections
export type { CounterColumns } from './counters/asset-counters.sql.ts'
// write with the shares of an asset
export { raiseShareGeneration, statusTypePosition } from './counters/asset-counters.sql.ts'
export {
  collectionCounters,
  countedInCollections,
  notArchived,
  readableCount,
  sharedCount,
} from './counters/collection-counters.sql.ts'
export { updateShareCounters } from './counters/share-counters.sql.ts'
export { moveInSearch } from './indexing/asset-index.sql.ts'
export { listPage } from './listing/asset-list.sql.ts'
export { listContents } from './listing/collection-contents.sql.ts'
export { callerAccess, type ListFilters, listFiltersOf, statusTypeTable } from './listing/list-fragments.ts'
// read pages
export { type CataloguePage, type CatalogueQuery, readCatalogue } from './read-catalogue.ts'
// write with an asset
export { addToCatalogue, moveInCatalogue, removeFromCatalogue, returnToCatalogue } from './write-catalogue.ts'
