import { recordEvents } from '#platform/audit.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Gateway } from '#platform/outside/gateway/port.ts'
import type { World } from '#platform/serve.ts'
import { type AccountRow, findAccountById } from '../gateway/account/store.ts'
import { opened } from '../gateway/reach.ts'

/** What collecting money needs: the world of a request has it, and so has the worker. */
export type Till = Pick<World, 'database' | 'seals' | 'cipher' | 'publicUrl' | 'log'> & {
  readonly gateways: Pick<World['gateways'], 'of'>
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
