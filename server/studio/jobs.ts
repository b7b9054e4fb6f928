export { purgeDeletedAssets } from './assets/asset-purge.sql.ts'
export { sweepFiles } from './files/file-sweep.sql.ts'
export { announceExpiredShares } from './shares/expiry/share-expiry.events.ts'
export { purgeExpiredShares } from './shares/share-purge.sql.ts'
