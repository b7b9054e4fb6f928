import { listApplications, readApplication } from '#contract/integrations/applications.ts'
import { listKeys, revokeKey } from '#contract/integrations/keys.ts'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { currentTime } from '../../parts/clock.ts'
import { Notice } from '../../parts/states.tsx'
import { useWords } from '../../words/words.ts'
import styles from '../integrations.module.css'
import { type ApplicationKey, wasUsedLately } from './key.rules.ts'
import { keysTexts } from './keys.words.ts'

/** Asks before a key is revoked, and warns when it is in use. */
export function RevokeKeyDialog({
  applicationId,
  apiKey,
  onClose,
}: {
  applicationId: string
  apiKey: ApplicationKey
  onClose: () => void
}) {
  const text = useWords(keysTexts)
  return (
    <ConfirmAction
      operation={revokeKey}
      input={{ params: { id: applicationId, keyId: apiKey.id } }}
      refreshes={[listKeys, readApplication, listApplications]}
      title={text.revokeQuestion(apiKey.name)}
      action={text.revokeAction(apiKey.name)}
      isDangerous
      onClose={onClose}
      toast={() => text.revoked(apiKey.name)}
    >
      <div className={styles.stack}>
        <p>{text.revokeAbout}</p>
        {wasUsedLately(apiKey, currentTime()) && <Notice kind="warn">{text.usedLately}</Notice>}
      </div>
    </ConfirmAction>
  )
}
