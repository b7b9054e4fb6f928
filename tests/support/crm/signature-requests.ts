import { requestSignatures, type SignatureRequest } from '#contract/crm/signature-requests.ts'
import type { Client } from '#sdk/client.ts'
import { lastOf } from '../elements.ts'
import { until } from '../processes.ts'
import { decoded, type SmtpServer } from '../smtp.ts'

/** The address of a signer, and the orders of some. */
export const addressOfSigner = (name: string) => `${name.toLowerCase()}@signers.test`

/** Requests signatures: `{ Ana: 1, Bea: 2 }` are names with their orders. */
export function requestSigners(
  by: Client,
  budgetId: string,
  orders: Readonly<Record<string, number>>,
): Promise<SignatureRequest> {
  const signers = Object.entries(orders).map(([name, order]) => ({
    name,
    email: addressOfSigner(name),
    order,
  }))
  return by.call(requestSignatures, { params: { id: budgetId }, body: { signers } })
}

const secretIn = (raw: string) => /patio_sign_\w+/.exec(decoded(raw))?.[0]

/** The secrets of the links that a signer has received, the oldest first. */
export function secretsOf(smtp: SmtpServer, name: string): string[] {
  return smtp.taken
    .filter(({ to }) => to.includes(addressOfSigner(name)))
    .flatMap(({ raw }) => secretIn(raw) ?? [])
}

/** Waits for a link by mail. Returns its secret. */
export async function mailedSecret(smtp: SmtpServer, name: string): Promise<string> {
  await until(`a link for ${name}`, () => secretsOf(smtp, name).length > 0)
  return lastOf(secretsOf(smtp, name))
}
