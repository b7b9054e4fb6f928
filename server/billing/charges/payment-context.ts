import type { Gateway } from '#platform/adapters/gateway/port.ts'
import type { Tx } from '#platform/data/db.ts'
import { recordEvents } from '#platform/events/audit.ts'
import type { Services } from '#platform/services.ts'
import { type AccountRow, readAccount } from '../gateway/account/gateway-account.sql.ts'
import { decryptAccount } from '../gateway/account-keys.ts'

/** The services that payments need, of a request or of the worker. */
export type PaymentContext = Pick<
  Services,
  'database' | 'seals' | 'cipher' | 'publicUrl' | 'log' | 'wakeUp'
> & {
  readonly gateways: Pick<Services['gateways'], 'of'>
}

/** The same for the pages on which payers use the sandbox. */
export type PaymentPageServices = PaymentContext & Pick<Services, 'gateways'>

/** The gateway of an account, disconnected accounts included. */
export async function gatewayOf(
  context: PaymentContext,
  organizationId: string,
  id: string,
): Promise<Gateway> {
  return openGateway(context, organizationId, await readAccount(context.database.of(organizationId), id))
}

/** The same for a loaded account. */
export function openGateway(
  { gateways, cipher }: PaymentContext,
  organizationId: string,
  account: AccountRow,
): Gateway {
  return gateways.of(decryptAccount(cipher, organizationId, account))
}

/** A transaction without a caller. It records its events. */
export async function transactAsSystem<Result>(
  context: PaymentContext,
  organizationId: string,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const result = await context.database.transact(organizationId, work, recordEvents)
  context.wakeUp?.changed()
  return result
}
