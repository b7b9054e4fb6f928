import type { TaxOffice } from '#platform/adapters/tax-office.ts'
import { msOf, nowMs } from '#platform/clock.ts'
import type { Database } from '#platform/data/database.ts'
import { newId } from '#platform/ids.ts'
import type { Log } from '#platform/log.ts'
import { firstOf, lastOf } from '#platform/required.ts'
import { externalReference, recordsElement } from '../record-xml.ts'
import type { TaxRecordRow } from '../tax-record.row.ts'
import { recordsAfter } from '../tax-record.sql.ts'
import { type OfficeAnswer, readAnswer } from './answer.ts'
import {
  type AnsweredRecord,
  claimChain,
  type DueChain,
  lockLeased,
  setAnswers,
  setTried,
} from './sending.sql.ts'

export type TaxRecordContext = { database: Database; taxOffice: TaxOffice; log?: Log }

/** The pause after a failure, doubled with each further one. */
const firstPauseSeconds = 60
const longestPauseSeconds = 3_600
/** Records that are older than this were delayed by a failure, which the message says. */
const lateMs = 240_000
const mostFailureText = 500

/**
 * Sends the next records of one chain that is due, in their order, and stores the answers. Returns false if none is due.
 * A failure is stored with the chain, and the same records are sent again later.
 */
export async function sendDueRecords(context: TaxRecordContext): Promise<boolean> {
  const { database } = context
  const lease = newId()
  const chain = await claimChain(database, lease)
  if (!chain) return false
  const { organization_id: organizationId, issuer_nif: nif } = chain
  const records = await recordsAfter(database.of(organizationId), nif, chain.answered_through)
  const last = records.at(-1)
  // a record that may have been transmitted is known as such before it is: its answer may be lost
  if (last && !(await database.transact(organizationId, tx => setTried(tx, nif, lease, last.number))))
    return true
  const outcome = last
    ? await exchange(context, chain, records)
    : { answers: [], csv: null, waitSeconds: 0, failure: null }
  await database.transact(organizationId, async tx => {
    if (!(await lockLeased(tx, nif, lease))) return
    await setAnswers(tx, nif, {
      ...outcome,
      answeredThrough: chain.answered_through + outcome.answers.length,
      failureCount: outcome.failure === null ? 0 : chain.failure_count + 1,
    })
  })
  return true
}

type Outcome = {
  answers: AnsweredRecord[]
  csv: string | null
  waitSeconds: number
  failure: string | null
}

async function exchange(
  { taxOffice, log }: TaxRecordContext,
  chain: DueChain,
  records: readonly TaxRecordRow[],
): Promise<Outcome> {
  try {
    const answer = readAnswer(await taxOffice.post(messageOf(records)))
    const answers = answersInOrder(answer, chain, records)
    const failure = answers.length < records.length ? 'The answer does not contain all records' : null
    return { answers, csv: answer.csv, waitSeconds: answer.waitSeconds, failure }
  } catch (error) {
    const { organization_id: organizationId, issuer_nif: issuerNif, failure_count: count } = chain
    log?.warn({ organizationId, issuerNif, err: error }, 'tax records could not be sent')
    const waitSeconds = Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** Math.min(count, 10))
    return {
      answers: [],
      csv: null,
      waitSeconds,
      failure: String((error as Error).message).slice(0, mostFailureText),
    }
  }
}

function messageOf(records: readonly TaxRecordRow[]): string {
  const first = firstOf(records)
  const header = {
    issuerName: lastOf(records).content.issuerName,
    issuerNif: first.issuer_nif,
    isLate: nowMs() - msOf(first.generation_time) > lateMs,
  }
  return (
    '<?xml version="1.0" encoding="UTF-8"?>' +
    '<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Header/><soapenv:Body>' +
    `${recordsElement(header, records)}</soapenv:Body></soapenv:Envelope>`
  )
}

/** The answers to the first records, as far as there are no gaps: the rest is sent again. */
function answersInOrder(
  { records: answered }: OfficeAnswer,
  { tried_through }: DueChain,
  records: readonly TaxRecordRow[],
): AnsweredRecord[] {
  const answers: AnsweredRecord[] = []
  for (const record of records) {
    const answer = answered.get(externalReference(record))
    if (!answer) break
    // sent before, when the answer was lost: the first transmission was registered
    const ownDuplicateOf = record.number <= tried_through ? answer.duplicateOf : null
    answers.push({
      number: record.number,
      state: ownDuplicateOf ?? answer.state,
      errorCode: ownDuplicateOf ? null : answer.errorCode,
      errorText: ownDuplicateOf ? null : answer.errorText,
    })
  }
  return answers
}
