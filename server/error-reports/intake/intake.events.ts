import type { EventData } from '#contract/events.ts'
import type { Tx } from '#platform/data/db.ts'
import { emit } from '#platform/events/emit.ts'
import type { GroupUpdate } from './apply-reports.ts'
import { spikeWindowMinutes } from './lifecycle.rules.ts'

const maxMessageLength = 500
type ErrorHead = {
  id: string
  hash: string
  message: string
  module: string
  severity: string
  count: number
  state: string
}

/** The data that all error events share. */
export function errorEventHead(row: ErrorHead & { last_occurrence: string }) {
  const { id: errorId, hash, message, module, severity, count, state, last_occurrence: lastOccurrence } = row
  return { errorId, hash, message: truncateMessage(message), module, severity, count, lastOccurrence, state }
}

/** Never cuts a character in half. */
function truncateMessage(message: string): string {
  return message.length <= maxMessageLength ? message : message.slice(0, maxMessageLength).toWellFormed()
}

/** Events for the reporting application: a new error (exactly once), a regression, the end of a silence, a spike. */
export function emitErrorEvents(tx: Tx, { applicationId, row, before, result, spike }: GroupUpdate): void {
  // the application is the actor, and receives the events although it caused them
  const actor = { personId: '', applicationId }
  const subject = { applicationId }
  if (!before) emit(tx, actor, 'ERROR_REPORTED', reportedEventData(row), subject)
  if (result.reopened) {
    const { reason, previousState, atMs } = result.reopened
    const reopenedAt = new Date(atMs).toISOString()
    emit(tx, actor, 'ERROR_REOPENED', { ...errorEventHead(row), reason, previousState, reopenedAt }, subject)
  }
  if (spike)
    emit(
      tx,
      actor,
      'ERROR_SPIKE',
      { ...errorEventHead(row), ...spike, windowMinutes: spikeWindowMinutes },
      subject,
    )
}

function reportedEventData(row: GroupUpdate['row']): EventData<'ERROR_REPORTED'> {
  const { lastOccurrence: _, ...head } = errorEventHead(row)
  const { file, line, function: name, endpoint, first_occurrence: firstOccurrence } = row
  return { ...head, file, line, function: name, endpoint, firstOccurrence }
}
