import type { Refusals } from '../refusal.ts'

/** The refusals of error reporting; see contract/errors.ts. */
export const errorRefusals = {
  ERROR_NOT_FOUND: { status: 404, text: 'This application has no such error.' },
  ERROR_ALREADY_RESOLVED: { status: 409, text: 'This error is resolved already. Reopen it first.' },
  ERROR_ALREADY_SILENCED: { status: 409, text: 'This error is silenced already. Reopen it first.' },
  ERROR_ALREADY_OPEN: { status: 409, text: 'This error is not resolved and not silenced.' },
  TICKET_NOT_FOUND: { status: 404, text: 'This application has no such ticket.' },
  TICKET_EXISTS: { status: 409, text: 'This error has an open ticket already.' },
} as const satisfies Refusals
