import { type OwnChannel, updateChannel } from '#contract/chat/channels.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'

/** Whether the person may change, archive and unarchive a channel (CHN-7). */
export function useManages(): (channel: Pick<OwnChannel, 'role' | 'type'>) => boolean {
  const may = useMay()
  const { caller } = useOrganization()
  return ({ role, type }) =>
    (type === 'CHANNEL' || type === 'GROUP') &&
    may(updateChannel) &&
    (role === 'OWNER' || role === 'ADMIN' || caller.isAdministrator)
}
