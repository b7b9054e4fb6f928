import { createHash } from 'node:crypto'

/** A statement, whatever its rows and parameters are. */
export type AnyStatement = {
  readonly name: string
  /** The text as PostgreSQL gets it, with `$1`, `$2` … */
  readonly text: string
  /** The names of the parameters `$1`, `$2` … */
  readonly parameters: readonly string[]
  /** Why the statement may read more than one organization; undefined if it may not. */
  readonly crossTenantReason?: string
  /** `generic`: always runs with the plan that PostgreSQL made without the values of the parameters. */
  readonly plan?: 'generic'
  /** The text for Citus, with the same parameters, if it is another one. */
  readonly textOnCitus?: string
}

type StatementOptions = Pick<AnyStatement, 'plan' | 'crossTenantReason'> & { onCitus?: string }

/**
 * One SQL statement, prepared once per connection under its name. `Args` are its parameters by name, without the
 * organization; `Row` is a row of the result.
 */
export type Statement<Row, Args extends object> = AnyStatement & {
  readonly types?: { row: Row; args: Args }
}

/** The parameters of a statement that has none but the organization. */
export type NoArgs = Record<never, never>
/** The arguments after the statement in a call: none, or one object with its parameters. */
export type StatementValues<Args extends object> =
  Record<never, never> extends Args ? [args?: Args] : [args: Args]

const known = new Map<string, AnyStatement>()

function remember<Row, Args extends object>(
  text: string,
  { onCitus = text, ...options }: StatementOptions,
): Statement<Row, Args> {
  const parameters = options.crossTenantReason === undefined ? [organization] : []
  const prepared = (written: string) =>
    withNumbers(withTimeOfTransaction(written.replace(/\s+/g, ' ').trim()), parameters)
  const onOneServer = prepared(text.replaceAll(lockMark, ''))
  const count = parameters.length
  const textOnCitus = prepared(onCitus.replace(markedLocks, ''))
  if (parameters.length > count) throw new Error(`The text for Citus has another parameter: ${onCitus}`)
  const name = `p_${createHash('sha256').update(onOneServer).digest('hex').slice(0, 16)}`
  const statement = {
    name,
    text: onOneServer,
    parameters,
    ...options,
    ...(textOnCitus !== onOneServer && { textOnCitus }),
  }
  known.set(name, statement)
  return statement
}

const lockMark = '/*lock*/'
const markedLocks = /\/\*lock\*\/.*?\/\*lock\*\//g

type LockOfRows = 'for share' | `for ${'update' | 'no key update'}${'' | ' skip locked'}`

/**
 * A lock of the rows of a subselect, in a statement about all organizations. Citus cannot lock rows of several shards in a subselect and
 * gets the statement without it, so the statement around it asks the condition again: of two that select the same row there, the
 * second one waits for the first and then finds the condition false.
 */
export function oneServerLock(lock: LockOfRows): string {
  return `${lockMark}${lock}${lockMark}`
}

const organization = 'organization'

/** The parameter that stands for `now()`. PostgreSQL reads its value, the word `now`, as the time at which the transaction began. */
const timeOfTransaction = 'now'
const writes = /\b(?:insert into|delete from|update [a-z_]+(?: (?:as )?[a-z_]+)? set)\b/i
const nowOutsideComparisons = /(?<![<>]=? )\bnow\(\)/g

/**
 * A statement that writes with a parameter in place of `now()`, which has the same value: Citus refuses a function that is not
 * immutable in `case`, `coalesce`, `returning` and `do update set`, since the nodes would each have their own time. After `<` and `>`,
 * `now()` stays, because PostgreSQL estimates the rows of a condition with its value, and could keep planning anew for a parameter.
 */
function withTimeOfTransaction(text: string): string {
  if (/\$now\b/.test(text)) throw new Error(`A statement names a parameter "now": ${text}`)
  return writes.test(text) ? text.replace(nowOutsideComparisons, `$${timeOfTransaction}::timestamptz`) : text
}

/** The text with numbers instead of names, in the order in which the names appear; adds those to `parameters`. */
function withNumbers(text: string, parameters: string[]): string {
  if (/\$\d/.test(text)) throw new Error(`A statement numbers its parameters: ${text}`)
  return text.replace(/\$([a-z]\w*)/gi, (_, name: string) => {
    if (!parameters.includes(name)) parameters.push(name)
    return `$${parameters.indexOf(name) + 1}`
  })
}

/**
 * A statement about one organization: `$organization` is bound by the handle that runs the statement and never by
 * the caller; the other parameters are named as in `Args` (`$leadId`). Each tenant table must be tied to
 * `$organization` (see guard.ts). The time is `now()`, the beginning of the transaction by the clock of the database. The moment
 * itself, which is later where the statement waited, is `clock_timestamp()`; a statement that writes has it only in `values`, whose
 * row `do update set` reads as `excluded`, or selects it once: `(select clock_timestamp())`. Citus takes it nowhere else.
 */
export function sql<Row, Args extends object = NoArgs>(text: string): Statement<Row, Args> {
  return remember<Row, Args>(text, {})
}

/**
 * The same for a long statement whose planning takes longer than its execution. PostgreSQL plans it once per connection
 * and again after ANALYZE, and does not choose between plans by their estimated costs (decision 0047). Its plan must fit
 * every reader and every size of the tables. On Citus, which cannot plan without the values, it is planned as others.
 */
export function plannedOnce<Row, Args extends object = NoArgs>(text: string): Statement<Row, Args> {
  return remember<Row, Args>(text, { plan: 'generic' })
}

/**
 * A statement that is not about one organization. `reason` says why. `onCitus` is another text for Citus with the same parameters and
 * columns, for the few that read an index in a way that Citus cannot divide among the nodes (decision 0053).
 */
export function crossTenantSql<Row, Args extends object = NoArgs>(
  reason: string,
  text: string,
  { onCitus }: { onCitus?: string } = {},
): Statement<Row, Args> {
  return remember<Row, Args>(text, { crossTenantReason: reason, ...(onCitus !== undefined && { onCitus }) })
}

/**
 * The values of a call in the order of the numbers in the text.
 *
 * @throws Error if a parameter has no value: null is a value, undefined is none
 */
export function valuesOf(
  { text, parameters }: AnyStatement,
  args: object = {},
  organizationId?: string,
): unknown[] {
  const given = args as Readonly<Record<string, unknown>>
  return parameters.map(name => {
    if (name === timeOfTransaction) return timeOfTransaction
    const value = name === organization && organizationId !== undefined ? organizationId : given[name]
    if (value === undefined) throw new Error(`No value for $${name} of: ${text}`)
    return value
  })
}

/** Every declared statement; the invariants prepare and inspect each of them. */
export function statements(): AnyStatement[] {
  return [...known.values()]
}
