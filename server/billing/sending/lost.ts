import type { Database } from '#platform/data/database.ts'
import { recordEvents } from '#platform/events/audit.ts'
import { end } from './end.ts'
import { lostDeliveries, type Outcome } from './sending.sql.ts'

/** So many at a time. */
const most = 100
const unknown: Outcome = { state: 'UNKNOWN', refused: [], answer: null }

/** Ends deliveries whose process was killed: nobody knows whether the mail server took them. Answers how many. */
export async function endLostDeliveries(database: Database): Promise<number> {
  const lost = await lostDeliveries(database, most)
  for (const delivery of lost)
    await database.transact(
      delivery.organization_id,
      tx => end(tx, { personId: '' }, delivery, unknown),
      recordEvents,
    )
  return lost.length
}
