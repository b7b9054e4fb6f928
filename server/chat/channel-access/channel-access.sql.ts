import type { Tx } from '#platform/data/db.ts'
import { type NoArgs, sql } from '#platform/data/statement.ts'

/** An application that gained or lost access to a channel since the other applications received the last event. */
export type ChannelAccessChange = {
  channel_id: string
  application_id: string
  slug: string
  has_access: boolean
}

const slug = `(select a.slug from application a where a.organization_id = $organization
  and a.id = g.application_id) as slug`
// a transaction that waits for another update of the same grant evaluates the condition again
const syncAnnounced = <Args extends object>(condition: string) =>
  sql<ChannelAccessChange, Args>(
    `update chat_grant g set is_announced = not g.is_announced
     where g.organization_id = $organization and g.revoked_at is null and ${condition}
       and g.is_announced <> exists (
       select from chat_access x where x.organization_id = $organization and x.grant_id = g.id and x.has_access)
     returning g.channel_id, g.application_id, ${slug}, g.is_announced as has_access`,
  )
const syncAll = syncAnnounced<NoArgs>('true')
// index chat_grant_grantor
const syncOfGrantor = syncAnnounced<{ personId: string }>('g.granted_by = $personId')
// index chat_grant_active
const syncOfGrantorInChannel = syncAnnounced<{ channelId: string; personId: string }>(
  'g.channel_id = $channelId and g.granted_by = $personId',
)
const syncOfApplication = syncAnnounced<{ channelId: string; applicationId: string }>(
  'g.channel_id = $channelId and g.application_id = $applicationId',
)

/** Updates `is_announced` of the grants of a person, or with null of everybody, and returns the changes. */
export function syncAccessOfGrantor(tx: Tx, personId: string | null): Promise<ChannelAccessChange[]> {
  return personId === null ? tx.rows(syncAll) : tx.rows(syncOfGrantor, { personId })
}

/** The same for the grants of a person in one channel. */
export function syncAccessOfGrantorIn(
  tx: Tx,
  channelId: string,
  personId: string,
): Promise<ChannelAccessChange[]> {
  return tx.rows(syncOfGrantorInChannel, { channelId, personId })
}

/** The same for the grant of an application in one channel. */
export function syncAccessOfApplication(
  tx: Tx,
  channelId: string,
  applicationId: string,
): Promise<ChannelAccessChange[]> {
  return tx.rows(syncOfApplication, { channelId, applicationId })
}

// index chat_member_person. The people of a direct conversation never change
const leave = sql<{ channel_id: string }, { personId: string }>(
  `delete from chat_member m using membership p, chat_channel c
   where m.organization_id = $organization and m.person_id = $personId
     and p.organization_id = $organization and p.person_id = m.person_id and p.removed_at is not null
     and c.organization_id = $organization and c.id = m.channel_id and c.kind <> 'DIRECT'
   returning m.channel_id`,
)

/** Removes a person who has left the organization from all channels. Returns the ids of the channels. */
export async function leaveChannels(tx: Tx, personId: string): Promise<string[]> {
  return (await tx.rows(leave, { personId })).map(({ channel_id }) => channel_id)
}

// index chat_grant_application
const endGrants = sql<ChannelAccessChange & { was_announced: boolean }, { applicationId: string }>(
  `update chat_grant g set revoked_at = now()
   where g.organization_id = $organization and g.application_id = $applicationId and g.revoked_at is null
   returning g.channel_id, g.application_id, ${slug}, false as has_access, g.is_announced as was_announced`,
)
// index chat_agent_live
const withdrawAgents = sql<{ id: string; channel_id: string }, { applicationId: string }>(
  `update chat_agent a set status = 'WITHDRAWN', status_reason = null, updated_at = now()
   where a.organization_id = $organization and a.application_id = $applicationId
     and a.status in ('PENDING_APPROVAL', 'ACTIVE', 'PAUSED')
   returning a.id, a.channel_id`,
)

/** Ends all grants of an application. Returns the channels whose other applications know of its access. */
export async function endGrantsOf(tx: Tx, applicationId: string): Promise<ChannelAccessChange[]> {
  return (await tx.rows(endGrants, { applicationId })).filter(({ was_announced }) => was_announced)
}

/** Withdraws the agents of an application that are not in a terminal state. */
export function withdrawAgentsOf(
  tx: Tx,
  applicationId: string,
): Promise<{ id: string; channel_id: string }[]> {
  return tx.rows(withdrawAgents, { applicationId })
}
