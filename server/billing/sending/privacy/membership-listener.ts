import type { MembershipListener } from '#platform/events/membership-listener.ts'
import { eraseAddresses } from './sending-privacy.sql.ts'

/** Erasing a person also removes their addresses from the deliveries of invoices. */
export const billingMembershipListener: Pick<MembershipListener, 'personErased'> = {
  personErased: (tx, { clientId, addresses }) => eraseAddresses(tx, { clientId }, addresses),
}
