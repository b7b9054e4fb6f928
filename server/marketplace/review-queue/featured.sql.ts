import { limits } from '#contract/limits.ts'
import type { Database } from '#platform/data/database.ts'
import type { Tx } from '#platform/data/db.ts'
import { crossTenantSql, sql } from '#platform/data/statement.ts'
import { recordEvents } from '#platform/events/audit.ts'
import { emit } from '#platform/events/emit.ts'

// times are stored and shown with milliseconds
const selectPeriod = sql<{ until: string; isPast: boolean; isTooFar: boolean }, { until: string }>(`
  select p.until, p.until <= now() as "isPast", p.until > now() + interval '${limits.featuredDays} days' as "isTooFar"
  from (select $until::timestamptz(3) as until where $organization <> '') p`)

/** A requested time as it is stored, compared with the clock of the database. */
export function featurePeriod(tx: Tx, until: string) {
  return tx.one(selectPeriod, { until })
}

const updateFeature = sql<never, { entryId: string; until: string }>(`
  update market_listing l set featured_until = $until, updated_at = now()
  where l.publisher_id = $organization and l.entry_id = $entryId and l.is_listed
    and l.featured_until is distinct from $until::timestamptz`)

/** Features a listed entry until a time. False if it already had that time. */
export async function setFeature(tx: Tx, entryId: string, until: string): Promise<boolean> {
  return (await tx.run(updateFeature, { entryId, until })) > 0
}

const clearFeature = sql<never, { entryId: string }>(`
  update market_listing l set featured_until = null, updated_at = now()
  where l.publisher_id = $organization and l.entry_id = $entryId and l.featured_until is not null`)

/** Stops featuring an entry. True only for the call that changed it, which emits the event. */
export async function endFeature(tx: Tx, entryId: string): Promise<boolean> {
  return (await tx.run(clearFeature, { entryId })) > 0
}

// index market_listing_featured
const selectExpired = crossTenantSql<{ entry_id: string; publisher_id: string }, { most: number }>(
  'housekeeping covers all organizations',
  `select l.entry_id, l.publisher_id from market_listing l
   where l.is_listed and l.featured_until is not null and l.featured_until <= now()
   order by l.featured_until, l.entry_id limit $most`,
)
const clearExpired = sql<never, { entryId: string }>(`
  update market_listing l set featured_until = null, updated_at = now()
  where l.publisher_id = $organization and l.entry_id = $entryId and l.featured_until <= now()`)

/**
 * Ends up to `limit` expired feature periods by the clock of the database and emits their events, each once even with
 * several workers. Lists leave such entries out before that. Returns the number of periods.
 */
export async function endExpiredFeatures(database: Database, limit = 100): Promise<number> {
  let ended = 0
  for (const { entry_id: entryId, publisher_id } of await database.crossTenant.rows(selectExpired, {
    most: limit,
  })) {
    await database.transact(
      publisher_id,
      async tx => {
        if ((await tx.run(clearExpired, { entryId })) === 0) return
        emit(tx, { personId: '' }, 'ai-marketplace.unfeatured', { entryId })
        ended++
      },
      recordEvents,
    )
  }
  return ended
}
