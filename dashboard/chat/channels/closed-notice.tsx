import { type OwnChannel, unarchiveChannel } from '#contract/chat/channels.ts'
import { textOfError } from '../../data/errors.ts'
import { useAction } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { useManages } from './channel-rights.ts'
import styles from './channels.module.css'
import { channelTexts } from './channels.words.ts'

/** Replaces the composer in an archived channel. */
export function ClosedNotice({ channel }: { channel: OwnChannel }) {
  const text = useWords(channelTexts)
  const language = useLanguage()
  const manages = useManages()
  const unarchive = useAction(unarchiveChannel)
  return (
    <div className={styles.closed}>
      <span>{text.isArchived}</span>
      {manages(channel) && (
        <Button
          isBusy={unarchive.isPending}
          onPress={() =>
            unarchive.mutate(
              { params: { id: channel.id } },
              { onError: error => showToast({ kind: 'failed', text: textOfError(error, language) }) },
            )
          }
        >
          {text.unarchive}
        </Button>
      )}
    </div>
  )
}
