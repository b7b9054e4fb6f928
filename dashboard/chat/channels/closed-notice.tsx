import { type OwnChannel, unarchiveChannel } from '#contract/chat/channels.ts'
import { useAction } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { useWords } from '../../words/words.ts'
import { useManages } from './channel-rights.ts'
import styles from './channels.module.css'
import { channelTexts } from './channels.words.ts'

/** Replaces the composer in an archived channel. */
export function ClosedNotice({ channel }: { channel: OwnChannel }) {
  const text = useWords(channelTexts)
  const manages = useManages()
  const unarchive = useAction(unarchiveChannel)
  return (
    <div className={styles.closed}>
      <span>{text.isArchived}</span>
      {manages(channel) && (
        <Button
          isBusy={unarchive.isPending}
          onPress={() => unarchive.mutate({ params: { id: channel.id } }, { toastsFailure: true })}
        >
          {text.unarchive}
        </Button>
      )}
    </div>
  )
}
