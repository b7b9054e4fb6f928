import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Named, Nullable, Page, pageQuery, Text, Time } from '../shapes.ts'
import { byApplications, toManage, toView } from './auth.ts'

export const Locale = Named(
  Type.String({
    maxLength: 5,
    pattern: '^[a-z]{2}(?:-[A-Z]{2})?$',
    description: 'Such as es or es-MX',
  }),
)

/** What people agree to when they let themselves be charged. A version never changes. */
export const ConsentText = Type.Object({
  locale: Type.String({ description: 'What it is written in: perhaps not what was asked for' }),
  version: Type.Integer(),
  text: Type.String(),
  sha256: Type.String({ description: 'Of the text in UTF-8, hex' }),
  createdAt: Nullable(Time),
})
export type ConsentText = Static<typeof ConsentText>

export const readConsentText = operation('GET /payment-authorizations/consent-text', {
  ...byApplications('crm:invoices:read'),
  alsoModule: 'card_payments',
  summary: 'The text that a user agrees to when they authorize payments',
  description:
    'Show it to the user as it is. When there is none in `locale` it is in the language of it, and otherwise in Spanish.',
  query: { locale: Type.Optional({ ...Locale, default: 'es' }) },
  reply: ConsentText,
})

export const listConsentTexts = operation('GET /consent-texts', {
  ...toView,
  alsoModule: 'card_payments',
  summary: 'The texts that users agreed to, of each locale the newest first',
  description:
    'Until the organization has written one, or somebody agreed to it, a built-in text holds that is not listed.',
  query: pageQuery,
  reply: Page(ConsentText),
})

export const writeConsentText = operation('POST /consent-texts', {
  ...toManage,
  alsoModule: 'card_payments',
  summary: 'Write the next version of the text in a locale',
  description:
    'It must say that the user allows charges, how often, how the amount is found and how they can cancel. Who agreed to ' +
    'an earlier version agreed to that one.',
  body: { locale: Locale, text: Text(limits.consentText, 1) },
  reply: ConsentText,
  status: 201,
})
