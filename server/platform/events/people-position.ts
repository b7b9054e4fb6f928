import { sharedStreams } from '#contract/events.ts'
import type { Database } from '../data/database.ts'
import { headsOf } from './relay.sql.ts'
import { cursorSeparator } from './sse/subscriber.ts'

/**
 * The position of the people's stream of an organization, in the form that the ids of its events have (PEO-3). All events
 * up to it are of committed changes: who reads something afterwards and opens the stream here misses no change of it.
 */
export async function peopleStreamPosition(database: Database, organizationId: string): Promise<string> {
  const topics = [organizationId, ...sharedStreams]
  const heads = await database.crossTenant.rows(headsOf, { organizationIds: topics })
  const seqByTopic = new Map(heads.map(head => [head.organization_id, head.seq]))
  return topics.map(topic => seqByTopic.get(topic) ?? 0).join(cursorSeparator)
}
