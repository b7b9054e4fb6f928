import type { Statement, StatementValues } from './statement.ts'

/** Runs statements for one organization, which is bound as `$organization`. */
export type Db = {
  readonly organizationId: string
  /** All rows. */
  rows<Row, Args extends object>(
    statement: Statement<Row, Args>,
    ...args: StatementValues<Args>
  ): Promise<Row[]>
  /** The first row, or undefined. */
  first<Row, Args extends object>(
    statement: Statement<Row, Args>,
    ...args: StatementValues<Args>
  ): Promise<Row | undefined>
  /**
   * The first row of a statement that always has one: an aggregate, an insert, a row that a constraint or a lock keeps.
   *
   * @throws Error if there is none
   */
  one<Row, Args extends object>(statement: Statement<Row, Args>, ...args: StatementValues<Args>): Promise<Row>
}

/** The same inside a transaction. Every function that writes takes one. */
export type Tx = Db & {
  readonly transaction: true
  /** The number of rows that an update or delete changed. */
  run<Row, Args extends object>(
    statement: Statement<Row, Args>,
    ...args: StatementValues<Args>
  ): Promise<number>
  /**
   * Runs a part of the transaction that may fail alone: its writes and events are undone, and the transaction
   * continues. The error is thrown unchanged. The work uses the handle that it receives, which is invalid
   * after the part has ended; until then the handle of the transaction is invalid.
   */
  savepoint<Result>(work: (part: Tx) => Promise<Result>): Promise<Result>
  /**
   * Starts the steps one after another and awaits them together: their first statements reach PostgreSQL in this order,
   * in one round trip. For steps that lock rows, so that all transactions lock in the same order and do not deadlock. A
   * step that sends no statement at once ends before the next one starts. Throws the error of the step that failed first.
   */
  inOrder<Results extends readonly unknown[]>(
    ...steps: { [Step in keyof Results]: () => Results[Step] | Promise<Results[Step]> }
  ): Promise<Results>
  /** The events and the audit entry that are written with the commit. */
  readonly pending: PendingEffects
}

/** Collected until the commit, so that events and the audit row cost one statement together. */
export type PendingEffects = {
  events: {
    id: string
    name: string
    actorId: string | null
    data: unknown
    to?: readonly unknown[]
    about?: Readonly<Record<string, string>>
  }[]
  /** Run after the commit; must not throw. */
  afterCommit: (() => void)[]
  /** Records neither events nor an audit entry: the call repeats another one, or changed nothing that they cover. */
  isReplay?: boolean
  /** The call changed nothing, so it does not count against a limit of successes. */
  uncounted?: boolean
}

/** `rows`, `first` and `one` as above, for statements that say why they may read more than one organization. */
export type CrossTenantDb = Omit<Db, 'organizationId'>
export type CrossTenantTx = CrossTenantDb & { readonly transaction: true; of(organizationId: string): Tx }
