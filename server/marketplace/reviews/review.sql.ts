import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { ratingRank } from '../ranking.ts'

/**
 * Reviews are part of the catalogue and belong to no tenant. Statements return the author only to people of the same
 * organization. Changes of ratings lock the row of the listing first, so that its sums equal the reviews.
 */

/**
 * A review. `author_id` and `author_name` are null if it was written in another organization. `is_own` covers all
 * organizations of the person.
 */
export type ReviewRow = {
  id: string
  entry_id: string
  is_own: boolean
  rating: number
  comment: string | null
  is_hidden: boolean
  author_id: string | null
  author_name: string | null
  version: string
  helpful_count: number
  helpful_by_me: boolean
  created_at: string
  updated_at: string
}

const columns = `r.id, r.entry_id, r.rating, r.comment, r.author_id = $personId as is_own, m.person_id as author_id,
  m.name as author_name, r.version, r.helpful_count, r.created_at, r.updated_at,
  exists (select from market_review_hidden x
    where x.entry_id = r.entry_id and x.author_id = r.author_id) as is_hidden,
  exists (select from market_helpful h
    where h.organization_id = $organization and h.review_id = r.id and h.person_id = $personId) as helpful_by_me`
const colleague = `left join membership m on m.organization_id = $organization and m.person_id = r.author_id
  and r.author_organization_id = $organization`

const selectOne = sql<ReviewRow, { personId: string; id: string }>(
  `select ${columns} from market_review r ${colleague} where r.id = $id`,
)
const selectOwn = sql<ReviewRow, { personId: string; entryId: string }>(`
  select ${columns} from market_review r ${colleague}
  where r.entry_id = $entryId and r.author_id = $personId`)

/** A page without rows has one row with only the total. */
type Paged<Row> = { total: number } & (Row | { id: null })

// index market_review_entry; each review has a rating, so the rating count of the listing is the total
const selectOfEntry = sql<
  Paged<ReviewRow>,
  { personId: string; entryId: string; limit: number; offset: number }
>(`
  select t.total, i.*
  from (select coalesce((select l.rating_count from market_listing l where l.entry_id = $entryId), 0) as total) t
  left join (
    select ${columns} from (
      select * from market_review x where x.entry_id = $entryId
      order by x.helpful_count desc, x.created_at desc, x.id desc
        limit $limit offset $offset) r ${colleague}) i on true
  order by i.helpful_count desc, i.created_at desc, i.id desc`)

/** The reviews of an entry, the most helpful first, then the newest. */
export function listReviewsOf(db: Db, personId: string, entryId: string, limit: number, offset: number) {
  return db.rows(selectOfEntry, { personId, entryId, limit, offset })
}

// index market_review_author
const selectWritten = sql<Paged<ReviewRow>, { personId: string; limit: number; offset: number }>(`
  select t.total, i.*
  from (select count(*) as total from market_review w where w.author_id = $personId) t
  left join (
    select ${columns} from (
      select * from market_review x where x.author_id = $personId
      order by x.created_at desc, x.id desc limit $limit offset $offset) r ${colleague}) i on true
  order by i.created_at desc, i.id desc`)

/** The reviews that a person wrote, newest first. */
export function listReviewsBy(db: Db, personId: string, limit: number, offset: number) {
  return db.rows(selectWritten, { personId, limit, offset })
}

/** A listing as a review of it needs it. */
export type ReviewedRow = {
  is_listed: boolean
  is_own: boolean
  is_installed: boolean
  /** The version of the person's last install. */
  version: string
}
// the publisher of an entry must not review it from another organization
const lockListing = sql<ReviewedRow, { personId: string; entryId: string }>(`
  select l.is_listed, l.publisher_person_id = $personId as is_own,
    exists (select from market_installer p
      where p.organization_id = $organization and p.entry_id = l.entry_id
        and p.person_id = $personId) as is_installed,
    coalesce((select i.installed_version from market_install i
      where i.organization_id = $organization and i.entry_id = l.entry_id and i.person_id = $personId
      order by i.created_at desc, i.id desc limit 1), l.version) as version
  from market_listing l where l.entry_id = $entryId for no key update of l`)

