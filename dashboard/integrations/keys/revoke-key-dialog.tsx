import { listApplications, readApplication } from '#contract/integrations/applications.ts'
import { listKeys, revokeKey } from '#contract/integrations/keys.ts'
import { textOfError } from '../../data/errors.ts'
import { useAction } from '../../data/read.ts'
import { currentTime } from '../../parts/clock.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
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
  const language = useLanguage()
  const revoke = useAction(revokeKey, { refreshes: [listKeys, readApplication, listApplications] })
  return (
    <Confirm
      title={text.revokeQuestion(apiKey.name)}
      action={text.revokeAction(apiKey.name)}
      isDangerous
      isOpen
      onClose={onClose}
      isBusy={revoke.isPending}
      error={revoke.error && <Notice kind="danger">{textOfError(revoke.error, language)}</Notice>}
      onConfirm={() =>
        revoke.mutate(
          { params: { id: applicationId, keyId: apiKey.id } },
          {
            onSuccess: () => {
              onClose()
              showToast({ text: text.revoked(apiKey.name) })
            },
          },
        )
      }
    >
      <div className={styles.stack}>
        <p>{text.revokeAbout}</p>
        {wasUsedLately(apiKey, currentTime()) && <Notice kind="warn">{text.usedLately}</Notice>}
      </div>
    </Confirm>
  )
}
