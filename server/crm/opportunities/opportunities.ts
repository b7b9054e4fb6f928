import * as contract from '#contract/crm/opportunities.ts'
import { fail } from '#platform/fail.ts'
import { command, query } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { listPageOf } from '../paged-list.sql.ts'
import { lockReferences } from '../references.sql.ts'
import { searchedText } from '../search-terms.ts'
import { lockOpportunity, opportunityFor } from './opportunity.access.ts'
import { showOpportunity } from './opportunity.json.ts'
import {
  assertMayChange,
  assertPriced,
  blankOpportunity,
  changedFields,
  withFields,
} from './opportunity.rules.ts'
import { insertOpportunity, listOpportunities, setOpportunity } from './opportunity.sql.ts'

export const create = command(contract.createOpportunity, async ({ tx, body, audit }) => {
  const draft = withFields(blankOpportunity(newId()), body)
  assertPriced(draft)
  await lockReferences(tx, body)
  const opportunity = await insertOpportunity(tx, draft)
  audit(opportunity.id, changedFields(null, opportunity))
  return showOpportunity(opportunity)
})

export const list = query(contract.listOpportunities, async ({ db, query }) => {
  const { status = null, clientId = null, ids } = query
  const { limit, offset } = listPageOf(query)
  const search = searchedText(query.search)
  const { rows, total } = await listOpportunities(db, { status, clientId, ids, search }, { limit, offset })
  return { items: rows.map(showOpportunity), total, limit, offset }
})

export const read = query(contract.readOpportunity, async ({ db, params }) =>
  showOpportunity(await opportunityFor(db, params.id)),
)

/** Unchanged references are not checked: the member may have left, or the contact may be archived since. */
export const update = command(contract.updateOpportunity, async ({ tx, params, body, audit }) => {
  if (Object.keys(body).length === 0) fail('NOTHING_TO_CHANGE')
  const before = await lockOpportunity(tx, params.id)
  const after = withFields(before, body)
  const changed = changedFields(before, after)
  audit(before.id, changed)
  if (changed.length === 0) return showOpportunity(before)
  assertMayChange(before, after)
  assertPriced(after)
  await lockReferences(tx, {
    contactId: after.contact_id === before.contact_id ? null : after.contact_id,
    ownerId: after.owner_id === before.owner_id ? null : after.owner_id,
  })
  return showOpportunity(await setOpportunity(tx, after))
})
