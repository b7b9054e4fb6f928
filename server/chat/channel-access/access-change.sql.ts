import type { Tx } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'

/** An application that got access to a channel, or lost it, since the others were told last. */
export type Turned = { channel_id: string; application_id: string; slug: string; has_access: boolean }

const slug = `(select a.slug from application a where a.organization_id = $1 and a.id = g.application_id) as slug`
// who waits for another that turns the same grant looks at it again
const turn = <Args extends readonly unknown[]>(whose: string) =>
  sql<Turned, Args>(
    `update chat_grant g set is_told = not g.is_told
     where g.organization_id = $1 and g.revoked_at is null and ${whose} and g.is_told <> exists (
       select from chat_access x where x.organization_id = $1 and x.grant_id = g.id and x.reads)
     returning g.channel_id, g.application_id, ${slug}, g.is_told as has_access`,
  )
const turnAll = turn<[]>('true')
// index chat_grant_by
const turnOfPerson = turn<[personId: string]>('g.granted_by = $2')
// index chat_grant_active
const turnOfPersonIn = turn<[channelId: string, personId: string]>('g.channel_id = $2 and g.granted_by = $3')
const turnOne = turn<[channelId: string, applicationId: string]>(
  'g.channel_id = $2 and g.application_id = $3',
)

/** Of the grants of a person, or (null) of anybody, those whose access is not what was told. They count as told now. */
export function turnedOf(tx: Tx, personId: string | null): Promise<Turned[]> {
  return personId === null ? tx.rows(turnAll) : tx.rows(turnOfPerson, personId)
}

/** The same of a person in one channel. */
export function turnedIn(tx: Tx, channelId: string, personId: string): Promise<Turned[]> {
  return tx.rows(turnOfPersonIn, channelId, personId)
}

/** The same of one application in one channel. */
export function turnedOne(tx: Tx, channelId: string, applicationId: string): Promise<Turned[]> {
  return tx.rows(turnOne, channelId, applicationId)
}

// index chat_member_of; the people of a direct conversation never change
const leave = sql<{ channel_id: string }, [personId: string]>(
  `delete from chat_member m using membership p, chat_channel c
   where m.organization_id = $1 and m.person_id = $2
     and p.organization_id = $1 and p.person_id = m.person_id and p.removed_at is not null
     and c.organization_id = $1 and c.id = m.channel_id and c.kind <> 'DIRECT'
   returning m.channel_id`,
)

/** Takes a person out of all channels, if they have left the organization. Gives the ids of the channels. */
export async function leaveChannels(tx: Tx, personId: string): Promise<string[]> {
  return (await tx.rows(leave, personId)).map(({ channel_id }) => channel_id)
}

// index chat_grant_of
const endGrants = sql<Turned & { was_told: boolean }, [applicationId: string]>(
  `update chat_grant g set revoked_at = now()
   where g.organization_id = $1 and g.application_id = $2 and g.revoked_at is null
   returning g.channel_id, g.application_id, ${slug}, false as has_access, g.is_told as was_told`,
)
// index chat_agent_live
const withdrawAgents = sql<{ id: string; channel_id: string }, [applicationId: string]>(
  `update chat_agent a set status = 'WITHDRAWN', status_reason = null, updated_at = now()
   where a.organization_id = $1 and a.application_id = $2 and a.status in ('PENDING_APPROVAL', 'ACTIVE', 'PAUSED')
   returning a.id, a.channel_id`,
)

/** Ends all grants of an application and gives those by which it had access, as far as the others were told. */
export async function endGrantsOf(tx: Tx, applicationId: string): Promise<Turned[]> {
  return (await tx.rows(endGrants, applicationId)).filter(({ was_told }) => was_told)
}

/** Withdraws the agents of an application that have not ended. */
export function withdrawAgentsOf(
  tx: Tx,
  applicationId: string,
): Promise<{ id: string; channel_id: string }[]> {
  return tx.rows(withdrawAgents, applicationId)
}
