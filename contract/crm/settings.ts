import Type, { type Static } from 'typebox'
import { operation } from '../operation.ts'
import { editAccess, viewAccess } from './access.ts'
import { Country } from './shapes.ts'

/** The CRM settings of the organization. */
export const CrmSettings = Type.Object({
  phoneCountry: Type.String({ description: 'The country of telephone numbers without a country code' }),
})
export type CrmSettings = Static<typeof CrmSettings>
export const readCrmSettings = operation('GET /settings', {
  ...viewAccess,
  summary: 'Retrieve the CRM settings',
  reply: CrmSettings,
})
export const updateCrmSettings = operation('PUT /settings', {
  ...editAccess,
  auth: { session: { permission: 'ORG_MANAGE' } },
  summary: 'Update the CRM settings',
  description: 'Applies to telephone numbers that are entered afterwards.',
  body: { phoneCountry: Country },
  reply: CrmSettings,
})
