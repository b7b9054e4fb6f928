import { channel } from 'node:diagnostics_channel'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EventName, events } from '#contract/events.ts'
import type { AuthKind } from '#contract/operation.ts'
import { peopleEvents } from '#contract/people-events.ts'
import { defined, firstOf } from '#tests/support/elements.ts'
import { type EventStream, openStream } from '#tests/support/event-stream.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { rawRequest, sendRaw } from './ask.ts'
import { callsOf } from './fixtures.ts'
import { type Home, openHome, streamToken } from './home.ts'
import { operationCases } from './operations.ts'

/** Operations whose changes the people's stream does not announce, and why. */
const unannounced: Record<string, string> = {
  createStreamToken: 'changes nothing that anybody reads',
  createPersonalToken: 'only the person reads it, on a screen that has just made it',
  revokePersonalToken: 'the same',
  createProvisioningToken: 'read on the screen that has just made it',
  revokeProvisioningToken: 'the same',
  readInvitation: 'reads',
  updateCrmSettings: 'read when its screen opens; it changes no list',
  updateIssuer: 'the same',
  updateLetterhead: 'the same',
  uploadLogo: 'the same',
  removeLogo: 'the same',
  uploadSealCertificate: 'the same; a worker announces the budgets that it seals',
  removeSealCertificate: 'the same',
  updateBillingSettings: 'the same',
  updateTaxRecordOptions: 'the same',
  updateCreditor: 'the same',
  createMandate: 'mandates are read with their screen',
  cancelMandate: 'the same',
  createRemittance: 'remittances are read with their screen; each charge announces its invoice',
  sendRemittance: 'the same; no invoice changes',
  cancelRemittance: 'each charge announces its invoice',
  previewBankFile: 'keeps nothing',
  importBankFile: 'each result announces its invoice',
  recordDirectDebitResult: 'the result announces its invoice',
  createInvoiceTemplate: 'the same',
  updateInvoiceTemplate: 'the same',
  removeInvoiceTemplate: 'the same',
  previewInvoiceTemplate: 'renders a text and keeps nothing',
  testInvoiceTemplate: 'sends a mail and keeps nothing',
  updateReminderSettings: 'read when its screen opens; it changes no list',
  previewReminder: 'renders a text and keeps nothing',
  writeConsentText: 'read when its screen opens; it changes no list',
  connectGateway: 'the same',
  disconnectGateway: 'the same',
  updateErrorSettings: 'the same',
  updateSecretNames: 'the same',
  putExternalUser: 'external users belong to an application, which writes and reads them',
  eraseExternalUser: 'the same',
  settleDifference: 'a mark on a difference; the payment that settles it announces its invoice',
  createAuthorization: 'an authorization is read with its user; charges announce their invoice',
  revokeAuthorization: 'the same',
  giveCard: 'a card of an authorization; the same',
  answerCardBank: 'the same',
  receiveGatewayNotice: 'wakes the worker, which announces the invoice',
  payByLink: 'the settlement of the charge announces the invoice',
  answerByLink: 'the same',
  exportPersonalData: 'reads',
  requestPortalLink: 'announces its contact after the reply, and only if there is one',
  leavePortal: 'announces its contact, if somebody was signed in',
  verifyPdf: 'reads',
  reportError: 'a new error and its state are announced; counts are read with the list',
  retryDelivery: 'its screen follows the delivery; a failure is announced',
  recoverDeliveries: 'its screen follows the recovery',
  replayEvents: 'the same',
  cancelRecovery: 'the same',
  testWebhook: 'its screen follows the delivery',
  openOrganization: 'nobody belongs to the organization yet',
  setPreferences: 'only their person reads them; the browser tells its own tabs',
  createSavedView: 'read when the list opens; another view changes no row of a list',
  updateSavedView: 'the same',
  deleteSavedView: 'the same',
  markInboxDone: 'the inbox is derived, and is read again when the frames of its reasons arrive',
  addOperator: 'operators read their list when its screen opens; no organization changes',
  removeOperator: 'the same; the sessions of the person lose their rights at once',
  computeInvoiceFigures: 'keeps nothing',
  computeBudgetFigures: 'the same',
  makeInvoicePdfAddress: 'keeps nothing; the address is sealed, not stored',
  makeBudgetPdfAddress: 'the same',
  purgeAsset: 'only people who may restore a deleted asset see it; the deletion was announced',
  createCollection: 'collections are read with their screen; a change of the assets in them is announced',
  updateCollection: 'the same',
  removeCollection: 'the same',
  saveDraft: 'the audit log and the stream would tell who is typing (AUD-1)',
  deleteDraft: 'the same',
  uploadChatFiles: 'nobody reads a file before its message, which is announced',
  reportAgentExecution: 'frequent; a pause of the agent is announced, and costs are read with the list',
  checkEntry: 'keeps nothing',
  submitEntry: 'its submitter reads it; the start of its review is announced',
  updateEntry: 'the same',
  withdrawEntry: 'the same',
  updateInstall: 'the asset of the installation is announced when it changes',
  reportEntry: 'operators read reports when their queue opens',
  settleEntryReport: 'the same',
  hideReview: 'a decision of an operator; reviews are read with their entry',
  showReviewAgain: 'the same',
}

