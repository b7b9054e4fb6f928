import type { ErrorGroup, ErrorSeverity, ErrorState, HistoryEntry } from './error.ts'

/** The state of the list in the address. */
export type ErrorSearch = {
  application?: string
  /** Without it, the errors that are open. */
  state?: ErrorState | 'ALL'
  severity?: ErrorSeverity
  module?: string
  search?: string
  /** How long ago an error has occurred at most. */
  since?: Since
  /** The error whose details are open. */
  open?: string
}

export const severities = ['critical', 'high', 'medium', 'low'] as const
export const states = ['UNRESOLVED', 'SILENCED', 'RESOLVED', 'ALL'] as const
export const periods = ['24h', '7d', '30d'] as const
export type Since = (typeof periods)[number]
const hoursOf: Readonly<Record<Since, number>> = { '24h': 24, '7d': 168, '30d': 720 }
const hourMs = 3_600_000

const oneOf = <Value>(values: readonly Value[], given: unknown) => values.find(value => value === given)
// the router reads a text of digits as a number
const textOf = (given: unknown) =>
  typeof given === 'string' || typeof given === 'number' ? String(given) : undefined

/** Reads the filters from the address; what is not valid is left out. */
export function errorSearchOf(given: Record<string, unknown>): ErrorSearch {
  const search: { [Key in keyof ErrorSearch]: ErrorSearch[Key] | undefined } = {
    application: typeof given.application === 'string' ? given.application : undefined,
    state: oneOf(states, given.state),
    severity: oneOf(severities, given.severity),
    module: textOf(given.module),
    search: textOf(given.search),
    since: oneOf(periods, given.since),
    open: typeof given.open === 'string' ? given.open : undefined,
  }
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as ErrorSearch
}

/** The filters of the lists and of the bulk change. A period begins with a whole hour, so that equal filters have equal keys. */
export function errorFiltersOf(search: ErrorSearch, now: number) {
  const { state = 'UNRESOLVED', severity, module, since } = search
  const sought = search.search?.trim()
  return {
    ...(state !== 'ALL' && { state }),
    ...(severity && { severity: [severity] }),
    ...(module && { module }),
    ...(sought && { search: sought }),
    ...(since && { from: new Date(Math.floor(now / hourMs - hoursOf[since]) * hourMs).toISOString() }),
  }
}

/** Whether the list may hide more than what is done. */
export function isFiltered({ open: _open, ...filters }: ErrorSearch): boolean {
  return Object.keys(filters).length > 0
}

/** Whether an error still belongs to the list, also after a change that the server has not confirmed. */
export function fitsState(
  { state }: Pick<ErrorGroup, 'state'>,
  { state: wanted = 'UNRESOLVED' }: ErrorSearch,
) {
  return wanted === 'ALL' || state === wanted
}

/** When a silence ends. */
export type SilenceCondition =
  | { type: 'FOREVER' | 'SPIKE' }
  | { type: 'DATE'; until: string }
  | { type: 'COUNT'; count: number }

type Silenced = Pick<ErrorGroup, 'state' | 'silence' | 'silencedUntil' | 'silencedForCount'>

/** The condition under which an error is silent; undefined if it is not. */
export function silenceOf({ state, silence, silencedUntil, silencedForCount }: Silenced) {
  if (state !== 'SILENCED') return undefined
  const condition: SilenceCondition =
    silence === 'DATE' && silencedUntil !== null
      ? { type: 'DATE', until: silencedUntil }
      : silence === 'COUNT' && silencedForCount !== null
        ? { type: 'COUNT', count: silencedForCount }
        : { type: silence === 'SPIKE' ? 'SPIKE' : 'FOREVER' }
  return condition
}

export type ErrorChange =
  | { action: 'RESOLVE'; graceMinutes?: number }
  | { action: 'SILENCE'; silence: SilenceCondition }
  | { action: 'REOPEN' }
export type ErrorAction = ErrorChange['action']

/** The states from which an action is possible (GRP-14). */
const possibleFrom: Readonly<Record<ErrorAction, readonly ErrorState[]>> = {
  RESOLVE: ['UNRESOLVED', 'SILENCED'],
  SILENCE: ['UNRESOLVED'],
  REOPEN: ['RESOLVED', 'SILENCED'],
}

export function isPossible(action: ErrorAction, { state }: Pick<ErrorGroup, 'state'>): boolean {
  return possibleFrom[action].includes(state)
}

/** The fields of an error that a change gives other values, until the server has answered. */
export function changedFields(change: ErrorChange, now: number) {
  const at = new Date(now).toISOString()
  const open = {
    state: 'UNRESOLVED',
    resolved: false,
    resolvedAt: null,
    resolvedBy: null,
    silence: null,
    silencedAt: null,
    silencedUntil: null,
    silencedForCount: null,
  }
  if (change.action === 'REOPEN') return open
  if (change.action === 'RESOLVE') return { ...open, state: 'RESOLVED', resolved: true, resolvedAt: at }
  const { silence } = change
  return {
    ...open,
    state: 'SILENCED',
    silencedAt: at,
    silence: silence.type,
    silencedUntil: silence.type === 'DATE' ? silence.until : null,
    silencedForCount: silence.type === 'COUNT' ? silence.count : null,
  }
}

/** The changes that give an error the state back that it had, in order. */
export function undoOf(before: Silenced, change: ErrorChange): ErrorChange[] {
  const silence = silenceOf(before)
  if (before.state === 'RESOLVED') return [{ action: 'RESOLVE' }]
  if (!silence) return [{ action: 'REOPEN' }]
  const silencing: ErrorChange = { action: 'SILENCE', silence }
  return change.action === 'REOPEN' ? [silencing] : [{ action: 'REOPEN' }, silencing]
}

/** How an open error came back: when, and who had resolved it when. The history has the newest entry first. */
export function regressionOf(
  { state }: Pick<ErrorGroup, 'state'>,
  history: readonly HistoryEntry[],
): { at: string; resolved: HistoryEntry | undefined } | undefined {
  if (state !== 'UNRESOLVED') return undefined
  const at = history.findIndex(({ action }) => action === 'REGRESSED')
  const returned = history[at]
  const isLatest = !history.slice(0, Math.max(at, 0)).some(({ action }) => action === 'REOPENED')
  if (!returned || !isLatest) return undefined
  return { at: returned.at, resolved: history.slice(at).find(({ action }) => action === 'RESOLVED') }
}
