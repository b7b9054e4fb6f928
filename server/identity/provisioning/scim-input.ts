import { limits } from '#contract/limits.ts'
import { emailPattern } from '#contract/shapes.ts'
import { refuseInput } from './scim-error.ts'

/** The attributes of a user that a request sets; an absent one stays as it is. */
export type UserChange = {
  userName?: string
  /** The whole name, as displayName or name.formatted. */
  displayName?: string
  givenName?: string | null
  familyName?: string | null
  externalId?: string | null
  active?: boolean
  role?: string
}

/** A change of the members of a group; changes apply in their order. */
export type MembersChange = { kind: 'add' | 'remove' | 'replace'; ids: string[] }
/** The attributes of a group that a request sets. */
export type GroupChange = { displayName?: string; externalId?: string | null; members: MembersChange[] }

export type Filter = { attribute: string; value: string }

const email = new RegExp(emailPattern, 'u')
const coreSchema = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i

/** The one form of filter that is supported: `attribute eq "value"`. Error: invalidFilter. */
export function filterOf(text: unknown): Filter | undefined {
  if (text === undefined) return undefined
  const [, path = '', literal = ''] =
    /^\s*([\w.:$-]+(?:\[[^\]]{1,100}\](?:\.\w+)?)?)\s+eq\s+("(?:[^"\\]|\\.)*")\s*$/i.exec(String(text)) ?? []
  if (path === '') refuseInput('invalidFilter', 'A filter has the form: attribute eq "value".')
  try {
    return { attribute: attributeOf(path), value: JSON.parse(literal) as string }
  } catch {
    return refuseInput('invalidFilter', 'The value of the filter is not a JSON text.')
  }
}

/** The user that a POST or PUT describes. Errors: invalidSyntax, invalidValue. */
export function userIn(body: unknown): UserChange {
  const change: UserChange = {}
  for (const [attribute, value] of Object.entries(recordIn(body))) setUser(change, attribute, value)
  return change
}

/** The group that a POST or PUT describes. Errors: invalidSyntax, invalidValue. */
export function groupIn(body: unknown): GroupChange {
  const change: GroupChange = { members: [] }
  for (const [attribute, value] of Object.entries(recordIn(body)))
    setGroup(change, 'replace', attribute, value)
  return change
}

/** The change of a user that a PATCH describes. Errors: invalidSyntax, invalidPath, invalidValue. */
export function userPatchIn(body: unknown): UserChange {
  const change: UserChange = {}
  for (const { op, path, value } of operationsIn(body)) {
    if (op === 'remove') {
      if (path === undefined) refuseInput('invalidPath', 'A removal needs a path.')
      clearUser(change, path)
    } else if (path === undefined) {
      for (const [attribute, item] of Object.entries(recordIn(value))) setUser(change, attribute, item)
    } else setUser(change, path, value)
  }
  return change
}

/** The change of a group that a PATCH describes. Errors: invalidSyntax, invalidPath, invalidValue. */
export function groupPatchIn(body: unknown): GroupChange {
  const change: GroupChange = { members: [] }
  for (const { op, path, value } of operationsIn(body)) {
    if (op === 'remove') clearGroup(change, path, value)
    else if (path === undefined) {
      for (const [attribute, item] of Object.entries(recordIn(value))) setGroup(change, op, attribute, item)
    } else setGroup(change, op, path, value)
  }
  return change
}

/** The name of a member; undefined if the change names none. */
export function nameOf(
  { displayName, givenName, familyName }: UserChange,
  stored: { given_name: string | null; family_name: string | null },
): string | undefined {
  if (displayName !== undefined) return displayName
  if (givenName === undefined && familyName === undefined) return undefined
  const parts = { givenName: givenName ?? stored.given_name, familyName: familyName ?? stored.family_name }
  return (
    [parts.givenName, parts.familyName].filter(Boolean).join(' ').slice(0, limits.personName) || undefined
  )
}

function setUser(change: UserChange, path: string, value: unknown): void {
  const attribute = attributeOf(path)
  if (attribute === 'username') change.userName = addressIn(value)
  else if (attribute === 'displayname' || attribute === 'name.formatted') {
    // an empty name says nothing; the display name is the more specific one
    const name = textIn(value, limits.personName)
    if (name && (attribute === 'displayname' || change.displayName === undefined)) change.displayName = name
  } else if (attribute === 'name.givenname') change.givenName = textIn(value, limits.personName) || null
  else if (attribute === 'name.familyname') change.familyName = textIn(value, limits.personName) || null
  else if (attribute === 'name') {
    for (const [part, item] of Object.entries(recordIn(value))) setUser(change, `name.${part}`, item)
  } else if (attribute === 'externalid') change.externalId = textIn(value, limits.provisioningText) || null
  else if (attribute === 'active') change.active = booleanIn(value)
  else if (attribute === 'roles') change.role = roleIn(value)
  // all other attributes of the schema, such as telephone numbers, are not stored (SCM-7)
}

