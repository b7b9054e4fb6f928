import { type Issuer, readIssuer, updateIssuer } from '#contract/crm/issuer.ts'
import { changedFieldNames } from '#platform/changed-fields.ts'
import { command, query } from '#platform/http/operation.ts'
import { normalizeText, normalizeTextOrNull } from '../normalize-text.ts'
import { issuerOf, setIssuer } from './issuer.sql.ts'

export const read = query(readIssuer, async ({ db }) => ({ issuer: (await issuerOf(db)) ?? null }))

export const update = command(updateIssuer, async ({ tx, body, audit }) => {
  const issuer: Issuer = {
    legalName: normalizeText(body.legalName),
    taxId: normalizeText(body.taxId),
    address: normalizeText(body.address),
    city: normalizeText(body.city),
    postalCode: normalizeText(body.postalCode),
    country: body.country,
    email: body.email ?? null,
    phone: normalizeTextOrNull(body.phone),
    currency: body.currency ?? 'eur',
  }
  const before = (await issuerOf(tx)) ?? null
  const changed = changedFieldNames(names, before, issuer)
  audit(tx.organizationId, changed)
  if (changed.length > 0) await setIssuer(tx, issuer)
  return { issuer }
})

const names = {
  legalName: 'legalName',
  taxId: 'taxId',
  address: 'address',
  city: 'city',
  postalCode: 'postalCode',
  country: 'country',
  email: 'email',
  phone: 'phone',
  currency: 'currency',
}