/** Events that people could see and that have no frame, and why. */
const withoutFrame: Partial<Record<EventName, string>> = {
  WEBHOOK_TEST: 'its screen follows the delivery',
  RESYNC: 'every stream of people sends resync itself',
}
/** The chat events of applications; the stream has events of its own for the same changes. */
const isForChatApplications = (name: string) => name.startsWith('CHAT_')

const all = await operationCases()
const changes = all.filter(({ contract }) => contract.method !== 'GET')

describe('the declarations', () => {
  test('give each event to exactly the people who may call the query that reads its objects', () => {
    for (const [name, { readBy, rights }] of Object.entries(peopleEvents)) {
      const query = all.find(operation => operation.name === readBy && operation.auth === 'session')
      expect(query?.contract.method, name).toBe('GET')
      const { module, capability, feature, alsoModule, auth } = defined(query).contract
      expect(rights, name).toEqual({
        permission: defined(auth.session).permission,
        ...(module && { module }),
        ...(capability && { capability }),
      })
      expect([feature, alsoModule], name).toEqual([undefined, undefined])
    }
  })
  test('name no frame that another stream has', () => {
    const others = new Set(
      Object.values(events).flatMap(({ stream, frame }) => (stream === 'people' ? [] : [frame as string])),
    )
    expect(Object.values(peopleEvents).filter(({ frame }) => others.has(frame))).toEqual([])
  })
  test('announce every event that people could see, or give a reason', () => {
    const silent = Object.entries(events)
      .filter(([, event]) => event.stream === null && !('announces' in event))
      .map(([name]) => name)
      .filter(name => !isForChatApplications(name))
    expect(silent).toEqual(Object.keys(withoutFrame))
  })
  test('name path parameters and fields that exist', () => {
    for (const { name, contract } of all) {
      const { id, parent } = contract.announces ?? {}
      for (const parameter of [id, parent].filter(one => one !== undefined))
        expect(contract.path, name).toContain(`:${parameter}`)
    }
    for (const [name, event] of Object.entries(events)) {
      if ('announces' in event) expect(event.data.properties, name).toHaveProperty(event.announces.id)
    }
  })
  test('list only operations that exist and announce nothing', () => {
    const names = new Map(all.map(({ name, contract }) => [name, contract]))
    for (const name of Object.keys(unannounced)) {
      expect(names.has(name), name).toBe(true)
      expect(defined(names.get(name)).announces, name).toBeUndefined()
    }
  })
})

describe('every operation that changes something', () => {
  let server: TestServer
  let home: Home
  let stream: EventStream
  const emitted: string[] = []
  const note = (name: unknown) => void emitted.push(String(name))
  beforeAll(async () => {
    server = await startTestServer()
    home = await openHome(server)
    stream = await openStream(`${server.url}/api/events?token=${await streamToken(server, home.owner)}`)
    channel('patio:emitted').subscribe(note)
  })
  afterAll(async () => {
    channel('patio:emitted').unsubscribe(note)
    stream?.close()
    await server?.close()
  })

  // the first caller of each; the others run the same code
  const preferred: AuthKind[] = ['session', 'apiKey', 'operator', 'account', 'public']
  const firsts = changes.filter(
    ({ auth, contract }) => auth === preferred.find(one => contract.auth[one] !== undefined),
  )
  const announced = firsts.filter(({ name }) => !(name in unannounced))

  test.each(announced)('$name is announced', async operation => {
    await server.sql('delete from rate_window')
    const call = firstOf(await callsOf(operation.name, home))
    emitted.length = 0
    const reply = await sendRaw(server.url, rawRequest(operation, call, await home.credential(operation)))
    expect([operation.name, reply.status, reply.status < 300 ? '' : reply.text]).toEqual([
      operation.name,
      reply.status,
      '',
    ])
    const own = emitted.map(announcedAs).filter(name => name !== undefined)
    if (operation.contract.announces) expect(own).toContain(operation.contract.announces.event)
    else expect(own).not.toEqual([])
  })

  test('reaches the stream of a person with every permission, one frame kind for each event', async () => {
    await server.relayed()
    const seen = () => new Set(stream.events().map(({ data }) => data.type))
    // not of this walk: what a customer's browser or a failing endpoint causes has tests of its own
    const elsewhere = new Set(['delivery.failed', 'own-access.changed'])
    for (const name of Object.keys(peopleEvents).filter(name => !elsewhere.has(name)))
      await stream.until(({ data }) => data?.type === name)
    expect([...seen()].filter(name => !(String(name) in events))).toEqual([])
    for (const { data } of stream.events()) {
      const declared = peopleEvents[data.type as keyof typeof peopleEvents]
      if (!declared) continue
      const { ids, createdIds, removedIds, parentIds, ...rest } = data
      expect(Object.keys(rest).sort()).toEqual(['actorId', 'at', 'id', 'organizationId', 'type'])
      expect((ids as string[]).length).toBeGreaterThan(0)
      expect((ids as string[]).length).toBeLessThanOrEqual(100)
      expect(ids).toEqual(
        expect.arrayContaining([...((createdIds as string[]) ?? []), ...((removedIds as string[]) ?? [])]),
      )
      for (const parent of (parentIds as string[]) ?? []) expect(typeof parent).toBe('string')
    }
  })
})

/** The event of the people's stream that an event becomes, or its own name if a stream carries it. */
function announcedAs(name: string): string | undefined {
  const declared = events[name as EventName]
  if ('announces' in declared) return declared.announces.event
  return declared.stream === null ? undefined : name
}
