import type { Db, Tx } from './data/db.ts'
import type { Cipher } from './security/cipher.ts'

/** A person who is or may have been a contact of a client. */
export type PersonOfClient = {
  clientId: string
  addresses: readonly string[]
  /** Whether a text is the name of the person. */
  isNamed(text: string): boolean
}

/** A record that named the person. `retainedBecause` is null if its personal data was erased. */
export type ErasedRecord = { id: string; reference: string; retainedBecause: 'USED' | 'IN_USE' | null }

/** The personal data that an area keeps about the people of clients, by the name of the list. */
export type PersonalData = {
  export(
    db: Db,
    cipher: Cipher,
    person: PersonOfClient,
  ): Promise<Readonly<Record<string, readonly Record<string, unknown>[]>>>
  /** Erases what nothing requires to keep, in the transaction that erases the person. */
  erase(tx: Tx, person: PersonOfClient): Promise<Readonly<Record<string, readonly ErasedRecord[]>>>
}
