import type { Refusals } from '../refusal.ts'

/** Error codes of error reporting; see contract/errors.ts. */
export const errorRefusals = {
  ERROR_NOT_FOUND: { status: 404, text: 'The error does not exist in this application.' },
  ERROR_ALREADY_RESOLVED: { status: 409, text: 'The error is already resolved. Reopen it first.' },
  ERROR_ALREADY_SILENCED: { status: 409, text: 'The error is already silenced. Reopen it first.' },
  ERROR_ALREADY_OPEN: {
    status: 409,
    text: 'The error is already open: it is neither resolved nor silenced.',
  },
  TICKET_NOT_FOUND: { status: 404, text: 'The ticket does not exist in this application.' },
  TICKET_EXISTS: { status: 409, text: 'The error already has an open ticket. Close it first.' },
} as const satisfies Refusals
