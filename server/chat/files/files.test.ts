import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listAppMessages, readAppMessage } from '#contract/chat/application-messages.ts'
import { archiveChannel } from '#contract/chat/channels.ts'
import { addressOfChatFile, removeChatFile, uploadChatFiles } from '#contract/chat/files.ts'
import { removeChannelMember } from '#contract/chat/members.ts'
import {
  deleteMessage,
  editMessage,
  listMessages,
  postMessage,
  readMessage,
} from '#contract/chat/messages.ts'
import type { MessageFile } from '#contract/chat/shapes.ts'
import { limits } from '#contract/limits.ts'
import type { Input } from '#contract/operation.ts'
import { createTestChannel, eventsIn, insertTestGrant, sendMessage } from '#tests/support/chat/chat.ts'
import { defined, firstOf, only } from '#tests/support/elements.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import { plantWaitingFiles } from '#tests/support/many-rows.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { insertRows } from '#tests/support/rows.ts'
import { formOf, sha256Of, stored } from '#tests/support/studio/files.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { normalizeFilename } from './file.rules.ts'
import { deleteWaitingFiles } from './waiting-files.sql.ts'

const maxFileBytes = 10_000
const png = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de', 'hex')

let server: TestServer
let organization: Organization
let [owner, member, outsider, admin, stranger] = [] as unknown as Person[] &
  [Person, Person, Person, Person, Person]
let app: TestApplication
let id: string
beforeAll(async () => {
  server = await startTestServer({ maxFileBytes })
  organization = await server.organization()
  owner = await organization.person()
  member = await organization.person()
  outsider = await organization.person()
  admin = await organization.person({ role: 'ADMIN' })
  stranger = await (await server.organization()).person({ role: 'OWNER' })
  app = await makeApplication(server, organization, { scopes: ['chat:messages:view'] })
})
beforeEach(async () => {
  await server.sql('delete from chat_file')
  await server.sql('delete from chat_file_usage')
  id = (await createTestChannel(owner, { memberIds: [member.id] })).id
  await insertTestGrant(server, id, app, owner)
})
afterAll(() => server.close())

const send = (person: Person, ...files: Parameters<typeof formOf>) =>
  person.send(uploadChatFiles, { params: { id }, form: formOf(...files) })
const upload = async (person: Person, ...files: Parameters<typeof formOf>): Promise<MessageFile[]> =>
  (await person.call(uploadChatFiles, { params: { id }, form: formOf(...files) })).items
const post = (person: Person, fileIds: string[], body: Partial<Input<typeof postMessage>['body']> = {}) =>
  person.send(postMessage, { params: { id }, body: { content: 'See here', fileIds, ...body } })
/** A message of the owner with one file. */
async function messageWith(
  content: string,
  body: Partial<Input<typeof postMessage>['body']> = {},
): Promise<{ messageId: string; fileId: string }> {
  const file = only(await upload(owner, ['a.txt', content]))
  const { body: message } = await post(owner, [file.id], body)
  return { messageId: (message as { id: string }).id, fileId: file.id }
}
const addressFor = (person: Person, fileId: string) => person.send(addressOfChatFile, { params: { fileId } })
/** The reply of the server to an address that the person got. */
async function opened(person: Person, fileId: string): Promise<Response> {
  const { url } = await person.call(addressOfChatFile, { params: { fileId } })
  return fetch(url.replace(server.config.publicUrl, server.url))
}
const usage = async () =>
  (
    await server.sql<{ bytes: number }>('select bytes::int from chat_file_usage where organization_id = $1', [
      organization.id,
    ])
  )[0]?.bytes

/** How many files keep the sweep from removing these bytes. */
const references = async (content: string) =>
  (await server.sql('select from file_reference where sha256 = $1', [sha256Of(content)])).length

