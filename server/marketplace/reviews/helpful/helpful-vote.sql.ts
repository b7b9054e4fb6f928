import type { Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'

/** A review as a helpful vote needs it. Its count is the number of its votes. */
export type VotableReviewRow = {
  entry_id: string
  /** The person wrote it, in any organization. */
  is_own: boolean
  helpful_count: number
}
// other people see a review while its entry is listed
const lock = sql<VotableReviewRow, { personId: string; id: string }>(`
  select r.entry_id, r.author_id = $personId as is_own, r.helpful_count
  from market_review r join market_listing l on l.entry_id = r.entry_id
  where r.id = $id and $organization <> '' and (l.is_listed or r.author_id = $personId) for no key update of r`)

/** Locks a review that the person may see, until the transaction ends. */
export function lockVotable(tx: Tx, personId: string, id: string): Promise<VotableReviewRow | undefined> {
  return tx.first(lock, { personId, id })
}

const mark = sql<{ helpful_count: number }, { personId: string; id: string }>(`
  with made as (
    insert into market_helpful (organization_id, review_id, person_id) values ($organization, $id, $personId)
    on conflict (organization_id, review_id, person_id) do nothing returning review_id)
  update market_review r set helpful_count = r.helpful_count + 1 from made where r.id = made.review_id
  returning r.helpful_count`)
const unmark = sql<never, { personId: string; id: string }>(`
  delete from market_helpful h where h.organization_id = $organization and h.review_id = $id and h.person_id = $personId`)
// a statement of its own, because Citus changes no row that all nodes have by one that a node has deleted
const countLess = sql<{ helpful_count: number }, { id: string }>(`
  update market_review r set helpful_count = r.helpful_count - 1 where r.id = $id and $organization <> ''
  returning r.helpful_count`)

/** Adds or removes the person's vote on a locked review. Returns the new count; undefined if nothing changed. */
export async function setHelpfulVote(
  tx: Tx,
  personId: string,
  id: string,
  isHelpful: boolean,
): Promise<number | undefined> {
  if (isHelpful) return (await tx.first(mark, { personId, id }))?.helpful_count
  return (await tx.run(unmark, { personId, id })) > 0
    ? (await tx.one(countLess, { id })).helpful_count
    : undefined
}
