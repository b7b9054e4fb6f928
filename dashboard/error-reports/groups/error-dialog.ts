import type { ErrorSearch } from './error.rules.ts'
import type { ErrorGroup } from './error.ts'

/** The dialog of the list, the sheet or the page that is open. */
export type ErrorDialog =
  | { kind: 'none' }
  | { kind: 'silence' | 'grace'; errors: readonly ErrorGroup[] }
  | { kind: 'ticket'; error: ErrorGroup }
  | { kind: 'all'; search: ErrorSearch }
