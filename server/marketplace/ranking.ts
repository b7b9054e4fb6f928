/**
 * How the catalogue is ordered, as SQL over columns. Both values stand in market_listing and change only when what they
 * are made of changes, so that a page is read in the order of an index.
 */

/** So many ratings at the mean of all weigh as much as those of an entry: a few votes do not make a rank. */
const averageWeight = 10
/** An approval that is so many days newer weighs as much as twice the installers. */
const noveltyDays = 90
/** Installers count for POPULAR for so many days after they installed it last. */
export const recentDays = 60

/** Bayesian mean of the ratings, for TOP_RATED. Arguments are SQL expressions. */
export function ratingRank(sum: string, count: string, average: string): string {
  return `(${averageWeight} * ${average} + ${sum})::double precision / (${averageWeight} + ${count})`
}

/** Distinct installers of the last 60 days, log-scaled, with freshness, for POPULAR. */
export function popularity(recentInstallers: string, approvedAt: string): string {
  return `ln(1 + ${recentInstallers}) / ln(2) + extract(epoch from ${approvedAt})::double precision / ${noveltyDays * 86_400}`
}
