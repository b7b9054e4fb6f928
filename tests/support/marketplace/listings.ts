import { newId } from '#platform/ids.ts'
import { blocked } from '../blocked.ts'
import { only } from '../elements.ts'
import { insertRows } from '../rows.ts'
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
  const status = isListed ? 'APPROVED' : 'ARCHIVED'
  await insertRows(server, 'market_release', [
    {
      id: releaseId,
      publisher_id: organizationId,
      entry_id: entryId,
      asset_id: assetId,
      version,
      status,
      submitted_by: personId,
    },
  ])
  await insertRows(server, 'market_entry', [
    {
      organization_id: organizationId,
      id: entryId,
      asset_id: assetId,
      submitted_by: personId,
      status,
      listed_release_id: isListed ? releaseId : null,
      last_release_id: releaseId,
      approved_at: new Date(),
    },
  ])
  await insertRows(server, 'market_listing', [
    {
      entry_id: entryId,
      is_listed: isListed,
      publisher_id: organizationId,
      publisher_person_id: personId,
      release_id: releaseId,
      version,
    },
  ])
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
  const { release_id } = only(
    await server.sql('select release_id from market_listing where entry_id = $1', [entryId]),
  )
  const id = newId()
  await insertRows(server, 'market_install', [
    {
      organization_id: organizationId,
      id,
      person_id: personId,
      entry_id: entryId,
      release_id,
      installed_asset_id: id,
      installed_version: version,
    },
  ])
  await insertRows(
    server,
    'market_installer',
    [{ organization_id: organizationId, entry_id: entryId, person_id: personId }],
    { orSkip: true },
  )
}

/** Inserts reviews of an entry by invented people, with their sums in the listing. Returns their ids. */
export async function insertReviewRows(
  server: TestServer,
  { organizationId }: Person,
  entryId: string,
  count: number,
): Promise<string[]> {
  const ids = Array.from({ length: count }, newId)
  await insertRows(
    server,
    'market_review',
    ids.map(id => ({
      id,
      entry_id: entryId,
      author_organization_id: organizationId,
      author_id: `writer-${id}`,
    })),
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
    await blocked(server)
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