describe('a message', () => {
  it('takes uploaded files and shows them to people wherever it is read', async () => {
    const files = await upload(owner, ['report.csv', 'a,b\n'], ['photo', png])
    expect(files).toEqual([
      { id: expect.any(String), filename: 'report.csv', contentType: 'text/csv', size: 4, isImage: false },
      {
        id: expect.any(String),
        filename: 'photo',
        contentType: 'image/png',
        size: png.length,
        isImage: true,
      },
    ])
    const { status, body } = await post(
      owner,
      files.map(file => file.id),
    )
    expect([status, (body as { attachments: unknown }).attachments]).toEqual([201, files])
    const messageId = (body as { id: string }).id
    expect((await member.call(readMessage, { params: { messageId } })).attachments).toEqual(files)
    const { items } = await member.call(listMessages, { params: { id } })
    expect(items.map(({ attachments }) => attachments)).toEqual([files])
    expect((await sendMessage(owner, id)).attachments).toEqual([])
    expect(await usage()).toBe(4 + png.length)
    // an edit keeps them
    const edited = await owner.call(editMessage, { params: { messageId }, body: { content: 'Look' } })
    expect(edited.attachments).toEqual(files)
  })

  it('shows applications nothing of its files', async () => {
    const { messageId } = await messageWith('for people')
    const seen = await app.client.call(readAppMessage, { params: { messageId } })
    expect(seen).not.toHaveProperty('attachments')
    expect(JSON.stringify(seen)).not.toContain('a.txt')
    const { items } = await app.client.call(listAppMessages, { params: { channelId: id } })
    expect(items).toEqual([seen])
    await server.relayed()
    const sent = await server.sql('select data from event where data::text like $1', ['%a.txt%'])
    expect(sent).toEqual([])
  })

  it('takes only waiting files of its author in its channel, or is not posted', async () => {
    const own = only(await upload(owner, ['a.txt', 'x']))
    const foreign = only(await upload(member, ['b.txt', 'x']))
    const other = await createTestChannel(owner)
    const elsewhere = await owner.call(uploadChatFiles, {
      params: { id: other.id },
      form: formOf(['c.txt', 'x']),
    })
    for (const fileId of [foreign.id, only(elsewhere.items).id, 'unknown'])
      expect(refusalOf(await post(owner, [own.id, fileId]))).toEqual([404, 'FILE_NOT_FOUND'])
    expect((await owner.call(listMessages, { params: { id } })).items).toEqual([])
    expect((await post(owner, [own.id, own.id])).status).toBe(201)
    expect(refusalOf(await post(owner, [own.id]))).toEqual([404, 'FILE_NOT_FOUND'])
    const tooMany = Array.from({ length: limits.filesPerMessage + 1 }, (_, n) => `f${n}`)
    expect((await post(owner, tooMany)).status).toBe(400)
  })

  it('loses its files when it is deleted, and nothing keeps their bytes', async () => {
    const { messageId, fileId } = await messageWith('to be deleted')
    const { url } = await member.call(addressOfChatFile, { params: { fileId } })
    expect(await references('to be deleted')).toBe(1)
    expect((await owner.call(deleteMessage, { params: { messageId } })).attachments).toEqual([])
    expect(refusalOf(await addressFor(owner, fileId))).toEqual([404, 'FILE_NOT_FOUND'])
    expect((await fetch(url.replace(server.config.publicUrl, server.url))).status).toBe(404)
    expect(await usage()).toBe(0)
    // file-sweep.sql.test.ts shows that bytes without a reference are removed
    expect(await references('to be deleted')).toBe(0)
  })
})

describe('a file', () => {
  it('is read by those who may read its message', async () => {
    const visible = await messageWith('for all')
    const internal = await messageWith('for people', { visibility: 'INTERNAL' })
    const hidden = await messageWith('for one', { visibility: 'PRIVATE' })
    for (const { fileId } of [visible, internal])
      expect(await (await opened(member, fileId)).text()).toMatch(/^for /)
    expect(await (await opened(owner, hidden.fileId)).text()).toBe('for one')
    expect(refusalOf(await addressFor(member, hidden.fileId))).toEqual([404, 'FILE_NOT_FOUND'])
    for (const person of [outsider, admin, stranger])
      expect(refusalOf(await addressFor(person, visible.fileId))).toEqual([404, 'FILE_NOT_FOUND'])
    const waiting = firstOf(await upload(owner, ['a.txt', 'not sent']))
    expect(await (await opened(owner, waiting.id)).text()).toBe('not sent')
    expect(refusalOf(await addressFor(member, waiting.id))).toEqual([404, 'FILE_NOT_FOUND'])
  })

  it('has addresses that end with the access of their person', async () => {
    const { messageId, fileId } = await messageWith('for a while')
    const other = await messageWith('something else')
    const { url, expiresAt, ...file } = await member.call(addressOfChatFile, { params: { fileId } })
    expect(file).toMatchObject({ id: fileId, filename: 'a.txt', contentType: 'text/plain', size: 11 })
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual((limits.fileAddressMinutes + 0.1) * 60_000)
    const at = new URL(url.replace(server.config.publicUrl, server.url))
    const statusOf = async (change: (url: URL) => void) => {
      const changed = new URL(at)
      change(changed)
      return (await fetch(changed)).status
    }
    expect(await statusOf(() => {})).toBe(200)
    const path = at.pathname.replace(fileId, other.fileId)
    expect(await statusOf(it => Object.assign(it, { pathname: path }))).toBe(403)
    expect(await statusOf(it => it.searchParams.set('person', owner.id))).toBe(403)
    expect(await statusOf(it => it.searchParams.set('expires', '9999999999'))).toBe(403)
    await owner.call(editMessage, { params: { messageId }, body: { visibility: 'PRIVATE' } })
    expect(await statusOf(() => {})).toBe(404)
    await owner.call(editMessage, { params: { messageId }, body: { visibility: 'VISIBLE' } })
    expect(await statusOf(() => {})).toBe(200)
    await owner.call(removeChannelMember, { params: { id, personId: member.id } })
    expect(await statusOf(() => {})).toBe(404)
  })

  it('is saved by browsers, unless it is an image without scripts', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    const files = await upload(
      owner,
      ['ünï "x".png', png],
      ['x.svg', svg],
      ['x.html', '<script>alert(1)</script>'],
    )
    const headers = await Promise.all(
      files.map(async ({ id: fileId }) => {
        const { headers } = await opened(owner, fileId)
        const [disposition = ''] = defined(headers.get('content-disposition')).split(';')
        return [
          headers.get('content-type'),
          disposition,
          headers.get('content-security-policy'),
          headers.get('x-content-type-options'),
        ]
      }),
    )
    const rest = ["sandbox; default-src 'none'", 'nosniff']
    expect(headers).toEqual([
      ['image/png', 'inline', ...rest],
      ['image/svg+xml', 'attachment', ...rest],
      ['text/html; charset=utf-8', 'attachment', ...rest],
    ])
  })

  it('can be removed from an own message, with an event for people', async () => {
    const { messageId, fileId } = await messageWith('not needed')
    const remove = (person: Person) => person.send(removeChatFile, { params: { fileId } })
    expect(refusalOf(await remove(member))).toEqual([403, 'NOT_THE_AUTHOR'])
    expect(refusalOf(await remove(outsider))).toEqual([404, 'FILE_NOT_FOUND'])
    const before = (await eventsIn(server, id)).length
    expect((await remove(owner)).status).toBe(204)
    expect((await owner.call(readMessage, { params: { messageId } })).attachments).toEqual([])
    expect((await eventsIn(server, id)).slice(before).map(({ name }) => name)).toEqual([
      'chat.message.updated',
    ])
    expect(await usage()).toBe(0)
    expect(refusalOf(await remove(owner))).toEqual([404, 'FILE_NOT_FOUND'])
    // one that waits
    const waiting = only(await upload(owner, ['a.txt', 'x']))
    await owner.call(removeChatFile, { params: { fileId: waiting.id } })
    expect(refusalOf(await post(owner, [waiting.id]))).toEqual([404, 'FILE_NOT_FOUND'])
  })

  it('that waits for a message is deleted after a day', async () => {
    const { fileId } = await messageWith('sent')
    const old = only(await upload(owner, ['a.txt', 'forgotten']))
    const fresh = only(await upload(owner, ['b.txt', 'new']))
    await server.sql(`update chat_file set created_at = now() - interval '25 hours' where id = any($1)`, [
      [fileId, old.id],
    ])
    expect(await deleteWaitingFiles(server.api.services.database)).toBe(1)
    expect(await deleteWaitingFiles(server.api.services.database)).toBe(0)
    expect(
      (await server.sql<{ id: string }>('select id from chat_file order by id')).map(row => row.id),
    ).toEqual([fileId, fresh.id])
    expect(await usage()).toBe(4 + 3)
  })
})

