import { createHash } from 'node:crypto'

/**
 * One SQL statement, prepared once per connection under its name. `Args` are its parameters after the
 * organization, `Row` is what a row of its result looks like.
 */
export type Statement<Row, Args extends readonly unknown[]> = {
  readonly name: string
  readonly text: string
  /** Set when the statement may look beyond one organization: the reason why. */
  readonly crossTenantReason?: string
  readonly types?: { row: Row; args: Args }
}

const known = new Map<string, Statement<unknown, readonly unknown[]>>()

function remember<Row, Args extends readonly unknown[]>(text: string, crossTenantReason?: string): Statement<Row, Args> {
  const tidy = text.replace(/\s+/g, ' ').trim()
  const name = `p_${createHash('sha256').update(tidy).digest('hex').slice(0, 16)}`
  const statement = { name, text: tidy, ...(crossTenantReason && { crossTenantReason }) }
  known.set(name, statement)
  return statement
}

/**
 * A statement about one organization: `$1` is the organization, bound by the handle that runs it and never by
 * the caller. Each tenant table in it must be tied to `$1` (see guard.ts).
 */
export function sql<Row, Args extends readonly unknown[] = []>(text: string): Statement<Row, Args> {
  return remember<Row, Args>(text)
}

/** A statement that is not about one organization. `reason` says why that is right. */
export function crossTenantSql<Row, Args extends readonly unknown[] = []>(
  reason: string,
  text: string,
): Statement<Row, Args> {
  return remember<Row, Args>(text, reason)
}

/** Every statement that has been declared so far; the laws prepare and inspect each of them. */
export function statements(): Statement<unknown, readonly unknown[]>[] {
  return [...known.values()]
}
