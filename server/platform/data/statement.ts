import { createHash } from 'node:crypto'

/**
 * One SQL statement, prepared once per connection under its name. `Args` are the parameters after the
 * organization; `Row` is a row of the result.
 */
export type Statement<Row, Args extends readonly unknown[]> = {
  readonly name: string
  readonly text: string
  /** Why the statement may read more than one organization; undefined if it may not. */
  readonly crossTenantReason?: string
  readonly types?: { row: Row; args: Args }
}

const known = new Map<string, Statement<unknown, readonly unknown[]>>()

function remember<Row, Args extends readonly unknown[]>(
  text: string,
  crossTenantReason?: string,
): Statement<Row, Args> {
  const tidy = text.replace(/\s+/g, ' ').trim()
  const name = `p_${createHash('sha256').update(tidy).digest('hex').slice(0, 16)}`
  const statement = { name, text: tidy, ...(crossTenantReason && { crossTenantReason }) }
  known.set(name, statement)
  return statement
}

/**
 * A statement about one organization: `$1` is the organization, bound by the handle that runs the statement
 * and never by the caller. Each tenant table must be tied to `$1` (see guard.ts).
 */
export function sql<Row, Args extends readonly unknown[] = []>(text: string): Statement<Row, Args> {
  return remember<Row, Args>(text)
}

/** A statement that is not about one organization. `reason` says why. */
export function crossTenantSql<Row, Args extends readonly unknown[] = []>(
  reason: string,
  text: string,
): Statement<Row, Args> {
  return remember<Row, Args>(text, reason)
}

/** Every declared statement; the invariants prepare and inspect each of them. */
export function statements(): Statement<unknown, readonly unknown[]>[] {
  return [...known.values()]
}
