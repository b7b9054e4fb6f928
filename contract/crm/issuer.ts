import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Currency, Email, Name, Nullable } from '../shapes.ts'
import { editAccess, viewAccess } from './access.ts'
import { Country } from './shapes.ts'

/** Who the organization is on budgets and invoices. */
export const Issuer = Type.Object({
  legalName: Type.String(),
  taxId: Type.String(),
  address: Type.String(),
  city: Type.String(),
  postalCode: Type.String(),
  country: Type.String(),
  email: Nullable(Type.String()),
  phone: Nullable(Type.String()),
  currency: Type.String({ description: 'Of what is made without another' }),
})
export type Issuer = Static<typeof Issuer>

export const readIssuer = operation('GET /issuer', {
  ...viewAccess,
  summary: 'Who the organization is on paper',
  description: '`issuer` is null until it is said.',
  reply: Type.Object({ issuer: Nullable(Issuer) }),
})
export const updateIssuer = operation('PUT /issuer', {
  ...editAccess,
  auth: { session: { permission: 'ORG_MANAGE' } },
  summary: 'Say who the organization is on paper',
  description: 'For what is made from now on; what was issued keeps whom it names.',
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
