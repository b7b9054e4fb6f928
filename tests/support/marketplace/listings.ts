import { expect } from 'vitest'
import { newId } from '#platform/ids.ts'
import type { Person, TestServer } from '../test-server.ts'

/** From now on, the worker's job leaves the average of all ratings, which starts at 3, as it is. */
export const keepAverageOfRatings = (server: TestServer) =>
  server.sql(`update market_rating_average set computed_at = 'infinity'`)

/** Inserts the rows of an approved entry. Returns its id. */
export async function insertListing(
  server: TestServer,
  { id: personId, organizationId }: Person,
  { isListed = true, version = '1.0.0' }: { isListed?: boolean; version?: string } = {},
): Promise<string> {
  const [entryId, releaseId, assetId] = [newId(), newId(), newId()]
  await server.sql(
    `insert into market_release (id, publisher_id, entry_id, asset_id, version_id, version, type, slug, name, description,
       body_markdown, frontmatter, asset_tags, digest, findings, status, submitted_by)
     values ($1, $2, $3, $4, 'v', $5, 'PROMPT', 's', 'Planted', '', '', '{}', '{}', repeat('0', 64), '[]', $6, $7)`,
    [releaseId, organizationId, entryId, assetId, version, isListed ? 'APPROVED' : 'ARCHIVED', personId],
  )
  await server.sql(
    `insert into market_entry (organization_id, id, asset_id, submitted_by, category, tags, pricing, status, listed_release_id,
       last_release_id, approved_at) values ($1, $2, $3, $4, 'OTHER', '{}', 'FREE', $5, $6, $7, now())`,
    [
      organizationId,
      entryId,
      assetId,
      personId,
      ...(isListed ? ['APPROVED', releaseId] : ['ARCHIVED', null]),
      releaseId,
    ],
  )
  await server.sql(
    `insert into market_listing (entry_id, is_listed, publisher_id, publisher_person_id, release_id, type, name, description,
       category, tags, pricing, version, submitted_at, approved_at, updated_at, terms)
     values ($1, $2, $3, $4, $5, 'PROMPT', 'Planted', '', 'OTHER', '{}', 'FREE', $6, now(), now(), now(), '')`,
    [entryId, isListed, organizationId, personId, releaseId, version],
  )
  return entryId
}

/** Removes an inserted entry from the catalogue, or lists it again. */
export async function setListed(server: TestServer, entryId: string, isListed: boolean): Promise<void> {
  await server.sql('update market_listing set is_listed = $2 where entry_id = $1', [entryId, isListed])
  await server.sql(
    `update market_entry set status = $2, listed_release_id = case when $3 then last_release_id end where id = $1`,
    [entryId, isListed ? 'APPROVED' : 'ARCHIVED', isListed],
  )
}

/** Inserts the rows of an install, without the copy. */
export async function insertInstallRows(
  server: TestServer,
  { id: personId, organizationId }: Person,
  entryId: string,
  version = '1.0.0',
): Promise<void> {
  await server.sql(
    `insert into market_install (organization_id, id, person_id, entry_id, release_id, entry_name, installed_asset_id,
       installed_version, files_copied, files_failed, statement, signature, key_id, public_key)
     select $1, $2, $3, entry_id, release_id, 'Planted', $2, $5, 0, 0, '{}', '', '', '' from market_listing where entry_id = $4`,
    [organizationId, newId(), personId, entryId, version],
  )
  await server.sql('insert into market_installer values ($1, $2, $3) on conflict do nothing', [
    organizationId,
    entryId,
    personId,
  ])
}

/** Inserts reviews of an entry by invented people, with their sums in the listing. Returns their ids. */
export async function insertReviewRows(
  server: TestServer,
  { organizationId }: Person,
  entryId: string,
  count: number,
): Promise<string[]> {
  const ids = Array.from({ length: count }, newId)
  await server.sql(
    `insert into market_review (id, entry_id, author_organization_id, author_id, rating, version)
     select id, $1, $2, 'writer-' || id, 3, '1.0.0' from unnest($3::text[]) id`,
    [entryId, organizationId, ids],
  )
  await server.sql(
    'update market_listing set rating_sum = rating_sum + 3 * $2, rating_count = rating_count + $2 where entry_id = $1',
    [entryId, count],
  )
  return ids
}

/**
 * Makes a call wait for another transaction: runs the statements of that transaction, starts the call, and commits when the
 * call waits for a lock.
 */
export async function whileBlocked<Answer>(
  server: TestServer,
  statements: [text: string, values: unknown[]][],
  call: () => Promise<Answer>,
): Promise<Answer> {
  const client = await server.api.services.database.pool.connect()
  try {
    await client.query('begin')
    for (const [text, values] of statements) await client.query(text, values)
    const answer = call()
    await expect
      .poll(async () => {
        const waiting = await server.sql(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return waiting.length
      })
      .toBeGreaterThan(0)
    await client.query('commit')
    return await answer
  } finally {
    client.release()
  }
}

/** The events about an entry in order, after the relay numbered them. */
export async function emittedEvents(server: TestServer, entryId: string) {
  await server.relayed()
  const events = await server.sql<{
    name: string
    data: Record<string, unknown>
    recipients: string[] | null
  }>(
    `select name, data, recipients from event where organization_id = 'marketplace' and data ->> 'entryId' = $1 order by seq`,
    [entryId],
  )
  return events.map(({ name, data: { entryId: _, ...data }, recipients }) => ({
    name: name.replace('ai-marketplace.', ''),
    data,
    ...(recipients && { recipients }),
  }))
}
