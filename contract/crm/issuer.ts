import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Currency, Email, Name, Nullable } from '../shapes.ts'
import { Type } from '../type.ts'
import { editAccess, viewAccess } from './access.ts'
import { Country } from './shapes.ts'

/** The details of the organization that budgets and invoices show. */
export const Issuer = Type.Object({
  legalName: Type.String(),
  taxId: Type.String(),
  address: Type.String(),
  city: Type.String(),
  postalCode: Type.String(),
  country: Type.String(),
  email: Nullable(Type.String()),
  phone: Nullable(Type.String()),
  currency: Type.String({ description: 'The default currency of budgets and invoices' }),
})
export type Issuer = Static<typeof Issuer>

export const readIssuer = operation('GET /issuer', {
  ...viewAccess,
  summary: 'Retrieve the issuer details of the organization',
  description: '`issuer` is null until it is set.',
  reply: Type.Object({ issuer: Nullable(Issuer) }),
})
export const updateIssuer = operation('PUT /issuer', {
  ...editAccess,
  auth: { session: { permission: 'ORG_MANAGE' } },
  summary: 'Set the issuer details of the organization',
  description: 'Applies to new documents. Issued documents keep the details that they show.',
  body: {
    legalName: Name(limits.clientName),
    taxId: Name(limits.clientTaxId),
    address: Name(limits.clientAddress),
    city: Name(limits.clientCity),
    postalCode: Name(limits.clientPostalCode),
    country: Country,
    email: Type.Optional(Nullable(Email)),
    phone: Type.Optional(Nullable(Name(limits.leadPhone))),
    currency: Type.Optional(Type.Unsafe<string>({ ...Currency, default: 'eur' })),
  },
  reply: Type.Object({ issuer: Issuer }),
})
