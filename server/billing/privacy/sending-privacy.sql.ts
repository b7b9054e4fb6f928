import type { Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'

/** A client, or a user of an application. */
type BilledParty = { clientId: string } | { applicationId: string; userId: string }

const without = (column: string) =>
  `array(select a from unnest(d.${column}) with ordinality as t(a, n) where lower(a) <> all($addresses) order by n)`
const erase = (billed: string) => `
  update invoice_delivery d set recipients = ${without('recipients')}, copies = ${without('copies')},
    refused = ${without('refused')}, server_reply = null
  from invoice i
  where d.organization_id = $organization and i.organization_id = $organization and i.id = d.invoice_id
    and ${billed}
    and exists (select from unnest(d.recipients || d.copies) a where lower(a) = any($addresses))`
// index invoice_of_client, invoice_delivery_of
const ofClient = sql<never, { addresses: string[]; clientId: string }>(erase('i.client_id = $clientId'))
// index invoice_of_user, invoice_delivery_of
const ofUser = sql<never, { addresses: string[]; applicationId: string; userId: string }>(
  erase('i.application_id = $applicationId and i.external_user_id = $userId'),
)

/**
 * Removes addresses from stored deliveries, together with the mail server's reply, which may contain them. The
 * invoices stay as they were issued.
 */
export async function eraseAddresses(
  tx: Tx,
  billed: BilledParty,
  addresses: readonly string[],
): Promise<void> {
  const lower = addresses.map(address => address.toLowerCase())
  if ('clientId' in billed) await tx.run(ofClient, { addresses: lower, clientId: billed.clientId })
  else await tx.run(ofUser, { addresses: lower, applicationId: billed.applicationId, userId: billed.userId })
}
