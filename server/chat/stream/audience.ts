import type { EventName } from '#contract/events.ts'
import type { Db } from '#platform/data/db.ts'
import type { MayReceive, StoredEvent } from '#platform/events/sse-broker.ts'
import { type PrivateMessage, readAudience } from './audience.sql.ts'

/**
 * Chat events go to the current members of the channel, and events about a private message to its readers only. A removed
 * member also receives the event of the removal. One query per batch; each person is then checked in memory.
 */
export async function chatAudience(db: Db, events: readonly StoredEvent[]): Promise<MayReceive> {
  const { members, privateMessages } = await readAudience(
    db,
    idsOf(events, 'channelId'),
    idsOf(events, 'messageId'),
  )
  return (caller, event) => {
    const { personId } = caller
    const { channelId, messageId, personId: subject } = event.data
    if (is(event, 'chat.member.removed') && subject === personId) return true
    if (!members.get(String(channelId))?.has(personId)) return false
    const message = messageId === undefined ? undefined : privateMessages.get(String(messageId))
    return message === undefined || mayReceiveMessageEvent(message, event, personId)
  }
}

/** A message that became private is reported as deleted to everybody except its readers. */
function mayReceiveMessageEvent(
  { readers, isDeleted }: PrivateMessage,
  event: StoredEvent,
  personId: string,
): boolean {
  const wasHidden = is(event, 'chat.message.deleted') && !isDeleted
  return readers.has(personId) !== wasHidden
}

function idsOf(events: readonly StoredEvent[], field: 'channelId' | 'messageId'): string[] {
  return [...new Set(events.flatMap(({ data }) => (data[field] === undefined ? [] : [String(data[field])])))]
}

function is({ name }: StoredEvent, eventName: EventName): boolean {
  return name === eventName
}
