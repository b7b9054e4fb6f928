import { afterAll, afterEach, expect, test } from 'vitest'
import { readBudget } from '#contract/crm/budgets.ts'
import { makeBudget } from '#tests/support/crm/budgets.ts'
import { addressOfSigner, requestSigners } from '#tests/support/crm/signature-requests.ts'
import { only } from '#tests/support/elements.ts'
import { type FaultProxy, openFaultProxy } from '#tests/support/fault-proxy.ts'
import { endAll, removeFolders, until } from '#tests/support/processes.ts'
import { openSmtpServer, type SmtpServer } from '#tests/support/smtp.ts'
import { openWorstDay, type WorstDay } from '#tests/support/worst-day.ts'

const signersPerBudget = 10
/** The longest that one attempt may take. */
const attemptMs = 30_000
/** An attempt takes at least as long if the server does not answer about the recipient. */
const unansweredMs = 10_000
/** The first repetition is due two minutes after the attempt. */
const repetitionMs = 120_000

let smtp: SmtpServer
let proxy: FaultProxy
afterEach(async () => {
  endAll()
  await proxy?.close()
  await smtp?.close()
})
afterAll(removeFolders)

const mailSettings = ({ url }: FaultProxy) => ({ SMTP_URL: url, MAIL_FROM: 'Patio <patio@example.com>' })
const namesOf = (prefix: string) =>
  Array.from({ length: signersPerBudget }, (_, index) => `${prefix}${index}`)
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
const report = (text: string) => process.stdout.write(`${text}\n`)

/** Asks for ten signatures, so that ten mails are queued and attempted. Returns the names of the signers. */
async function askForSignatures(day: WorstDay, prefix: string): Promise<string[]> {
  const names = namesOf(prefix)
  const budget = await makeBudget(day.client)
  const startedAt = performance.now()
  await requestSigners(day.client, budget.id, Object.fromEntries(names.map(name => [name, 1])))
  report(
    `a request for ${names.length} signatures was answered after ${seconds(performance.now() - startedAt)}`,
  )
  expect((await day.client.call(readBudget, { params: { id: budget.id } })).status).toBe('SENT')
  return names
}

function arrivals(name: string): number {
  return smtp.taken.filter(({ to }) => to.includes(addressOfSigner(name))).length
}

/** Resolves when each signer has a mail and none is left in the queue. Fails if one has two. */
async function eachArrivesOnce(day: WorstDay, names: readonly string[], withinMs: number): Promise<void> {
  const database = await day.database()
  const startedAt = performance.now()
  const isEmpty = async () => {
    const { rows } = await database.query<{ n: number }>('select count(*)::int as n from outgoing_mail')
    return only(rows).n === 0
  }
  await until('each mail has arrived', async () => names.every(arrivals) && (await isEmpty()), withinMs)
  report(
    `all ${names.length} mails had arrived ${seconds(performance.now() - startedAt)} after the server answered`,
  )
  await database.end()
  expect(names.map(arrivals)).toEqual(names.map(() => 1))
}

/** No request fails. */
function assertServed(day: WorstDay, phase: string): void {
  for (const kind of ['healthz', 'readyz', 'read', 'write'] as const)
    expect(day.watch.failures(phase, kind)).toEqual([])
}

const holes = [
  { what: 'accepts connections and never answers', watch: undefined },
  { what: 'stops in the middle of DATA', watch: stopInData },
]

let isStopping = false
/** While `isStopping`, lets only the first bytes of a message pass. */
function stopInData(bytes: Buffer, from: 'client' | 'server'): number {
  const isMessage = from === 'client' && /^(Content-Type|From|Message-ID): /m.test(bytes.toString('latin1'))
  return isStopping && isMessage ? Math.min(64, bytes.length) : bytes.length
}

test.each(holes)(
  'a mail server that $what: nothing else waits, and each mail arrives once',
  async ({ watch }) => {
    smtp = await openSmtpServer()
    proxy = await openFaultProxy(smtp.url, watch)
    const day = await openWorstDay({ env: mailSettings(proxy) })
    day.watch.begin('hole')
    if (watch) isStopping = true
    else proxy.swallow()
    const signers = await Promise.all(['Ana', 'Bea'].map(prefix => askForSignatures(day, prefix)))
    expect(smtp.taken).toEqual([])
    day.watch.begin('back')
    isStopping = false
    await proxy.heal()
    await eachArrivesOnce(day, signers.flat(), repetitionMs + 2 * attemptMs)
    assertServed(day, 'hole')
    await day.verify('black hole of mail')
    expect((await day.patio.stop()).code).toBe(0)
  },
)

test('the first attempt of a mail does not wait for mails that are repeated', async () => {
  smtp = await openSmtpServer()
  proxy = await openFaultProxy(smtp.url)
  const day = await openWorstDay({ env: mailSettings(proxy) })
  const budget = await makeBudget(day.client)
  smtp.script.hangs = new Set(['Ana', 'Bea', 'Eva'].flatMap(namesOf).map(addressOfSigner))
  await Promise.all(['Ana', 'Bea'].map(prefix => askForSignatures(day, prefix)))
  await requestSigners(day.client, budget.id, { Eva0: 1, Eva1: 1 })
  smtp.script.hangs.delete(addressOfSigner('Eva0'))
  const database = await day.database()
  day.watch.begin('repetitions')
  const startedAt = performance.now()
  await database.query(
    `update outgoing_mail set next_at = clock_timestamp() - interval '1 minute'
     where data ->> 'budgetId' <> $1`,
    [budget.id],
  )
  await database.query(
    `update outgoing_mail set attempts = 0, next_at = clock_timestamp() where data ->> 'budgetId' = $1`,
    [budget.id],
  )
  await until('the mail has arrived', () => arrivals('Eva0'))
  const waitedMs = performance.now() - startedAt
  report(`beside 20 repetitions, a first attempt arrived after ${seconds(waitedMs)}`)
  expect(waitedMs).toBeLessThan(unansweredMs)
  await database.end()
  assertServed(day, 'repetitions')
  await day.verify('hanging recipients')
  expect((await day.patio.stop()).code).toBe(0)
})
