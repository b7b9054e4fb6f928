import type { Database } from '#platform/data/database.ts'
import { recordEvents } from '#platform/events/audit.ts'
import { emit } from '#platform/events/emit.ts'
import { listEndpoints } from './endpoint/all-endpoints.sql.ts'

/** No person caused the event. */
const systemActor = { personId: '' }

/** Emits RESYNC for every application that has a webhook. */
export async function announceRestore(database: Database, restoredTo: string | null): Promise<void> {
  const applications = Map.groupBy(await listEndpoints(database), ({ organization_id }) => organization_id)
  for (const [organizationId, endpoints] of applications)
    await database.transact(
      organizationId,
      async tx => {
        for (const { application_id: applicationId } of endpoints)
          emit(tx, systemActor, 'RESYNC', { reason: 'restored', restoredTo }, { applicationId })
      },
      recordEvents,
    )
}
