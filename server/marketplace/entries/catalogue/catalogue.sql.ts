import type { Category } from '#contract/marketplace/entries.ts'
import type { Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { foldedName } from '#platform/fold.ts'
import { popularity, ratingRank } from '../../ranking.ts'
import {
  filterMarksSql,
  type ListingSearchText,
  learntWords,
  type SearchTerms,
  segmentLength,
  termsOf,
  termsSql,
} from './catalogue.terms.ts'

/** The attributes by which the catalogue counts entries. */
export type ListingBucket = { category: string; type: string; pricing: string }

// in a fixed order, so that transactions cannot deadlock
const addToCounts = sql<
  never,
  {
    categories: readonly string[]
    types: readonly string[]
    pricings: readonly string[]
    by: readonly number[]
  }
>(`
  insert into market_listing_count (category, type, pricing, n)
  select c.category, c.type, c.pricing, sum(c.n)
  from unnest($categories::text[], $types::text[], $pricings::text[], $by::integer[]) c (category, type, pricing, n)
  where $organization <> '' group by 1, 2, 3 order by 1, 2, 3
  on conflict (category, type, pricing) do update set n = market_listing_count.n + excluded.n
  returning n`)

/** The counter of all approvals, which never decreases. */
const approvalCounter: ListingBucket = { category: '', type: '', pricing: '' }

/** The counter of other changes to search results. Together with approvals it is the generation of the catalogue. */
const changeCounter: ListingBucket = { category: '', type: '#', pricing: '' }

/** Moves an entry from one bucket to another and counts an approval or another change. */
export async function moveListingCount(
  tx: Tx,
  before: ListingBucket | undefined,
  after: ListingBucket | undefined,
  isApproval = false,
): Promise<void> {
  const moves: (ListingBucket & { by: number })[] = []
  moves.push({ ...(isApproval ? approvalCounter : changeCounter), by: 1 })
  if (before) moves.push({ ...before, by: -1 })
  if (after) moves.push({ ...after, by: 1 })
  await tx.run(addToCounts, {
    categories: moves.map(({ category }) => category),
    types: moves.map(({ type }) => type),
    pricings: moves.map(({ pricing }) => pricing),
    by: moves.map(({ by }) => by),
  })
}

const segment = `(select t.n / ${segmentLength} from market_listing_count t
  where t.category = '' and t.type = '' and t.pricing = '')`

// the release belongs to the organization of the entry
const putListing = sql<never, { entryId: string; releaseId: string; folded: string } & SearchTerms>(`
  insert into market_listing as l (entry_id, publisher_id, publisher_person_id, release_id, type, name, description,
    category, tags, pricing, version, icon_name, color, submitted_at, approved_at, updated_at, rating_rank, popularity,
    terms, name_folded)
  select e.id, r.publisher_id, e.submitted_by, r.id, r.type, r.name, r.description, e.category, e.tags, e.pricing,
    r.version, r.icon_name, r.color, r.submitted_at, now(), now(), ${ratingRank('0', '0', 'm.average')},
    ${popularity('0', 'now()')},
    ${termsSql} || ${filterMarksSql('r.type', 'e.category', 'e.pricing', segment)}, $folded
  from market_entry e join market_release r on r.publisher_id = $organization and r.id = $releaseId
    and r.entry_id = e.id
    cross join market_rating_average m
  where e.organization_id = $organization and e.id = $entryId
  on conflict (entry_id) do update set is_listed = true, publisher_person_id = excluded.publisher_person_id,
    release_id = excluded.release_id, type = excluded.type, name = excluded.name, description = excluded.description,
    category = excluded.category, tags = excluded.tags, pricing = excluded.pricing, version = excluded.version,
    icon_name = excluded.icon_name, color = excluded.color, submitted_at = excluded.submitted_at,
    approved_at = excluded.approved_at, updated_at = excluded.updated_at, terms = excluded.terms,
    name_folded = excluded.name_folded,
    popularity = ${popularity('l.recent_installers', 'excluded.approved_at')}
  returning l.entry_id`)
const setListed = sql<never, { entryId: string; releaseId: string } & SearchTerms>(`
  update market_entry e set status = 'APPROVED', listed_release_id = $releaseId, approved_at = now(), updated_at = now(),
    terms = ${termsSql}
  where e.organization_id = $organization and e.id = $entryId`)

/** Lists a release in place of the previous one. Ratings and install counts of the entry stay. */
export async function setListing(
  tx: Tx,
  entryId: string,
  releaseId: string,
  searched: ListingSearchText,
): Promise<void> {
  const terms = termsOf(searched)
  await Promise.all([
    tx.run(putListing, { entryId, releaseId, folded: foldedName(searched.name), ...terms }),
    tx.run(setListed, { entryId, releaseId, ...terms }),
    learnWords(tx, searched),
  ])
}

const insertWords = sql<never, { words: readonly string[] }>(`
  insert into market_word (word) select w from unnest($words::text[]) w
  where $organization <> '' and not exists (select from market_word k where k.word = w) order by 1
  on conflict do nothing returning word`)

async function learnWords(tx: Tx, searched: ListingSearchText): Promise<void> {
  await tx.run(insertWords, { words: learntWords(searched) })
}

const hideListing = sql<never, { entryId: string }>(`
  update market_listing l set is_listed = false, featured_until = null, updated_at = now()
  where l.publisher_id = $organization and l.entry_id = $entryId`)

/** Removes an entry from the catalogue. Its row stays, with its ratings and install counts. */
export async function setUnlisted(tx: Tx, entryId: string): Promise<void> {
  await tx.run(hideListing, { entryId })
}

const tagEntry = sql<
  never,
  {
    entryId: string
    category: Category
    tags: readonly string[]
  } & SearchTerms
>(`
  update market_entry e set category = $category, tags = $tags, updated_at = now(), terms = ${termsSql}
  where e.organization_id = $organization and e.id = $entryId`)
const tagListing = sql<
  never,
  {
    entryId: string
    category: Category
    tags: readonly string[]
  } & SearchTerms
>(`
  update market_listing l set category = $category, tags = $tags, updated_at = now(),
    terms = ${termsSql} || array_to_tsvector(array(
      select case when starts_with(w.mark, '@c') then '@c' || $category else w.mark end
      from unnest(tsvector_to_array(l.terms)) w (mark) where starts_with(w.mark, '@')))
  where l.publisher_id = $organization and l.entry_id = $entryId`)

/** Sets category and tags of an entry, and of its listing if it is listed. */
export async function setTags(
  tx: Tx,
  entryId: string,
  { category, tags, isListed }: { category: Category; tags: readonly string[]; isListed: boolean },
  searched: ListingSearchText,
): Promise<void> {
  const terms = termsOf(searched)
  await Promise.all([
    tx.run(tagEntry, { entryId, category, tags, ...terms }),
    isListed && tx.run(tagListing, { entryId, category, tags, ...terms }),
    isListed && learnWords(tx, searched),
  ])
}
