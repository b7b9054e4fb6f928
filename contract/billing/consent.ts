import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Named, Nullable, Page, pageQuery, Text, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { byApplications, toManage, toView } from './auth.ts'

export const Locale = Named(
  Type.String({
    maxLength: 5,
    pattern: '^[a-z]{2}(?:-[A-Z]{2})?$',
    description: 'For example es or es-MX',
  }),
)

/** The text that users agree to when they authorize charges. A version never changes. */
export const ConsentText = Type.Object({
  locale: Type.String({ description: 'The locale of the text, which may differ from the requested one' }),
  version: Type.Integer(),
  text: Type.String(),
  sha256: Type.String({ description: 'SHA-256 of the text in UTF-8, in hex' }),
  createdAt: Nullable(Time),
})
export type ConsentText = Static<typeof ConsentText>

export const readConsentText = operation('GET /payment-authorizations/consent-text', {
  ...byApplications('crm:invoices:read'),
  alsoModule: 'card_payments',
  summary: 'Get the consent text for payment authorizations',
  description:
    'Show it to the user unmodified. Without a text in `locale`, the text of its language is returned, ' +
    'otherwise the Spanish one.',
  query: { locale: Type.Optional({ ...Locale, default: 'es' }) },
  reply: ConsentText,
})

export const listConsentTexts = operation('GET /consent-texts', {
  ...toView,
  alsoModule: 'card_payments',
  summary: 'List consent texts, newest first for each locale',
  description: 'The built-in text is not listed until a user has agreed to it.',
  query: pageQuery,
  reply: Page(ConsentText),
})

export const writeConsentText = operation('POST /consent-texts', {
  ...toManage,
  alsoModule: 'card_payments',
  summary: 'Write a new version of the consent text',
  description:
    'It must say that the user allows charges, how often, how the amount is determined, and how to cancel. ' +
    'Users who agreed to an earlier version are bound to that version.',
  body: { locale: Locale, text: Text(limits.consentText, 1) },
  reply: ConsentText,
  status: 201,
})
