import type { MembershipListener } from '#platform/events/membership-listener.ts'
import { eraseAddresses } from './sending-privacy.sql.ts'

/** Who asked to be forgotten is forgotten where invoices were sent. */
export const billingMembershipListener: Pick<MembershipListener, 'personErased'> = {
  personErased: (tx, { clientId, addresses }) => eraseAddresses(tx, { clientId }, addresses),
}
