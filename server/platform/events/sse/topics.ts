import { coalesced } from '../../coalesced.ts'
import type { Database } from '../../data/database.ts'
import type { Db } from '../../data/db.ts'
import { headOf, headsOf } from '../relay.sql.ts'
import type { Signal } from '../signal.ts'
import { closeTopic, openTopic, type Topic, type TopicContext, wakeTopic } from './topic.ts'

/** The topics of a process, each of which exists as long as it has subscribers. */
export type Topics = {
  /**
   * The topic of an organization or shared stream, opened at its last event if it has no subscribers. Each
   * enter needs a leave.
   */
  enter(organizationId: string): Promise<Topic>
  leave(topic: Topic): void
  stop(): void
}

type TopicEntry = { opening: Promise<Topic>; topic?: Topic; users: number }

type TopicEntries = Map<string, TopicEntry>

/**
 * Opens the topics and wakes them: on the relay's signal, after a reconnect, because signals may be lost, and
 * by polling the heads every `pollMs`.
 */
export function openTopics(
  database: Database,
  signal: Signal,
  context: TopicContext,
  pollMs: number,
): Topics {
  const entries: TopicEntries = new Map()
  // one at a time, however many signals name no organization
  const poll = coalesced(async () => {
    if (entries.size > 0) await pollHeads(entries, database, context).catch(context.onError)
  }, 0)
  const timer = setInterval(poll, pollMs)
  timer.unref()
  signal.onReconnect(poll)
  void signal.onAnnounced(heads => (heads ? wakeBehind(entries, heads, context) : poll()))
  return {
    enter: organizationId => enter(entries, database.of(organizationId)),
    leave(topic) {
      const entry = entries.get(topic.db.organizationId)
      if (!entry || --entry.users > 0) return
      entries.delete(topic.db.organizationId)
      closeTopic(topic)
    },
    stop: () => clearInterval(timer),
  }
}

async function enter(entries: TopicEntries, db: Db): Promise<Topic> {
  const { organizationId } = db
  let entry = entries.get(organizationId)
  if (!entry) {
    entry = { users: 0, opening: db.first(headOf).then(head => openTopic(db, head?.seq ?? 0)) }
    entries.set(organizationId, entry)
  }
  entry.users++
  try {
    entry.topic = await entry.opening
    return entry.topic
  } catch (error) {
    if (--entry.users === 0) entries.delete(organizationId)
    throw error
  }
}

async function pollHeads(entries: TopicEntries, database: Database, context: TopicContext): Promise<void> {
  const heads = await database.crossTenant.rows(headsOf, { organizationIds: [...entries.keys()] })
  wakeBehind(entries, new Map(heads.map(head => [head.organization_id, head.seq])), context)
}

function wakeBehind(entries: TopicEntries, heads: ReadonlyMap<string, number>, context: TopicContext): void {
  for (const [organizationId, seq] of heads) {
    const topic = entries.get(organizationId)?.topic
    if (topic && (seq > topic.seq || topic.heldBack.length > 0)) wakeTopic(topic, context)
  }
}
