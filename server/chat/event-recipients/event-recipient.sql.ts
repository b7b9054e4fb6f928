import { crossTenantSql, sql } from '#platform/data/statement.ts'
import { isVisible, messageById } from '../messages/message.access.ts'

const crossTenantReason = 'the relay and the dispatcher resolve recipients for all organizations at once'

// The condition for the message of a row `q`: there is none, or it is visible. Together with chat_access.has_access this is
// the same check as when an application reads a message
const isMessageVisibleIn = (organization: string) => `(q.message_id is null or exists (
    select 1 from ${messageById(organization, 'q.message_id')} m
    where m.channel_id = q.channel_id and ${isVisible}))`

type RecipientColumns = { channelIds: string[]; messageIds: (string | null)[] }
type CheckColumns = RecipientColumns & { applicationIds: string[] }

/** The applications with access to each channel; `n` is the position in the input, from 1. */
export const selectReaders = crossTenantSql<
  { n: number; application_id: string },
  { organizationIds: string[]; channelIds: string[] }
>(
  crossTenantReason,
  `select q.n, x.application_id
   from unnest($organizationIds::text[], $channelIds::text[]) with ordinality q (organization_id, channel_id, n)
   join chat_access x on x.organization_id = q.organization_id and x.channel_id = q.channel_id and x.has_access`,
)

const requestedMessages =
  'unnest($organizationIds::text[], $channelIds::text[], $messageIds::text[]) with ordinality'
/** The positions, from 1, of the visible messages. */
export const selectVisible = crossTenantSql<
  { n: number },
  { organizationIds: string[]; channelIds: string[]; messageIds: string[] }
>(
  crossTenantReason,
  `select q.n from ${requestedMessages} q (organization_id, channel_id, message_id, n)
   where ${isMessageVisibleIn('q.organization_id')}`,
  {
    onCitus: `select q.n from ${requestedMessages} q (organization_id, channel_id, message_id, n)
      join chat_message m on m.organization_id = q.organization_id and m.id = q.message_id
      where m.channel_id = q.channel_id and ${isVisible}`,
  },
)

/** The positions, from 1, of the events that their application may receive. */
export const selectPermitted = crossTenantSql<{ n: number }, CheckColumns & { organizationIds: string[] }>(
  crossTenantReason,
  `select q.n
   from unnest($organizationIds::text[], $channelIds::text[], $messageIds::text[], $applicationIds::text[])
     with ordinality q (organization_id, channel_id, message_id, application_id, n)
   join chat_access x on x.organization_id = q.organization_id and x.channel_id = q.channel_id
     and x.application_id = q.application_id and x.has_access
   where ${isMessageVisibleIn('q.organization_id')}`,
  {
    onCitus: `select q.n
      from unnest($organizationIds::text[], $channelIds::text[], $messageIds::text[], $applicationIds::text[])
        with ordinality q (organization_id, channel_id, message_id, application_id, n)
      join chat_access x on x.organization_id = q.organization_id and x.channel_id = q.channel_id
        and x.application_id = q.application_id and x.has_access
      left join chat_message m on m.organization_id = x.organization_id and m.id = q.message_id
        and m.channel_id = q.channel_id and ${isVisible}
      where q.message_id is null or m.id is not null`,
  },
)

/** The same for one organization. */
export const selectPermittedIn = sql<{ n: number }, CheckColumns>(
  `select q.n
   from unnest($channelIds::text[], $messageIds::text[], $applicationIds::text[])
     with ordinality q (channel_id, message_id, application_id, n)
   join chat_access x on x.organization_id = $organization and x.channel_id = q.channel_id
     and x.application_id = q.application_id and x.has_access
   where ${isMessageVisibleIn('$organization')}`,
)
