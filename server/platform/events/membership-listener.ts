import type { Tx } from '../data/database.ts'
import type { EventActor } from './emit.ts'

/**
 * What an area keeps in step with who is in an organization and what they may do there, or who is known there. It runs in the transaction that
 * changes this, after the change, so that nobody ever sees the one without the other.
 */
export type MembershipListener = {
  /** The role of a person, what it permits, or their membership is another one; null: of anybody. */
  standingChanged(tx: Tx, actor: EventActor, personId: string | null): Promise<void>
  /** A person left a department, workspace or group, and stays in the organization. */
  unitLeft(tx: Tx, actor: EventActor, personId: string, unitId: string): Promise<void>
  /** An application was deleted. */
  applicationDeleted(tx: Tx, actor: EventActor, applicationId: string): Promise<void>
  /** A person who was a contact of a client, or may have been, was erased; these were their addresses. */
  personErased(tx: Tx, person: { clientId: string; addresses: readonly string[] }): Promise<void>
}
