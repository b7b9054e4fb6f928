import type { RecipientQuery, RecipientsResolver } from '#platform/events/recipients-resolver.ts'
import { firstOf, required } from '#platform/required.ts'
import { selectPermitted, selectPermittedIn, selectReaders, selectVisible } from './event-recipient.sql.ts'

/** Delivered only while the message is visible. CHAT_MESSAGE_DELETED goes to every application in the channel. */
const messageEvents = new Set(['CHAT_MESSAGE_CREATED', 'CHAT_MESSAGE_UPDATED', 'CHAT_APP_MENTIONED'])

/**
 * The recipients of chat events: applications with access to the channel, and for events about a message only while the
 * message is visible (GRT-2, MSG-4, CEV-5).
 */
export const channelRecipientsResolver: RecipientsResolver = {
  async recipientsOf(db, queries) {
    const resolvable = queries.filter(isResolvable)
    if (resolvable.length === 0) return queries.map(() => noApplications)
    // many events of a batch belong to the same channel
    const byChannel = Map.groupBy(
      resolvable,
      ({ organizationId, about }) => `${organizationId}/${about.channelId}`,
    )
    const channels = [...byChannel.values()]
    const firstOfChannel = channels.map(channel => firstOf(channel))
    const withMessage = resolvable.filter(query => requiredMessageOf(query) !== null)
    const [readers, visible] = await Promise.all([
      db.rows(selectReaders, {
        organizationIds: firstOfChannel.map(organizationOf),
        channelIds: firstOfChannel.map(channelOf),
      }),
      withMessage.length === 0
        ? []
        : db.rows(selectVisible, {
            organizationIds: withMessage.map(organizationOf),
            channelIds: withMessage.map(channelOf),
            messageIds: withMessage.map(({ about }) => required(about.messageId, 'the message of an event')),
          }),
    ])
    const recipients = new Map<RecipientQuery, Set<string>>()
    const readersByChannel = Map.groupBy(readers, ({ n }) => n)
    for (const [index, channel] of channels.entries()) {
      const applicationIds = new Set(
        readersByChannel.get(index + 1)?.map(({ application_id }) => application_id),
      )
      for (const query of channel) recipients.set(query, applicationIds)
    }
    const visibleQueries = new Set(visible.map(({ n }) => withMessage[n - 1]))
    for (const query of withMessage) if (!visibleQueries.has(query)) recipients.delete(query)
    return queries.map(query => recipients.get(query) ?? noApplications)
  },
  async mayReceive(db, queries) {
    const { resolvable, columns } = queryColumns(queries)
    if (resolvable.length === 0) return queries.map(() => false)
    const organizationIds = resolvable.map(({ organizationId }) => organizationId)
    return toBooleans(queries, resolvable, await db.rows(selectPermitted, { organizationIds, ...columns }))
  },
  async mayReceiveIn(db, queries) {
    const { resolvable, columns } = queryColumns(queries)
    if (resolvable.length === 0) return queries.map(() => false)
    return toBooleans(queries, resolvable, await db.rows(selectPermittedIn, columns))
  },
}

const noApplications: ReadonlySet<string> = new Set()

type EventQuery = Pick<RecipientQuery, 'event' | 'about'>

/** An event without its channel, or without the message that it is about, has no recipients. */
function isResolvable({ event, about }: EventQuery): boolean {
  return about.channelId !== undefined && (!messageEvents.has(event) || about.messageId !== undefined)
}

function organizationOf({ organizationId }: RecipientQuery): string {
  return organizationId
}

function channelOf({ about }: EventQuery): string {
  return required(about.channelId, 'the channel of an event')
}

function requiredMessageOf({ event, about }: EventQuery): string | null {
  return messageEvents.has(event) ? required(about.messageId, 'the message of an event') : null
}

function queryColumns<One extends EventQuery & { applicationId: string }>(queries: readonly One[]) {
  const resolvable = queries.filter(isResolvable)
  const columns = {
    channelIds: resolvable.map(channelOf),
    messageIds: resolvable.map(requiredMessageOf),
    applicationIds: resolvable.map(({ applicationId }) => applicationId),
  }
  return { resolvable, columns }
}

function toBooleans<One extends object>(
  queries: readonly One[],
  resolvable: readonly One[],
  rows: readonly { n: number }[],
) {
  const permitted = new Set(rows.map(({ n }) => resolvable[n - 1]))
  return queries.map(query => permitted.has(query))
}
