import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Nullable, Text } from '../shapes.ts'
import { Type } from '../type.ts'
import { editAccess, viewAccess } from './access.ts'
import { Country } from './shapes.ts'

/** When signers who do not answer are mailed again (LNKS-30). */
const SigningReminders = Type.Object(
  {
    days: Type.Integer({
      minimum: 1,
      maximum: limits.signingReminderDays,
      description: 'Days after the mail of the link, and after each reminder',
    }),
    most: Type.Integer({
      minimum: 1,
      maximum: limits.signingReminders,
      description: 'How many reminders a link gets',
    }),
  },
  { additionalProperties: false },
)

/** The greeting of the customer portal in each language; null: none (PRT-14). */
export const PortalGreeting = Type.Object(
  {
    es: Nullable(Text(limits.portalGreeting)),
    en: Nullable(Text(limits.portalGreeting)),
  },
  {
    additionalProperties: false,
    description: 'Plain text. Anybody who knows the address of the portal can read it',
  },
)
export type PortalGreeting = Static<typeof PortalGreeting>

/** The CRM settings of the organization. */
export const CrmSettings = Type.Object({
  phoneCountry: Type.String({ description: 'The country of telephone numbers without a country code' }),
  signingReminders: Nullable(SigningReminders),
  portalGreeting: PortalGreeting,
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
  description:
    'The country applies to telephone numbers that are entered afterwards. Without `signingReminders`, the reminders stay as they ' +
    'are; null ends them. Without `portalGreeting`, the greeting stays as it is.',
  body: {
    phoneCountry: Country,
    signingReminders: Type.Optional(Nullable(SigningReminders)),
    portalGreeting: Type.Optional(PortalGreeting),
  },
  reply: CrmSettings,
})
