import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorCode } from '#contract/errors.ts'
import { errorsOf } from '#server/openapi.ts'
import { defined, findIn, firstOf } from '#tests/support/elements.ts'
import { sampleOf } from '#tests/support/sample.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import {
  type Call,
  type Credential,
  codeOf,
  malformed,
  type RawReply,
  type RawRequest,
  rawRequest,
  sendRaw,
} from './ask.ts'
import { exampleOf, undeclared } from './declared-answers.ts'
import { callsOf, fixtures } from './fixtures.ts'
import { type Home, openHome } from './home.ts'
import { invalidBodies, invalidCalls, invalidFormBodies } from './invalid-calls.ts'
import { type OperationCase, operationCases } from './operations.ts'
import { everything } from './rows.ts'
import { textsIn, textsOf } from './texts.ts'

const all = await operationCases()
/** The schemas of all operations are checked by the same code: `npm test` sends one of so many invalid values to each. */
const shares = 6
let server: TestServer
let home: Home
let breaches = 0
beforeAll(async () => {
  server = await startTestServer()
  home = await openHome(server)
})
afterAll(async () => {
  await server?.close()
  process.stdout.write(`inputs: ${breaches} broken calls of ${all.length} operations at their access\n`)
})

/** Examples that are not sent, with the reason. */
const unsteadyExamples: Record<string, string> = {
  setWebhook: 'a machine without a network cannot look up the host',
  featureEntry: 'the time has to lie within the year to come',
}

type Request = { what: string; raw: RawRequest; code?: ErrorCode }

/** The problem of the reply to an invalid call, or undefined. */
function complaint(
  operation: OperationCase,
  what: string,
  answer: RawReply,
  code?: ErrorCode,
): string | undefined {
  const shown = `${what}: ${answer.status} ${answer.text.slice(0, 200)}`
  if (answer.status < 400 || answer.status >= 500) return shown
  // a broken signed URL is refused as broken
  const isAboutUrl = ['FILE_ADDRESS_INVALID', 'DOCUMENT_ADDRESS_INVALID'].includes(codeOf(answer))
  const isAboutCaller = [401, 403, 429].includes(answer.status) && !isAboutUrl
  if (isAboutCaller) return `${shown} is about the caller`
  const form = malformed(answer)
  if (form) return `${shown}: ${form}`
  const missing = undeclared(operation, answer)
  if (missing.length > 0) return `${shown}: the document does not know ${missing.join(', ')}`
  if (code && codeOf(answer) !== code) return `${shown} is not ${code}`
  const isDeclared = errorsOf(operation.auth, operation.contract).some(code => code === codeOf(answer))
  // the router replies before there is an operation
  return isDeclared || answer.status === 404 || answer.status === 414 ? undefined : `${shown} is not declared`
}

