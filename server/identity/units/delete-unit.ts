import type { Tx } from '#platform/data/db.ts'
import type { EventActor } from '#platform/events/emit.ts'
import type { AccessServices } from '#platform/services.ts'
import { announceOwnAccess, recordAccessChange } from '../person.access.ts'
import { memberIdsOfUnit, removeUnit } from './unit.sql.ts'

/**
 * Deletes a unit that is locked. Its members lose what they could read through it (UNT-4), and their streams say so (PEO-8).
 * The assets that they lose are not announced one by one (STR-13).
 */
export async function deleteUnit(
  tx: Tx,
  services: AccessServices,
  actor: EventActor,
  unitId: string,
): Promise<void> {
  const members = await tx.rows(memberIdsOfUnit, { unitId })
  await tx.run(removeUnit, { id: unitId })
  await recordAccessChange(tx, services, null)
  for (const { id } of members) announceOwnAccess(tx, actor, id)
}
