import type { RecipientQuery, RecipientsResolver } from '#platform/events/recipients-resolver.ts'
import { selectReaders, selectSeen, selectTold, selectToldIn } from './reach.sql.ts'

/** Told only while the message can be seen. That one was deleted is told to whoever is in the channel. */
const ofMessages = new Set(['CHAT_MESSAGE_CREATED', 'CHAT_MESSAGE_UPDATED', 'CHAT_APP_MENTIONED'])

/**
 * The recipients of what happens in a channel: applications with an active grant that are in it, while their grantor may
 * be there too; of a message only while it is visible (GRT-2, MSG-4, CEV-5).
 */
export const channelReach: RecipientsResolver = {
  async hearers(db, tellings) {
    const asked = tellings.filter(isKnown)
    if (asked.length === 0) return tellings.map(() => nobody)
    // many events of a batch happen in the same channel
    const byChannel = Map.groupBy(
      asked,
      ({ organizationId, about }) => `${organizationId}/${about.channelId}`,
    )
    const channels = [...byChannel.values()]
    const firsts = channels.map(([first]) => first!)
    const ofMessage = asked.filter(telling => messageOf(telling) !== null)
    const [readers, seen] = await Promise.all([
      db.rows(selectReaders, firsts.map(organizationOf), firsts.map(channelOf)),
      ofMessage.length === 0
        ? []
        : db.rows(
            selectSeen,
            ofMessage.map(organizationOf),
            ofMessage.map(channelOf),
            ofMessage.map(({ about }) => about.messageId!),
          ),
    ])
    const hearers = new Map<RecipientQuery, Set<string>>()
    const there = Map.groupBy(readers, ({ n }) => n)
    for (const [at, channel] of channels.entries()) {
      const applicationIds = new Set(there.get(at + 1)?.map(({ applicationId }) => applicationId))
      for (const telling of channel) hearers.set(telling, applicationIds)
    }
    const isSeen = new Set(seen.map(({ n }) => ofMessage[n - 1]!))
    for (const telling of ofMessage) if (!isSeen.has(telling)) hearers.delete(telling)
    return tellings.map(telling => hearers.get(telling) ?? nobody)
  },
  async mayBeTold(db, tellings) {
    const { asked, columns } = columnsOf(tellings)
    if (asked.length === 0) return tellings.map(() => false)
    const organizationIds = asked.map(({ organizationId }) => organizationId)
    return answer(tellings, asked, await db.rows(selectTold, organizationIds, ...columns))
  },
  async mayBeToldIn(db, tellings) {
    const { asked, columns } = columnsOf(tellings)
    if (asked.length === 0) return tellings.map(() => false)
    return answer(tellings, asked, await db.rows(selectToldIn, ...columns))
  },
}

const nobody: ReadonlySet<string> = new Set()

type About = Pick<RecipientQuery, 'event' | 'about'>

/** What names no channel, or no message though it is about one, is nobody's to hear. */
function isKnown({ event, about }: About): boolean {
  return about.channelId !== undefined && (!ofMessages.has(event) || about.messageId !== undefined)
}

function organizationOf({ organizationId }: RecipientQuery): string {
  return organizationId
}

function channelOf({ about }: About): string {
  return about.channelId!
}

function messageOf({ event, about }: About): string | null {
  return ofMessages.has(event) ? about.messageId! : null
}

function columnsOf<One extends About & { applicationId: string }>(tellings: readonly One[]) {
  const asked = tellings.filter(isKnown)
  const columns: [string[], (string | null)[], string[]] = [
    asked.map(({ about }) => about.channelId!),
    asked.map(messageOf),
    asked.map(({ applicationId }) => applicationId),
  ]
  return { asked, columns }
}

function answer<One extends object>(
  tellings: readonly One[],
  asked: readonly One[],
  rows: readonly { n: number }[],
) {
  const told = new Set(rows.map(({ n }) => asked[n - 1]!))
  return tellings.map(telling => told.has(telling))
}
