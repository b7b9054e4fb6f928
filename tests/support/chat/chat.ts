import { createChannel } from '#contract/chat/channels.ts'
import { postMessage } from '#contract/chat/messages.ts'
import type { GrantCapability, Message } from '#contract/chat/shapes.ts'
import type { Input, Reply } from '#contract/operation.ts'
import { newId } from '#platform/ids.ts'
import { only } from '../elements.ts'
import { makeApplication, type TestApplication } from '../integrations/applications.ts'
import { insertRows, type SqlRunner } from '../rows.ts'
import { type Organization, type Person, startTestServer, type TestServer } from '../test-server.ts'

/** Creates a channel of the person; omitted fields have defaults. */
export function createTestChannel(
  owner: Person,
  overrides: Partial<Input<typeof createChannel>['body']> = {},
): Promise<Reply<typeof createChannel>> {
  return owner.call(createChannel, { body: { name: `Channel ${newId()}`, ...overrides } })
}

/** Inserts the row of a grant: the application is in the channel on behalf of `grantor`. */
export async function insertTestGrant(
  server: TestServer,
  channelId: string,
  { id: applicationId, organizationId }: Pick<TestApplication, 'id' | 'organizationId'>,
  grantor: Pick<Person, 'id'>,
  capabilities: readonly GrantCapability[] = ['Crear y organizar canales', 'Gestionar miembros'],
): Promise<string> {
  const ids = await insertGrants(server, organizationId, channelId, [applicationId], grantor, capabilities)
  return only(ids)
}

/** Inserts grants of applications in a channel. Returns their ids. */
export async function insertGrants(
  server: SqlRunner,
  organizationId: string,
  channelId: string,
  applicationIds: readonly string[],
  grantor: Pick<Person, 'id'>,
  capabilities: readonly GrantCapability[] = [],
): Promise<string[]> {
  const ids = applicationIds.map(newId)
  await insertRows(
    server,
    'chat_grant',
    applicationIds.map((applicationId, index) => ({
      organization_id: organizationId,
      id: ids[index],
      channel_id: channelId,
      application_id: applicationId,
      granted_by: grantor.id,
      can_organize: capabilities.includes('Crear y organizar canales'),
      can_manage_members: capabilities.includes('Gestionar miembros'),
    })),
  )
  return ids
}

/** Posts a message of the person; a string is the content of a visible message. */
export function sendMessage(
  person: Person,
  channelId: string,
  overrides: string | Partial<Input<typeof postMessage>['body']> = {},
): Promise<Message> {
  const body = typeof overrides === 'string' ? { content: overrides } : overrides
  return person.call(postMessage, {
    params: { id: channelId },
    body: { content: `Said ${newId()}`, ...body },
  })
}

type EmittedEvent = {
  name: string
  actor_id: string | null
  data: Record<string, unknown>
  about: Record<string, string> | null
}

/** The events of a channel in order, after the relay has numbered them. */
export async function eventsIn(server: TestServer, channelId: string) {
  await server.relayed()
  return server.sql<EmittedEvent>(
    `select name, actor_id, data, about from event where data ->> 'channelId' = $1 order by seq`,
    [channelId],
  )
}

/** The audit entries of a channel, in order. */
export async function auditEntriesOf(server: TestServer, channelId: string) {
  await server.relayed()
  return server.sql<{ operation: string; actor_id: string; changed: string[]; detail: unknown }>(
    'select operation, actor_id, changed, detail from audit where subject = $1 order by seq',
    [channelId],
  )
}

/** A channel with people of each role and an application, for tests of messages. */
export type ChatFixture = {
  server: TestServer
  org: Organization
  channelId: string
  owner: Person
  member: Person
  /** A person of the organization who is not in the channel. */
  outsider: Person
  /** An administrator of the organization who is not in the channel. */
  admin: Person
  /** The owner of another organization. */
  stranger: Person
  /** An application in the channel, on behalf of the owner. */
  app: TestApplication
}

export async function startChatFixture(): Promise<ChatFixture> {
  const server = await startTestServer()
  const org = await server.organization()
  const [owner, member] = [await org.person(), await org.person()]
  const { id: channelId } = await createTestChannel(owner, { memberIds: [member.id] })
  const app = await makeApplication(server, org, { scopes: ['chat:messages:view', 'chat:messages:send'] })
  await insertTestGrant(server, channelId, app, owner)
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
