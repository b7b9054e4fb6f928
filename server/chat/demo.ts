import type { Permission } from '#contract/permissions.ts'
import type { Tx } from '#platform/data/db.ts'
import type { Caller } from '#platform/http/caller.ts'
import { runOperation, seedCaller } from '#platform/http/seed.ts'
import type { DemoOrganization } from '#server/area.ts'
import { propose } from './agents/propose.ts'
import { create as createChannel } from './channels/create.ts'
import { put as putGrant } from './grants/put.ts'
import { post } from './messages/post.ts'

const seedPermissions: Permission[] = ['CHAT_USE', 'CHAT_MEMBERS_ADD', 'CHAT_APPLICATIONS_MANAGE']

/** Channels with a thread and a mention, and one with a grant and a proposed agent if there is an application. */
export async function seedChat(tx: Tx, organization: DemoOrganization): Promise<void> {
  const people = organization.people.map(({ id }) => seedCaller(organization.id, id, seedPermissions))
  const [owner, other = owner, ...others] = people as [Caller, ...Caller[]]
  const team = others.at(-1) ?? other
  const createDemoChannel = async (name: string, description: string, isDiscoverable: boolean) => {
    const memberIds = people.slice(1).map(({ personId }) => personId)
    return (
      await runOperation(createChannel, tx, owner, { body: { name, description, isDiscoverable, memberIds } })
    ).id
  }
  const postAs = async (author: Caller, id: string, content: string, parentMessageId?: string) =>
    (await runOperation(post, tx, author, { params: { id }, body: { content, parentMessageId } })).id

  const general = await createDemoChannel('General', 'News for everybody', true)
  await postAs(owner, general, 'Welcome! New here? Say hello.')
  const launch = await createDemoChannel('Launch', 'Everything about the new website', false)
  const question = await postAs(other, launch, `<@${team.personId}> can we open it on Monday?`)
  await postAs(team, launch, 'Tuesday is safer: the translations arrive on Monday.', question)
  await postAs(other, launch, 'Tuesday it is.', question)

  const [application] = organization.applications
  if (!application) return
  const support = await createDemoChannel(
    'Support',
    'Customer questions, with the help of an application',
    true,
  )
  await runOperation(putGrant, tx, owner, {
    params: { id: support, applicationId: application.id },
    body: { capabilities: ['Crear y organizar canales', 'Gestionar miembros'] },
  })
  await postAs(other, support, `<@${application.id}> reads the questions here.`)
  await runOperation(
    propose,
    tx,
    { ...seedCaller(organization.id, ''), applicationId: application.id },
    {
      params: { channelId: support },
      body: {
        name: 'Daily summary',
        purpose: 'Summarizes the questions of the previous day for people who were away',
        tasks: [{ name: 'Summary', schedule: '0 9 * * MON-FRI', timeZone: 'Europe/Madrid' }],
      },
    },
  )
}
