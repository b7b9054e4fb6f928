import { type Grant, listGrants, listPastGrants, putGrant, revokeGrant } from '#contract/chat/grants.ts'
import { readApplication } from '#contract/integrations/applications.ts'
import { needErrorTexts, textOfError } from '../../data/errors.ts'
import { useKnownHref } from '../../data/known-href.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import type { MenuEntry } from '../../parts/menu.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { type Channel, managesChannel } from '../channel.rules.ts'
import { grantTexts } from './grants.words.ts'

/** The reads that show the grants of a channel. */
export const grantReads = [listGrants, listPastGrants] as const

/** The actions of a grant: change it, take it over, revoke it. */
export function useGrantActions({
  channel,
  grant,
  mayGive,
  onChange,
  onRevoke,
}: {
  channel: Channel
  grant: Grant
  mayGive: boolean
  onChange: () => void
  onRevoke: () => void
}) {
  const text = useWords(grantTexts)
  const language = useLanguage()
  const may = useMay()
  const { caller } = useOrganization()
  const applicationsHref = useKnownHref()('applications', `?open=${encodeURIComponent(grant.application.id)}`)
  const put = useAction(putGrant, { refreshes: grantReads })
  const { id: applicationId, name } = grant.application
  const isOwn = grant.grantedBy.id === caller.person.id
  const mustJoin = grant.isMember && channel.role === null
  const applicationHref = may(readApplication) ? applicationsHref : undefined

  async function give(isMember: boolean): Promise<void> {
    try {
      await put.mutateAsync({
        params: { id: channel.id, applicationId },
        body: { capabilities: grant.capabilities, isMember },
      })
      showToast({ text: text.takenOver(name) })
    } catch (error) {
      await needErrorTexts(language)
      showToast({ kind: 'failed', text: textOfError(error, language) })
    }
  }

  const entries: MenuEntry[] = [
    ...(mayGive ? [{ id: 'change', label: text.change, icon: 'edit' as const, onAction: onChange }] : []),
    ...(mayGive && !isOwn
      ? [
          {
            id: 'takeOver',
            label: text.takeOver,
            icon: 'person' as const,
            isDisabled: mustJoin,
            ...(mustJoin && { hint: text.joinFirst }),
            onAction: () => void give(grant.isMember),
          },
        ]
      : []),
    ...(applicationHref
      ? [{ id: 'open', label: text.openApplication, icon: 'applications' as const, href: applicationHref }]
      : []),
    ...(may(revokeGrant) && managesChannel(caller, channel)
      ? [{ id: 'revoke', label: text.revoke, icon: 'close' as const, isDangerous: true, onAction: onRevoke }]
      : []),
  ]
  return { entries, give, isBusy: put.isPending, mustJoin, applicationHref }
}
