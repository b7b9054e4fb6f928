import type { Database } from '#platform/data/database.ts'
import { recordEvents } from '#platform/events/audit.ts'
import { endDelivery } from './end-delivery.ts'
import { type DeliveryResult, listLostDeliveries } from './sending.sql.ts'

const batchSize = 100
const unknown: DeliveryResult = { state: 'UNKNOWN', refused: [], server_reply: null }

/**
 * Ends deliveries whose process was killed, as UNKNOWN: the mail server may have accepted them. Returns their
 * number.
 */
export async function endLostDeliveries(database: Database): Promise<number> {
  const lost = await listLostDeliveries(database, batchSize)
  for (const delivery of lost)
    await database.transact(
      delivery.organization_id,
      tx => endDelivery(tx, { personId: '' }, delivery, unknown),
      recordEvents,
    )
  return lost.length
}
