import type { ChannelRole } from '#contract/chat/shapes.ts'
import { newId } from '#platform/ids.ts'
import { insertMembers } from '../identity/people.ts'
import { insertRows, type SqlRunner } from '../rows.ts'

type ManyChannels = {
  organizationId: string
  createdBy: string
  count: number
  kind?: 'CHANNEL' | 'GROUP'
  /** The only member of each channel. */
  memberId?: string
}

/** Inserts channels . Returns their ids. */
export async function plantChannels(
  server: SqlRunner,
  { organizationId, createdBy, count, kind = 'CHANNEL', memberId }: ManyChannels,
): Promise<string[]> {
  const ids = Array.from({ length: count }, newId)
  await insertRows(
    server,
    'chat_channel',
    ids.map(id => ({
      organization_id: organizationId,
      id,
      kind,
      created_by: createdBy,
    })),
  )
  if (memberId) await insertChannelMembers(server, organizationId, ids, [memberId])
  return ids
}

/** Puts people into channels: all of them into each channel. */
export function insertChannelMembers(
  server: SqlRunner,
  organizationId: string,
  channelIds: readonly string[],
  personIds: readonly string[],
  role: ChannelRole = 'MEMBER',
): Promise<void> {
  return insertRows(
    server,
    'chat_member',
    channelIds.flatMap(channelId =>
      personIds.map(personId => ({
        organization_id: organizationId,
        channel_id: channelId,
        person_id: personId,
        role,
      })),
    ),
  )
}

/** Fills a channel with new members of the organization. */
export async function fillWithMembers(
  server: SqlRunner,
  organizationId: string,
  channelId: string,
  count: number,
): Promise<void> {
  const people = Array.from({ length: count }, newId).map(id => ({
    id,
    name: 'x',
    email: `${id}@example.test`,
  }))
  await insertMembers(server, organizationId, people)
  await insertChannelMembers(
    server,
    organizationId,
    [channelId],
    people.map(({ id }) => id),
  )
  await server.sql('analyze chat_member, membership')
}
