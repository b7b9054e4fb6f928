import Type, { type Static } from 'typebox'
import { operation } from '../operation.ts'
import { editAccess, viewAccess } from './access.ts'
import { Country } from './shapes.ts'

/** What holds for all leads and contacts of the organization. */
export const CrmSettings = Type.Object({
  phoneCountry: Type.String({ description: 'How telephone numbers without a country are read' }),
})
export type CrmSettings = Static<typeof CrmSettings>
export const readCrmSettings = operation('GET /settings', {
  ...viewAccess,
  summary: 'What holds for all leads and contacts',
  reply: CrmSettings,
})
export const updateCrmSettings = operation('PUT /settings', {
  ...editAccess,
  auth: { session: { permission: 'ORG_MANAGE' } },
  summary: 'Change what holds for all leads and contacts',
  description: 'For numbers that come from now on.',
  body: { phoneCountry: Country },
  reply: CrmSettings,
})
