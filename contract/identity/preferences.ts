import type { Static } from 'typebox'
import { operation } from '../operation.ts'
import { Id, Nullable, OneOf } from '../shapes.ts'
import { Type } from '../type.ts'

const area = 'auth'
// no organization: they belong to the person, and the dashboard reads them before one is chosen
const auth = { account: true } as const

const Language = OneOf(['es', 'en'])
const Theme = OneOf(['system', 'light', 'dark'])
const Density = OneOf(['compact', 'usual', 'roomy'])

export const Preferences = Type.Object({
  language: Nullable({ ...Language, description: 'Null: the language of the browser' } as typeof Language),
  theme: Theme,
  density: Density,
  singleKeyShortcuts: Type.Boolean({ description: 'Shortcuts of one key without Ctrl or ⌘' }),
  lastOrganizationId: Nullable({
    ...Id,
    description: 'Where the dashboard opens; null when the person has left it',
  } as typeof Id),
})
export type Preferences = Static<typeof Preferences>

export const readPreferences = operation('GET /preferences', {
  area,
  summary: 'Read the preferences of the signed-in person',
  description: 'They belong to the person in all organizations, and have defaults until they are set.',
  auth,
  reply: Preferences,
})

export const setPreferences = operation('PUT /preferences', {
  area,
  summary: 'Set preferences of the signed-in person',
  description: 'A field that is left out stays as it is, so that two tabs do not undo each other.',
  auth,
  body: {
    language: Type.Optional(Nullable(Language)),
    theme: Type.Optional(Theme),
    density: Type.Optional(Density),
    singleKeyShortcuts: Type.Optional(Type.Boolean()),
    lastOrganizationId: Type.Optional(Nullable(Id)),
  },
  reply: Preferences,
  errors: ['ORGANIZATION_NOT_FOUND'],
})
