import type { Db, WideDb } from '../data/database.ts'
import type { EventSubject } from './emit.ts'

/** What would be told: an event by its name, and what it is about. */
export type RecipientQuery = { organizationId: string; event: string; about: EventSubject }
/** The same to one application. */
export type RecipientCheck = RecipientQuery & { applicationId: string }

/**
 * Which applications may be told of what is about a place that not all of them may look into, at the moment of asking:
 * when notices are made, before each attempt to send one, and when they are read. The area that knows the place answers;
 * what it does not know may be told to nobody.
 */
export type RecipientsResolver = {
  /** Of each, the applications that may be told. */
  hearers(db: WideDb, tellings: readonly RecipientQuery[]): Promise<readonly ReadonlySet<string>[]>
  /** Of each, whether that application may be told. */
  mayBeTold(db: WideDb, tellings: readonly RecipientCheck[]): Promise<readonly boolean[]>
  /** The same for the organization of `db`. */
  mayBeToldIn(
    db: Db,
    tellings: readonly Omit<RecipientCheck, 'organizationId'>[],
  ): Promise<readonly boolean[]>
}

/** Where no area answers nobody may be told. */
export const noRecipients: RecipientsResolver = {
  hearers: async (_db, tellings) => tellings.map(() => new Set<string>()),
  mayBeTold: async (_db, tellings) => tellings.map(() => false),
  mayBeToldIn: async (_db, tellings) => tellings.map(() => false),
}