describe.each(all.map((operation, turn) => ({ ...operation, operation, turn })))('$route ($auth)', given => {
  const { operation, name, auth, contract, turn } = given
  const isFirstDoor = Object.keys(contract.auth)[0] === auth

  async function refusals(requests: Request[]): Promise<string[]> {
    await server.relayed()
    const before = await everything(server)
    const start = new Date()
    const complaints: string[] = []
    for (const { what, raw, code } of requests) {
      if (contract.limit) await server.sql('delete from rate_window')
      const found = complaint(operation, what, await sendRaw(server.url, raw), code)
      if (found) complaints.push(found)
    }
    breaches += requests.length
    await server.relayed()
    const after = await everything(server)
    const recorded = contract.auditsDenials ? ['audit'] : []
    const changes = Object.keys(before).filter(
      table => before[table] !== after[table] && !recorded.includes(table),
    )
    const events = changes.includes('event')
      ? await server.sql<{ name: string }>('select name from event where at >= $1', [start])
      : []
    return [
      ...complaints,
      ...changes.map(table => `${table} changed`),
      ...events.map(({ name }) => `event ${name}`),
    ]
  }

  test('refuses invalid calls without a change, and accepts the valid call', async () => {
    const credential = await home.credential(operation)
    const goods = await callsOf(name, home)
    const raw = rawRequest(operation, firstOf(goods), credential)
    const beyond = beyondSchema(goods, credential)
    const requests = [
      ...(isFirstDoor ? sampled(beyond) : oneOfEachPart(beyond)),
      ...atDoor(contract.params ? unreadable(firstOf(goods), credential) : []),
      ...atDoor(contract.body ? noJson(raw) : []),
      ...atDoor(contract.requestType ? noForm(raw) : []),
    ]
    expect((await refusals(requests)).join('\n')).toBe('')
    // a reply before the end of the work would let it continue beside the next operation
    for (const good of contract.status === 202 ? [] : goods) {
      await server.sql('delete from rate_window')
      const answer = await sendRaw(server.url, rawRequest(operation, good, credential))
      expect([contract.status, contract.alternateReply?.status], answer.text).toContain(answer.status)
      expect(undeclared(operation, answer)).toEqual([])
    }
    // the objects do not exist, but the body itself is valid
    const example = contract.body && !(name in unsteadyExamples) ? exampleOf(operation) : undefined
    if (example !== undefined) {
      await server.sql('delete from rate_window')
      const raw = rawRequest(operation, { ...goods[0], body: example }, credential)
      const answer = await sendRaw(server.url, raw)
      const refused = ['VALIDATION_ERROR', 'MALFORMED_BODY', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']
      // 422 reports missing objects
      const code = answer.status === 422 ? undefined : codeOf(answer)
      expect(refused, `the example of the document: ${answer.text}`).not.toContain(code)
    }
    const given = goods.flatMap(good => textsIn(good).map(({ path }) => path.join('.')))
    expect(textsOf(contract).filter(path => !given.includes(path))).toEqual([])
  })

  function beyondSchema(goods: Call[], credential: Credential): Request[] {
    const seen = new Set<string>()
    return goods.flatMap(good =>
      invalidCalls(contract, good).flatMap(({ what, call }) => {
        if (seen.has(what)) return []
        seen.add(what)
        return [{ what, raw: rawRequest(operation, call, credential) }]
      }),
    )
  }

  /** Parsing and schemas are the same for every kind of caller: for the others, only a part is sent. */
  function atDoor(requests: Request[]): Request[] {
    return isFirstDoor ? sampled(requests) : requests.slice(0, 1)
  }

  function sampled(requests: Request[]): Request[] {
    return sampleOf(requests, { shares, turn })
  }

  function oneOfEachPart(requests: Request[]): Request[] {
    return [...new Map(requests.map(one => [one.what.split(/[. ]/)[0], one])).values()]
  }

  function unreadable(good: Call, credential: Credential): Request[] {
    const broken = ['%00', '%ff', '%zz', '%c0%80', 'x'.repeat(600), '..%2f..%2f', '%20', '%0d%0aX-Injected:1']
    return Object.keys(defined(good.params)).flatMap(param =>
      broken
        .filter(text => !(isFree(param) && text.startsWith('..')))
        .map(text => {
          const raw = rawRequest(
            operation,
            { ...good, params: { ...good.params, [param]: 'BROKEN' } },
            credential,
          )
          return {
            what: `${param} is ${text.slice(0, 20)}`,
            raw: { ...raw, path: raw.path.replace('BROKEN', text) },
          }
        }),
    )
  }

  /** External user ids may be any text, also one that looks like a path. */
  function isFree(param: string): boolean {
    return name === 'putExternalUser' && param === 'userId'
  }

  /** Bodies that are not JSON objects in UTF-8. */
  function noJson({ body: text, ...bare }: RawRequest): Request[] {
    const requests: Request[] = invalidBodies(contract, text as string).map(({ what, type, body, code }) => ({
      what,
      raw: { ...bare, body, headers: { ...bare.headers, 'content-type': type } },
      code,
    }))
    return contract.bodyOptional ? requests : [...requests, { what: 'no body', raw: bare }]
  }

  function noForm({ body: form, ...bare }: RawRequest): Request[] {
    const requests: Request[] = invalidFormBodies(form as Uint8Array<ArrayBuffer>).map(
      ({ what, type, body, code }) => ({
        what,
        raw: { ...bare, body, headers: { ...bare.headers, 'content-type': type } },
        code,
      }),
    )
    return [...requests, { what: 'no body', raw: bare }]
  }
})

test('every operation has a fixture, and every fixture an operation', () => {
  expect(Object.keys(fixtures).sort()).toEqual([...new Set(all.map(({ name }) => name))].sort())
})

test('a reply that accepts an invalid call, or refuses it for another reason, is found', () => {
  const operation = findIn(all, ({ name }) => name === 'getRole')
  const answer = (status: number, errorCode: string, more: object = {}): RawReply => ({
    status,
    headers: new Headers({ 'content-type': 'application/json; charset=utf-8' }),
    text: JSON.stringify({ statusCode: status, error: 'Error', message: 'No.', errorCode, ...more }),
  })
  expect(complaint(operation, 'it', answer(400, 'VALIDATION_ERROR'))).toBeUndefined()
  for (const bad of [
    answer(200, 'VALIDATION_ERROR'),
    answer(500, 'INTERNAL'),
    answer(503, 'UNAVAILABLE'),
    answer(403, 'PERMISSION_DENIED'),
    answer(429, 'RATE_LIMIT_EXCEEDED'),
    answer(409, 'NAME_TAKEN'),
    answer(400, 'VALIDATION_ERROR', { details: [{ path: 'a' }] }),
    answer(400, 'VALIDATION_ERROR', { query: 'select' }),
  ]) {
    expect(complaint(operation, 'it', bad)).toBeDefined()
  }
})
