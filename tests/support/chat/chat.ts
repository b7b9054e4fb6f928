import { createChannel } from '#contract/chat/channels.ts'
import { postMessage } from '#contract/chat/messages.ts'
import type { GrantCapability, Message } from '#contract/chat/shapes.ts'
import type { Input, Reply } from '#contract/operation.ts'
import { newId } from '#platform/ids.ts'
import { makeApplication, type TestApplication } from '../integrations/applications.ts'
import { type Organization, type Person, startTestServer, type TestServer } from '../test-server.ts'

/** A channel of the person; what is left out is invented. */
export function makeChannel(
  owner: Person,
  given: Partial<Input<typeof createChannel>['body']> = {},
): Promise<Reply<typeof createChannel>> {
  return owner.call(createChannel, { body: { name: `Channel ${newId()}`, ...given } })
}

/** A grant as its row is: the application is in the channel, on behalf of `grantor`. */
export async function plantGrant(
  server: TestServer,
  channelId: string,
  { id: applicationId, organizationId }: Pick<TestApplication, 'id' | 'organizationId'>,
  grantor: Pick<Person, 'id'>,
  capabilities: readonly GrantCapability[] = ['Crear y organizar canales', 'Gestionar miembros'],
): Promise<string> {
  const id = newId()
  await server.sql(
    `insert into chat_grant (organization_id, id, channel_id, application_id, granted_by, can_organize, can_manage_members)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      organizationId,
      id,
      channelId,
      applicationId,
      grantor.id,
      capabilities.includes('Crear y organizar canales'),
      capabilities.includes('Gestionar miembros'),
    ],
  )
  return id
}

/** A message of the person; given a text it is visible to all. */
export function say(
  person: Person,
  channelId: string,
  given: string | Partial<Input<typeof postMessage>['body']> = {},
): Promise<Message> {
  const body = typeof given === 'string' ? { content: given } : given
  return person.call(postMessage, {
    params: { id: channelId },
    body: { content: `Said ${newId()}`, ...body },
  })
}

type Announced = {
  name: string
  actor_id: string | null
  data: Record<string, unknown>
  about: Record<string, string> | null
}

/** The events about a channel, in their order, once the relay has numbered them. */
export async function announcedIn(server: TestServer, channelId: string) {
  await server.relayed()
  return server.sql<Announced>(
    `select name, actor_id, data, about from event where data ->> 'channelId' = $1 order by seq`,
    [channelId],
  )
}

/** What the audit log says of a channel, in order: from which door, which operation, which fields, and what besides. */
export async function recordedOf(server: TestServer, channelId: string) {
  await server.relayed()
  return server.sql<{ operation: string; actor_id: string; changed: string[]; detail: unknown }>(
    'select operation, actor_id, changed, detail from audit where subject = $1 order by seq',
    [channelId],
  )
}

/** Who takes part where messages are tested: a channel with its owner and a member, and who is not in it. */
export type ChatCast = {
  server: TestServer
  org: Organization
  channelId: string
  owner: Person
  member: Person
  /** Of the same organization, not in the channel. */
  outsider: Person
  /** Administers the organization, not in the channel. */
  admin: Person
  /** The owner of another organization. */
  stranger: Person
  /** In the channel, on behalf of its owner. */
  app: TestApplication
}

export async function openChatCast(): Promise<ChatCast> {
  const server = await startTestServer()
  const org = await server.organization()
  const [owner, member] = [await org.person(), await org.person()]
  const { id: channelId } = await makeChannel(owner, { memberIds: [member.id] })
  const app = await makeApplication(server, org, { scopes: ['chat:messages:view', 'chat:messages:send'] })
  await plantGrant(server, channelId, app, owner)
  return {
    server,
    org,
    channelId,
    owner,
    member,
    app,
    outsider: await org.person(),
    admin: await org.person({ role: 'ADMIN' }),
    stranger: await (await server.organization()).person({ role: 'OWNER' }),
  }
}
