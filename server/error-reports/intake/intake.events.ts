import type { EventData } from '#contract/events.ts'
import type { Tx } from '#platform/data/database.ts'
import { emit } from '#platform/events/emit.ts'
import { spikeWindowMinutes } from './lifecycle.rules.ts'
import type { Settled } from './apply-reports.ts'

const messageLength = 500
type Head = {
  id: string
  hash: string
  message: string
  module: string
  severity: string
  count: number
  state: string
}

/** What every notice about an error says of it. */
export function headOf(row: Head & { last_occurrence: string }) {
  const { id: errorId, hash, message, module, severity, count, state, last_occurrence: lastOccurrence } = row
  return { errorId, hash, message: shortened(message), module, severity, count, lastOccurrence, state }
}

/** Whole characters, no more than a notice carries. */
function shortened(message: string): string {
  return message.length <= messageLength ? message : message.slice(0, messageLength).toWellFormed()
}

/**
 * What came of reports, to the application that sent them: an error that is new, exactly once; one that came back; a
 * silence that ended; a spike.
 */
export function announceCourse(tx: Tx, { applicationId, row, before, outcome, spike }: Settled): void {
  // the application did it, and is told all the same
  const actor = { personId: '', applicationId }
  const about = { applicationId }
  if (!before) emit(tx, actor, 'ERROR_REPORTED', reported(row), about)
  if (outcome.reopened) {
    const { reason, previousState, atMs } = outcome.reopened
    const reopenedAt = new Date(atMs).toISOString()
    emit(tx, actor, 'ERROR_REOPENED', { ...headOf(row), reason, previousState, reopenedAt }, about)
  }
  if (spike)
    emit(tx, actor, 'ERROR_SPIKE', { ...headOf(row), ...spike, windowMinutes: spikeWindowMinutes }, about)
}

function reported(row: Settled['row']): EventData<'ERROR_REPORTED'> {
  const { lastOccurrence: _, ...head } = headOf(row)
  const { file, line, function: name, endpoint, first_occurrence: firstOccurrence } = row
  return { ...head, file, line, function: name, endpoint, firstOccurrence }
}
