import type { ErrorCode } from '#contract/errors.ts'
import type { EventName } from '#contract/events.ts'
import type { Database } from '#platform/data/database.ts'
import type { Tx } from '#platform/data/db.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { Cipher } from '#platform/security/cipher.ts'
import type { ColumnNames, CsvColumns, LineError, LineValues } from './csv-columns.ts'
import type { ImportStore } from './import-store.sql.ts'

/** The services that an import reads with. */
export type ImportReading = { database: Database; cipher: Cipher }

/** The author of imported records. */
export type Importer = Pick<Caller, 'personId'> & { auth: 'session'; applicationId: null }

/** A kind of records that files contain: how a line becomes a record. */
export type ImportKind<Item extends { id: string }> = {
  /** The plural noun, for the log. */
  readonly noun: string
  /** The operation in the audit log, and the field of its detail that lists the ids. */
  readonly operation: string
  readonly movedEvent: Extract<EventName, 'lead-import.moved' | 'client-import.moved'>
  readonly errors: { notFound: ErrorCode; running: ErrorCode; ended: ErrorCode }
  /** The purpose of the encryption of waiting lines. */
  readonly purpose: string
  readonly store: ImportStore
  readonly columnNames: ColumnNames
  /** Whether the caller may not write a field; its column is ignored. */
  isForbidden(caller: Caller, field: string): boolean
  parseLine(columns: CsvColumns, values: readonly string[]): { input: LineValues; errors: LineError[] }
  /** Reads the settings of an organization, and returns the function that makes a new record of a valid line. */
  itemMaker(services: ImportReading, organizationId: string): Promise<(input: LineValues) => Item>
  /** Two records with a key in common are duplicates. */
  keysOf(item: Item): readonly string[]
  /** For each new record, the number of stored ones that are its duplicates. */
  countStored(tx: Tx, cipher: Cipher, items: readonly Item[]): Promise<number[]>
  /** The error of a line with duplicates; undefined if it is imported and only reported. */
  readonly duplicateError: LineError | undefined
  /** Writes new records with their events. It must be the last statement of the transaction. */
  create(tx: Tx, importer: Importer, items: readonly Item[]): Promise<unknown>
}
