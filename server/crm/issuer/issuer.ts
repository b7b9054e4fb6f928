import { type Issuer, readIssuer, updateIssuer } from '#contract/crm/issuer.ts'
import { command, query } from '#platform/http/operation.ts'
import { differing } from '../given.ts'
import { written, writtenOrNone } from '../written.ts'
import { issuerOf, setIssuer } from './issuer.sql.ts'

export const read = query(readIssuer, async ({ db }) => ({ issuer: (await issuerOf(db)) ?? null }))

export const update = command(updateIssuer, async ({ tx, body, audit }) => {
  const issuer: Issuer = {
    legalName: written(body.legalName),
    taxId: written(body.taxId),
    address: written(body.address),
    city: written(body.city),
    postalCode: written(body.postalCode),
    country: body.country,
    email: body.email ?? null,
    phone: writtenOrNone(body.phone),
    currency: body.currency ?? 'eur',
  }
  const before = (await issuerOf(tx)) ?? null
  const changed = differing(names, before, issuer)
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
