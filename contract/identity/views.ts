import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import type { Permission } from '../permissions.ts'
import { Id, Name, OneOf, Person, Time } from '../shapes.ts'
import { Type } from '../type.ts'

const area = 'org'
const anyMember = { session: { permission: null } } as const
const id = { id: Id }

/** The lists that have saved views, each with the permission that it needs; null: every member reads it (VIEW-2). */
export const viewListPermissions = {
  assets: 'STUDIO_VIEW',
  entries: 'STUDIO_MARKETPLACE_VIEW',
  leads: 'CRM_VIEW',
  clients: 'CRM_VIEW',
  contacts: 'CRM_VIEW',
  opportunities: 'CRM_VIEW',
  budgets: 'CRM_VIEW',
  invoices: 'BILLING_VIEW',
  payments: 'BILLING_VIEW',
  charges: 'BILLING_VIEW',
  refunds: 'BILLING_VIEW',
  errors: 'ERROR_REPORTS_MANAGE',
  applications: 'INTEGRATIONS_MANAGE',
  deliveries: 'INTEGRATIONS_MANAGE',
  agents: 'CHAT_USE',
  members: null,
  audit: 'ORG_MANAGE',
} as const satisfies Record<string, Permission | null>
export type ViewList = keyof typeof viewListPermissions
export const viewLists = Object.keys(viewListPermissions) as ViewList[]
export const ViewList = OneOf(viewLists, { description: 'The list that a view filters' })

/** The filters and the order of a list, by the names of its query parameters. */
export const ViewFilters = Type.Unsafe<Record<string, string | string[]>>({
  type: 'object',
  additionalProperties: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
  description:
    'Query parameters of the list, such as `{ "status": ["NEW"], "orderBy": "score" }`. At most ' +
    `${limits.viewFilterBytes} bytes as JSON. They are checked when the list is read`,
})

/** Saved filters of a list (VIEW-1). */
export const SavedView = Type.Object({
  id: Id,
  list: ViewList,
  name: Type.String(),
  filters: ViewFilters,
  isShared: Type.Boolean({ description: 'True: everybody who reads the list sees the view' }),
  owner: Person,
  mayChange: Type.Boolean({ description: 'Whether the caller may change and delete the view' }),
  createdAt: Time,
  updatedAt: Time,
})
export type SavedView = Static<typeof SavedView>

export const listSavedViews = operation('GET /views', {
  area,
  summary: 'List the saved views of a list, by name',
  description:
    'Returns the views of the caller and the shared ones, all on one page. Requires the permission of the list.',
  auth: anyMember,
  query: { list: ViewList },
  reply: Type.Object({ items: Type.Array(SavedView) }),
  errors: ['PERMISSION_DENIED'],
})

export const createSavedView = operation('POST /views', {
  area,
  summary: 'Save a view of a list',
  description:
    `A person has at most ${limits.viewsPerPerson} views of their own that are not shared, and an organization at most ` +
    `${limits.sharedViews} shared ones.`,
  auth: anyMember,
  body: {
    list: ViewList,
    name: Name(limits.viewName),
    filters: ViewFilters,
    isShared: Type.Optional(Type.Boolean({ default: false })),
  },
  status: 201,
  reply: SavedView,
  errors: ['PERMISSION_DENIED', 'TOO_MANY_VIEWS'],
})

export const updateSavedView = operation('PATCH /views/:id', {
  area,
  summary: 'Update a saved view',
  description:
    'Omitted fields keep their values; `filters` replaces all of them. The owner may update a view, and people with ORG_MANAGE a ' +
    'shared one. A view that is no longer shared belongs to its owner alone.',
  auth: anyMember,
  params: id,
  body: {
    name: Type.Optional(Name(limits.viewName)),
    filters: Type.Optional(ViewFilters),
    isShared: Type.Optional(Type.Boolean()),
  },
  bodyOptional: true,
  reply: SavedView,
  errors: ['VIEW_NOT_FOUND', 'PERMISSION_DENIED', 'TOO_MANY_VIEWS', 'NOTHING_TO_CHANGE'],
})

export const deleteSavedView = operation('DELETE /views/:id', {
  area,
  summary: 'Delete a saved view',
  description: 'The owner may delete a view, and people with ORG_MANAGE a shared one.',
  auth: anyMember,
  params: id,
  errors: ['VIEW_NOT_FOUND', 'PERMISSION_DENIED'],
})
