import type { Follower } from '#platform/follower.ts'
import { eraseAddresses } from './store.ts'

/** Who asked to be forgotten is forgotten where invoices were sent. */
export const billingFollower: Pick<Follower, 'personErased'> = {
  personErased: (tx, { clientId, addresses }) => eraseAddresses(tx, { clientId }, addresses),
}
