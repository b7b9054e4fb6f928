import type { CrossTenantDb, Db } from '../data/db.ts'
import type { EventSubject } from './emit.ts'

/** An event by name, and its subject. */
export type RecipientQuery = { organizationId: string; event: string; about: EventSubject }
/** The same for one application. */
export type RecipientCheck = RecipientQuery & { applicationId: string }

/**
 * Decides which applications may currently receive events about an object that not all of them may see, such
 * as a channel. It is asked when deliveries are created, before each attempt, and when a delivery is
 * read. The area of the object decides; an unknown object has no recipients.
 */
export type RecipientsResolver = {
  /** For each query, the applications that may receive it. */
  recipientsOf(db: CrossTenantDb, queries: readonly RecipientQuery[]): Promise<readonly ReadonlySet<string>[]>
  /** For each check, whether the application may receive it. */
  mayReceive(db: CrossTenantDb, queries: readonly RecipientCheck[]): Promise<readonly boolean[]>
  /** The same for the organization of `db`. */
  mayReceiveIn(
    db: Db,
    queries: readonly Omit<RecipientCheck, 'organizationId'>[],
  ): Promise<readonly boolean[]>
}

/** Without an area that decides, nobody may receive the event. */
export const noRecipients: RecipientsResolver = {
  recipientsOf: async (_db, queries) => queries.map(() => new Set<string>()),
  mayReceive: async (_db, queries) => queries.map(() => false),
  mayReceiveIn: async (_db, queries) => queries.map(() => false),
}
