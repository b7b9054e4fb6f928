import type { Gateway } from '#platform/adapters/gateway/port.ts'
import type { Tx } from '#platform/data/database.ts'
import { recordEvents } from '#platform/events/audit.ts'
import type { Services } from '#platform/http/operation.ts'
import { type AccountRow, findAccountById } from '../gateway/account/gateway-account.sql.ts'
import { opened } from '../gateway/reach.ts'

/** What collecting money needs: the world of a request has it, and so has the worker. */
export type Till = Pick<Services, 'database' | 'seals' | 'cipher' | 'publicUrl' | 'log'> & {
  readonly gateways: Pick<Services['gateways'], 'of'>
  readonly signal?: { changed(): void }
}

/** The gateway of an account, also of one that is not collected with any more. */
export async function gatewayOf(till: Till, organizationId: string, id: string): Promise<Gateway> {
  return gatewayAt(till, organizationId, (await findAccountById(till.database.of(organizationId), id))!)
}

/** The same, when the account is at hand. */
export function gatewayAt({ gateways, cipher }: Till, organizationId: string, account: AccountRow): Gateway {
  return gateways.of(opened(cipher, organizationId, account))
}

/** One transaction that no caller asked for, with what it announces. */
export async function transactFor<Result>(
  till: Till,
  organizationId: string,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const result = await till.database.transact(organizationId, work, recordEvents)
  till.signal?.changed()
  return result
}
