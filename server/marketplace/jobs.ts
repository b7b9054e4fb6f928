export { forgetOldInstallers, updateRatingRanks } from './entries/rerank.sql.ts'
export { endExpiredFeatures } from './review-queue/featured.sql.ts'