/**
 * Locks the ratings of an entry until the transaction ends, and finds the person's earlier review. `listing` is undefined if
 * the entry was never approved.
 */
export async function lockReviewed(
  tx: Tx,
  personId: string,
  entryId: string,
): Promise<{ listing: ReviewedRow | undefined; before: ReviewRow | undefined }> {
  const [listing, before] = await tx.inOrder(
    () => tx.first(lockListing, { personId, entryId }),
    // a separate statement after the lock sees the changes of the previous holder
    () => tx.first(selectOwn, { personId, entryId }),
  )
  return { listing, before }
}

const lockListingOf = sql<{ is_listed: boolean }, { id: string }>(`
  select l.is_listed from market_review r join market_listing l on l.entry_id = r.entry_id
  where $organization <> '' and r.id = $id for no key update of l`)

/** A review, and whether its entry is listed. Locks the ratings of the entry. */
export async function lockReview(
  tx: Tx,
  personId: string,
  id: string,
): Promise<{ review: ReviewRow; isListed: boolean } | undefined> {
  const [listing, review] = await tx.inOrder(
    () => tx.first(lockListingOf, { id }),
    () => tx.first(selectOne, { personId, id }),
  )
  return listing && review && { review, isListed: listing.is_listed }
}

/** The sums of the ratings of an entry. */
export type Ratings = { rating_sum: number; rating_count: number }

/** SQL that adds to the sums of the listing; `w` is the written review. */
function adjustRatingsSql(sum: string, count: string): string {
  return `update market_listing l set rating_sum = l.rating_sum + ${sum}, rating_count = l.rating_count + ${count},
      rating_rank = ${ratingRank(`l.rating_sum + ${sum}`, `(l.rating_count + ${count})`, 'k.average')}
    from written w, market_rating_average k where l.entry_id = w.entry_id
    returning l.rating_sum, l.rating_count`
}

type ReviewValues = { rating: number; comment: string | null; version: string }
const insert = sql<Ratings, ReviewValues & { personId: string; entryId: string; id: string }>(`
  with written as (
    insert into market_review (author_organization_id, author_id, entry_id, id, rating, comment, version)
    values ($organization, $personId, $entryId, $id, $rating, $comment, $version) returning entry_id, rating)
  ${adjustRatingsSql('w.rating', '1')}`)
const update = sql<Ratings, ReviewValues & { personId: string; id: string; more: number }>(`
  with written as (
    update market_review r
    set author_organization_id = $organization, rating = $rating, comment = $comment, version = $version,
      updated_at = (select clock_timestamp())
    where r.id = $id and r.author_id = $personId returning r.entry_id)
  ${adjustRatingsSql('$more::int', '0')}`)
const remove = sql<Ratings, { personId: string; id: string }>(`
  with written as (
    delete from market_review r
    where $organization <> '' and r.id = $id and r.author_id = $personId returning r.entry_id, r.rating)
  ${adjustRatingsSql('(-w.rating)', '(-1)')}`)

type Content = { rating: number; comment: string | null; version: string }

/** Inserts the first review of a person. The listing is locked. */
export async function insertReview(
  tx: Tx,
  personId: string,
  entryId: string,
  id: string,
  { rating, comment, version }: Content,
): Promise<{ review: ReviewRow; ratings: Ratings }> {
  const [ratings, review] = await Promise.all([
    tx.one(insert, { personId, entryId, id, rating, comment, version }),
    tx.one(selectOne, { personId, id }),
  ])
  return { review, ratings }
}

/** Replaces the review of a person, now from this organization. The listing is locked. */
export async function setReview(
  tx: Tx,
  personId: string,
  before: ReviewRow,
  { rating, comment, version }: Content,
): Promise<{ review: ReviewRow; ratings: Ratings }> {
  const [ratings, review] = await Promise.all([
    tx.one(update, { personId, id: before.id, rating, comment, version, more: rating - before.rating }),
    tx.one(selectOne, { personId, id: before.id }),
  ])
  return { review, ratings }
}

/** Deletes the review of a person with its helpful votes. The listing is locked. */
export function deleteReview(tx: Tx, personId: string, id: string): Promise<Ratings> {
  return tx.one(remove, { personId, id })
}
