import { type Grant, revokeGrant } from '#contract/chat/grants.ts'
import { textOfError } from '../../data/errors.ts'
import { useAction } from '../../data/read.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { type Channel, channelName } from '../channel.rules.ts'
import styles from './grants.module.css'
import { grantDialogTexts } from './grants.words.ts'
import { grantReads } from './use-grant-actions.ts'

/** Asks before an application loses a channel. */
export function RevokeGrantDialog({
  channel,
  grant: { application },
  onClose,
}: {
  channel: Channel
  grant: Grant
  onClose: () => void
}) {
  const text = useWords(grantDialogTexts)
  const language = useLanguage()
  const revoke = useAction(revokeGrant, { refreshes: grantReads })
  return (
    <Confirm
      title={text.revokeTitle(application.name, channelName(channel))}
      action={text.revoke}
      isDangerous
      isOpen
      onClose={onClose}
      isBusy={revoke.isPending}
      error={revoke.error && <Notice kind="danger">{textOfError(revoke.error, language)}</Notice>}
      onConfirm={() =>
        revoke.mutate(
          { params: { id: channel.id, applicationId: application.id } },
          {
            onSuccess: () => {
              onClose()
              showToast({ text: text.revoked(application.name) })
            },
          },
        )
      }
    >
      <p>{text.revokeAbout}</p>
      <p className={styles.paragraph}>{text.revokeAgents}</p>
    </Confirm>
  )
}
