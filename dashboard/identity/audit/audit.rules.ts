import type { Language } from '../../words/words.ts'
import { fieldTexts } from './field.words.ts'
import { actionTexts, exactTexts, memberTexts, methodTexts, thingTexts } from './operation.words.ts'

/** An operation in words, “Change role” for `PATCH /api/org/roles/:id`; undefined if it has none. */
export function operationText(operation: string, language: Language): string | undefined {
  const [method = '', path = ''] = operation.split(' ')
  const parts = path.split('/').filter(part => part !== '' && !part.startsWith(':') && !skipped.has(part))
  const exact = exactTexts[`${method} ${parts.slice(-2).join('/')}`]
  if (exact) return exact[language]
  const last = parts.at(-1) ?? ''
  const action = actionTexts[last]
  const thing = thingTexts[(action ? parts.at(-2) : last) ?? '']
  const verb = action ?? (last === 'members' ? memberTexts[method] : undefined) ?? methodTexts[method]
  return verb && thing ? `${verb[language]} ${thing[language]}` : undefined
}
const skipped = new Set(['api', 'external', 'v1'])

/** A field that an operation changed; without values if the log has only its name. */
export type FieldChange = { field: string; before?: unknown; after?: unknown; hasValues: boolean }

/**
 * The changed fields of an audit entry, with the values before and after where its detail has them (AUD-8), and
 * what else the detail says.
 */
export function changesOf({ changed, detail }: { changed: readonly string[]; detail: unknown }): {
  changes: readonly FieldChange[]
  others: readonly (readonly [name: string, value: unknown])[]
} {
  const { before, after, ...others } = isRecord(detail) ? detail : {}
  const hasStates = isRecord(before) || isRecord(after)
  const states = [isRecord(before) ? before : {}, isRecord(after) ? after : {}] as const
  const names = [...new Set(states.flatMap(state => Object.keys(state)))]
  const withValues = names
    .filter(field => JSON.stringify(states[0][field]) !== JSON.stringify(states[1][field]))
    .map(field => ({ field, before: states[0][field], after: states[1][field], hasValues: true }))
  const withoutValues = changed
    .filter(field => !names.includes(field))
    .map(field => ({ field, hasValues: false }))
  const rest = hasStates || before === undefined ? others : { ...others, before, after }
  return {
    changes: [...withValues, ...withoutValues],
    others: Object.entries(rest).filter(([, value]) => value !== null && value !== undefined),
  }
}

/** A field in words, “expiry” for `expiresAt`; `members.<id>` is a change of the members. The name itself without words. */
export function fieldText(field: string, language: Language): string {
  return fieldTexts[field.split('.')[0] ?? '']?.[language] ?? field
}

/** The client of an entry; the programs of the server's command line have no user agent. */
export function clientText(client: string, commandLine: string): string {
  return client === 'command line' ? commandLine : client
}

/** A value of the log as text. */
export function valueText(value: unknown, { yes, no }: { yes: string; no: string }): string {
  if (value === undefined || value === null || value === '') return '–'
  if (typeof value === 'boolean') return value ? yes : no
  if (typeof value === 'string') return value
  if (Array.isArray(value))
    return value.length === 0 ? '–' : value.map(item => valueText(item, { yes, no })).join(', ')
  return JSON.stringify(value)
}

/** Where the subject of an operation can be seen: the screen's path below the organization, and its tab. */
export function screenOfOperation(operation: string): { screen: string; query?: string } | undefined {
  const path = operation.split(' ')[1] ?? ''
  return subjectScreens.find(({ pattern }) => pattern.test(path))?.target
}

const subjectScreens: readonly { pattern: RegExp; target: { screen: string; query?: string } }[] = [
  { pattern: /^\/api\/org$/, target: { screen: 'settings/organization' } },
  { pattern: /^\/api\/org\/members/, target: { screen: 'settings/members' } },
  { pattern: /^\/api\/org\/departments/, target: { screen: 'settings/units', query: 'kind=DEPARTMENT' } },
  { pattern: /^\/api\/org\/workspaces/, target: { screen: 'settings/units', query: 'kind=WORKSPACE' } },
  { pattern: /^\/api\/org\/groups/, target: { screen: 'settings/units', query: 'kind=GROUP' } },
  { pattern: /^\/api\/org\/roles/, target: { screen: 'settings/roles' } },
  { pattern: /^\/api\/org\/invitations/, target: { screen: 'settings/invitations' } },
  { pattern: /\/leads(\/|$)(?!imports)/, target: { screen: 'leads' } },
  { pattern: /^\/api\/crm\/clients/, target: { screen: 'clients' } },
  { pattern: /^\/api\/crm\/opportunities/, target: { screen: 'opportunities' } },
  { pattern: /^\/api\/crm\/budgets/, target: { screen: 'budgets' } },
  { pattern: /\/invoices(\/|$)/, target: { screen: 'invoices' } },
  { pattern: /\/chat\/channels/, target: { screen: 'channels' } },
  { pattern: /^\/api\/studio\/assets/, target: { screen: 'studio' } },
  { pattern: /^\/api\/studio\/collections/, target: { screen: 'collections' } },
  { pattern: /^\/api\/integrations\/applications/, target: { screen: 'applications' } },
]

/** The first and the last moment of days of the calendar, in the zone of the browser. */
export function momentsOf({ from, to }: { from?: string | undefined; to?: string | undefined }): {
  from?: string
  to?: string
} {
  return {
    ...(from && { from: dayAt(from, 0).toISOString() }),
    ...(to && { to: new Date(dayAt(to, 1).getTime() - 1).toISOString() }),
  }
}

function dayAt(day: string, daysLater: number): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + daysLater)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
