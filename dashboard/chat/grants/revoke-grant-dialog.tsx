import { type Grant, revokeGrant } from '#contract/chat/grants.ts'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { useWords } from '../../words/words.ts'
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
  return (
    <ConfirmAction
      operation={revokeGrant}
      input={{ params: { id: channel.id, applicationId: application.id } }}
      refreshes={grantReads}
      title={text.revokeTitle(application.name, channelName(channel))}
      action={text.revoke}
      isDangerous
      onClose={onClose}
      toast={() => text.revoked(application.name)}
    >
      <p>{text.revokeAbout}</p>
      <p className={styles.paragraph}>{text.revokeAgents}</p>
    </ConfirmAction>
  )
}
