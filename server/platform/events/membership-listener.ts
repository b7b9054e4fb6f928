import type { Tx } from '../data/db.ts'
import type { EventActor } from './emit.ts'

/**
 * Keeps an area's data consistent with memberships and permissions. It runs after the change, in the same
 * transaction, so that nobody sees one without the other.
 */
export type MembershipListener = {
  /** The role, permissions or membership of a person changed; null: of everybody. */
  membershipChanged(tx: Tx, actor: EventActor, personId: string | null): Promise<void>
  /** A person left a department, workspace or group, but not the organization. */
  unitLeft(tx: Tx, actor: EventActor, personId: string, unitId: string): Promise<void>
  /** An application was deleted. */
  applicationDeleted(tx: Tx, actor: EventActor, applicationId: string): Promise<void>
}
