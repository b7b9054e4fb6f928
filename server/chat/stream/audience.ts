import type { EventName } from '#contract/events.ts'
import type { Db } from '#platform/data/database.ts'
import type { KeptEvent, MayReceive } from '#platform/events/sse-broker.ts'
import { type PrivateMessage, reachOf } from './chat-stream.sql.ts'

/**
 * Who hears of an event of chat: the members of its channel at that moment, and of a private message its readers alone.
 * Who was taken out of a channel hears that too. One query for a batch; each person is then decided in memory.
 */
export async function chatAudience(db: Db, events: readonly KeptEvent[]): Promise<MayReceive> {
  const { members, privately } = await reachOf(db, idsOf(events, 'channelId'), idsOf(events, 'messageId'))
  return (caller, event) => {
    const { personId } = caller
    const { channelId, messageId, personId: subject } = event.data
    if (is(event, 'chat.member.removed') && subject === personId) return true
    if (!members.get(String(channelId))?.has(personId)) return false
    const message = messageId === undefined ? undefined : privately.get(String(messageId))
    return message === undefined || mayHearOf(message, event, personId)
  }
}

/** That a message is gone is told to those who could read it: when it was made private, to all who no longer can. */
function mayHearOf({ readers, isDeleted }: PrivateMessage, event: KeptEvent, personId: string): boolean {
  const wasHidden = is(event, 'chat.message.deleted') && !isDeleted
  return readers.has(personId) !== wasHidden
}

function idsOf(events: readonly KeptEvent[], field: 'channelId' | 'messageId'): string[] {
  return [...new Set(events.flatMap(({ data }) => (data[field] === undefined ? [] : [String(data[field])])))]
}

function is({ name }: KeptEvent, wanted: EventName): boolean {
  return name === wanted
}
