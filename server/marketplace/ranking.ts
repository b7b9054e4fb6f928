import { secondsSince1970 } from '#platform/data/later.ts'

/**
 * SQL for the sort values of the catalogue. Both are columns of market_listing and change only with their inputs, so that
 * pages are read in index order.
 */

/** The weight of the overall average, in ratings: a few votes must not decide a rank. */
const averageWeight = 10
/** An approval this many days newer weighs as much as twice the installers. */
const noveltyDays = 90
/** Installers count for POPULAR for this many days after their last install. */
export const recentDays = 60

/** Bayesian average of the ratings, for TOP_RATED. Arguments are SQL expressions. */
export function ratingRank(sum: string, count: string, average: string): string {
  return `(${averageWeight} * ${average} + ${sum})::double precision / (${averageWeight} + ${count})`
}

/** Distinct installers of the last 60 days on a log scale, plus novelty, for POPULAR. */
export function popularity(recentInstallers: string, approvedAt: string): string {
  return `ln(1 + ${recentInstallers}) / ln(2) + ${secondsSince1970(approvedAt)}::double precision / ${noveltyDays * 86_400}`
}
