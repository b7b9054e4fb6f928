import { readTaxRecordStatus } from '#contract/billing/tax-records.ts'
import { query } from '#platform/http/operation.ts'
import { showProblem } from './tax-record.json.ts'
import { listChains, listProblems } from './tax-record.sql.ts'
import { readTaxRecordOptions } from './tax-record-options.sql.ts'

export const status = query(readTaxRecordStatus, async ({ db, services: { taxRecords } }) => {
  const [options, chains, problems] = await Promise.all([
    readTaxRecordOptions(db),
    listChains(db),
    listProblems(db),
  ])
  const sum = (count: (chain: (typeof chains)[number]) => number) =>
    chains.reduce((total, chain) => total + count(chain), 0)
  const nextTimes = chains.flatMap(({ next_send_at: at }) => (at === null ? [] : [at])).toSorted()
  return {
    ...options,
    canKeep: taxRecords !== undefined,
    canSend: taxRecords?.sendsTo !== undefined,
    sendsTo: taxRecords?.sendsTo ?? null,
    recordCount: sum(chain => chain.last_number),
    pendingCount: sum(chain => chain.last_number - chain.answered_through),
    acceptedCount: sum(chain => chain.accepted_count),
    acceptedWithErrorsCount: sum(chain => chain.accepted_with_errors_count),
    rejectedCount: sum(chain => chain.rejected_count),
    // the chains are sorted by their last attempt
    lastAttemptAt: chains[0]?.last_attempt_at ?? null,
    lastFailure: chains[0]?.last_failure ?? null,
    nextSendAt: nextTimes[0] ?? null,
    problems: problems.map(showProblem),
  }
})