function clearUser(change: UserChange, path: string): void {
  const attribute = attributeOf(path)
  if (attribute === 'externalid') change.externalId = null
  if (attribute === 'name.givenname') change.givenName = null
  if (attribute === 'name.familyname') change.familyName = null
  if (attribute === 'roles') change.role = 'MEMBER'
}

function setGroup(change: GroupChange, op: 'add' | 'replace', path: string, value: unknown): void {
  const attribute = attributeOf(path)
  if (attribute === 'displayname') {
    change.displayName = textIn(value, limits.unitName)
    if (!change.displayName) refuseInput('invalidValue', 'displayName must not be empty.')
  } else if (attribute === 'externalid') change.externalId = textIn(value, limits.provisioningText) || null
  else if (attribute === 'members') change.members.push({ kind: op, ids: memberIdsIn(value) })
}

function clearGroup(change: GroupChange, path: string | undefined, value: unknown): void {
  if (path === undefined) refuseInput('invalidPath', 'A removal needs a path.')
  const [, id] = /^members\[value\s+eq\s+"([^"]*)"\]$/i.exec(path.replace(coreSchema, '').trim()) ?? []
  if (id !== undefined) change.members.push({ kind: 'remove', ids: [id] })
  else if (attributeOf(path) === 'externalid') change.externalId = null
  else if (attributeOf(path) !== 'members')
    refuseInput('invalidPath', `This cannot be removed: ${path.slice(0, 100)}`)
  else if (value === undefined || value === null) change.members.push({ kind: 'replace', ids: [] })
  else change.members.push({ kind: 'remove', ids: memberIdsIn(value) })
}

/** The attribute of a path in lower case, without its schema; a selected item counts as the whole attribute. */
function attributeOf(path: string): string {
  return path
    .replace(coreSchema, '')
    .replace(/\[[^\]]*\](?:\.value)?$/, '')
    .toLowerCase()
}

type PatchOperation = { op: 'add' | 'remove' | 'replace'; path?: string; value?: unknown }

function operationsIn(body: unknown): PatchOperation[] {
  const operations = Object.entries(recordIn(body)).find(([name]) => name.toLowerCase() === 'operations')?.[1]
  if (!Array.isArray(operations)) refuseInput('invalidSyntax', 'Operations must be a list.')
  if (operations.length > limits.provisioningPatchOperations)
    refuseInput('invalidSyntax', `At most ${limits.provisioningPatchOperations} operations.`)
  return operations.map(operation => {
    const { op, path, value } = recordIn(operation)
    const kind = String(op).toLowerCase()
    if (kind !== 'add' && kind !== 'remove' && kind !== 'replace')
      refuseInput('invalidSyntax', 'op must be add, remove or replace.')
    if (path !== undefined && typeof path !== 'string') refuseInput('invalidPath', 'path must be a text.')
    return { op: kind, ...(path && { path }), value }
  })
}

function recordIn(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    refuseInput('invalidSyntax', 'A JSON object is required.')
  return value as Record<string, unknown>
}

function textIn(value: unknown, most: number): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') refuseInput('invalidValue', 'A text is required.')
  const text = value.trim()
  if (text.length > most || /\p{Cc}/u.test(text))
    refuseInput('invalidValue', `A text has at most ${most} characters and no control characters.`)
  return text
}

function addressIn(value: unknown): string {
  const address = textIn(value, limits.email).toLowerCase()
  if (!email.test(address)) refuseInput('invalidValue', 'userName must be an e-mail address.')
  return address
}

/** Entra ID sends the texts "True" and "False" unless its tenant address says otherwise. */
function booleanIn(value: unknown): boolean {
  const given = Array.isArray(value) && value.length === 1 ? (value[0] as { value?: unknown }).value : value
  const text = String(given).toLowerCase()
  if (text !== 'true' && text !== 'false') refuseInput('invalidValue', 'active must be true or false.')
  return text === 'true'
}

/** The name of a role: of the list of roles the primary one, or the first. */
function roleIn(value: unknown): string {
  const items: unknown[] = Array.isArray(value) ? value : [value]
  const isPrimary = (item: unknown) =>
    String((item as { primary?: unknown } | null)?.primary).toLowerCase() === 'true'
  const chosen = items.find(isPrimary) ?? items[0] ?? 'MEMBER'
  const name = typeof chosen === 'object' ? recordIn(chosen).value : chosen
  return textIn(name, limits.roleName) || 'MEMBER'
}

function memberIdsIn(value: unknown): string[] {
  const items: unknown[] = Array.isArray(value) ? value : [value]
  if (items.length > limits.provisionedMembersAtOnce)
    refuseInput('invalidValue', `At most ${limits.provisionedMembersAtOnce} members at once.`)
  const ids = items.map(item => textIn(typeof item === 'object' ? recordIn(item).value : item, 64))
  // sorted, so that two requests lock the members in the same order
  return [...new Set(ids)].sort()
}
