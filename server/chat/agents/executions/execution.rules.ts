import { limits } from '#contract/limits.ts'
import { fail } from '#platform/fail.ts'
import type { ExecutionTimes } from './execution.sql.ts'

/** Refuses VALIDATION_ERROR if the end precedes the start, the end is in the future or the start precedes the approval. */
export function assertPlausibleTimes({ is_reversed, is_ahead, is_early }: ExecutionTimes): void {
  if (is_reversed) refuse('finishedAt', 'must not be before startedAt')
  if (is_ahead) refuse('finishedAt', `must not be more than ${limits.agentClockMinutes} minutes ahead`)
  if (is_early) refuse('startedAt', 'must not be before the agent was approved')
}

function refuse(field: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path: field, code: 'range', message }] })
}
