import { type SyncedLead, syncLeads } from '#contract/crm/leads.ts'
import { limits } from '#contract/limits.ts'
import { msOf } from '#platform/clock.ts'
import { fail } from '#platform/fail.ts'
import { query } from '#platform/http/operation.ts'
import { readableParts, showLead } from '../lead.json.ts'
import { notesReader } from '../notes.ts'
import { changesAfter } from './lead-sync.sql.ts'
import { setSyncPosition } from './lead-sync-reader.sql.ts'
import { decodeCursor, encodeCursor, noEpoch, type SyncPosition } from './sync-cursor.ts'

/** Lists leads by (updatedAt, id). No change appears behind a cursor (SYNC-1, SYNC-2; decision 0016). */
export const sync = query(syncLeads, async ({ db, caller, query, services, setHeader }) => {
  const { organizationId } = caller
  const { limit = limits.leadSyncPageDefault } = query
  const from = startPosition(organizationId, query)
  const parts = readableParts({ caller, query, setHeader })
  const { epoch, leads } = await changesAfter(db, from, limit + 1, parts.notes)
  if (from.epoch !== noEpoch && from.epoch !== epoch) fail('SYNC_CURSOR_EXPIRED')
  const page = leads.slice(0, limit)
  const last = page.at(-1)
  const position = last ? { ms: Date.parse(last.updated_at), id: last.id } : from
  // a missing record only makes the status of the sync older
  if (caller.applicationId !== null)
    await setSyncPosition(db, caller.applicationId, position).catch(error =>
      services.log?.warn({ err: error }, 'the position of a sync was not recorded'),
    )
  const notes = notesReader(services.cipher, organizationId)
  return {
    data: page.map(
      (lead): SyncedLead =>
        lead.erased_at === null
          ? showLead(lead, parts, notes)
          : { id: lead.id, erased: true, updatedAt: lead.updated_at },
    ),
    nextCursor: encodeCursor(organizationId, { ...position, epoch: epoch ?? noEpoch }),
    hasMore: leads.length > limit,
  }
})

type Query = { cursor?: string; updatedSince?: string }

/** The position of the cursor, or the start. */
function startPosition(organizationId: string, { cursor, updatedSince }: Query): SyncPosition {
  if (cursor === undefined)
    return {
      epoch: noEpoch,
      ms: updatedSince === undefined ? 0 : Math.max(0, msOf(updatedSince)),
      id: '',
    }
  if (updatedSince !== undefined)
    fail('VALIDATION_ERROR', {
      details: [{ path: 'updatedSince', code: 'forbidden', message: 'cannot be combined with cursor' }],
    })
  return decodeCursor(organizationId, cursor)
}
