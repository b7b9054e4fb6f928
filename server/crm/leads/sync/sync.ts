import { type SyncedLead, syncLeads } from '#contract/crm/leads.ts'
import { limits } from '#contract/limits.ts'
import { msOf } from '#platform/clock.ts'
import { fail } from '#platform/fail.ts'
import { query } from '#platform/http/operation.ts'
import { partsOf, showLead } from '../lead.json.ts'
import { notesOf } from '../notes.ts'
import { cursorAt, noEpoch, type Place, placeOf } from './cursor.ts'
import { changesAfter } from './lead-sync.sql.ts'

/** Leads by (updatedAt, id). No change appears behind a cursor (SYNC-1, SYNC-2; decision 0016). */
export const sync = query(syncLeads, async ({ db, caller, query, services, setHeader }) => {
  const { organizationId } = caller
  const { limit = limits.leadSyncPageDefault } = query
  const from = beginning(organizationId, query)
  const parts = partsOf({ caller, query, heading: setHeader })
  const { epoch, leads } = await changesAfter(db, from, limit + 1, parts.notes)
  if (from.epoch !== noEpoch && from.epoch !== epoch) fail('SYNC_CURSOR_EXPIRED')
  const told = leads.slice(0, limit)
  const last = told.at(-1)
  const reached = last ? { ms: Date.parse(last.updated_at), id: last.id } : from
  const notes = notesOf(services.cipher, organizationId)
  return {
    data: told.map(
      (lead): SyncedLead =>
        lead.erased_at === null
          ? showLead(lead, parts, notes)
          : { id: lead.id, erased: true, updatedAt: lead.updated_at },
    ),
    nextCursor: cursorAt(organizationId, { ...reached, epoch: epoch ?? noEpoch }),
    hasMore: leads.length > limit,
  }
})

type Query = { cursor?: string; updatedSince?: string }

/** Where a reader goes on, or begins. */
function beginning(organizationId: string, { cursor, updatedSince }: Query): Place {
  if (cursor === undefined)
    return {
      epoch: noEpoch,
      ms: updatedSince === undefined ? 0 : Math.max(0, msOf(updatedSince)),
      id: '',
    }
  if (updatedSince !== undefined)
    fail('VALIDATION_ERROR', {
      details: [
        { path: 'updatedSince', code: 'forbidden', message: 'says where to begin: not beside a cursor' },
      ],
    })
  return placeOf(organizationId, cursor)
}