describe('an upload', () => {
  it('is for members of a channel that is not archived', async () => {
    for (const person of [outsider, admin, stranger])
      expect(refusalOf(await send(person, ['a.txt', 'x']))).toEqual([404, 'CHANNEL_NOT_FOUND'])
    await admin.call(archiveChannel, { params: { id } })
    expect(refusalOf(await send(owner, ['a.txt', 'x']))).toEqual([409, 'CHANNEL_ARCHIVED'])
  })

  it('has limits of bytes and files, and stores all or none', async () => {
    const small: [string, string] = ['a.txt', 'x']
    const large = 'x'.repeat(maxFileBytes + 1)
    expect(refusalOf(await send(owner, small, ['b.txt', large]))).toEqual([413, 'FILE_TOO_LARGE'])
    const eleven = Array.from({ length: limits.filesPerMessage + 1 }, () => small)
    expect(refusalOf(await send(owner, ...eleven))).toEqual([413, 'TOO_MANY_FILES'])
    expect(await usage()).toBeUndefined()
    const nearlyFull = limits.chatFileBytesPerOrganization - 1
    await insertRows(server, 'chat_file_usage', [{ organization_id: organization.id, bytes: nearlyFull }])
    expect(refusalOf(await send(owner, small, small))).toEqual([413, 'CHAT_STORAGE_FULL'])
    expect((await send(owner, small)).status).toBe(201)
    await server.sql('update chat_file_usage set bytes = 0')
    await plantWaitingFiles(server, owner, id, limits.waitingChatFiles - 1)
    expect(refusalOf(await send(owner, small))).toEqual([413, 'TOO_MANY_FILES'])
    expect((await send(member, small)).status).toBe(201)
    expect(stored(server).incoming).toBe(0)
  })

  it.each([
    ['a.txt', 'a.txt'],
    ['C:\\Users\\ada\\plan.pdf', 'plan.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['a\u0000b\n.txt', 'a_b_.txt'],
    ['evil\u202egnp.exe', 'evil_gnp.exe'],
    [`${'x'.repeat(255)}`, 'x'.repeat(255)],
    ['x'.repeat(256), undefined],
    ['..', undefined],
    ['folder/', undefined],
    [' ', undefined],
  ])('names %j %j', (sent, name) => {
    expect(normalizeFilename(sent)).toBe(name)
  })
})
