import { listPeople } from '#contract/identity/people.ts'
import { query } from '#platform/http/operation.ts'
import { namesOfPeople } from './member.sql.ts'

/** Names of people by their ids, for screens that show ids of members (MBR-16). */
export const people = query(listPeople, async ({ db, query }) => ({
  items: await db.rows(namesOfPeople, { ids: query.ids }),
}))
