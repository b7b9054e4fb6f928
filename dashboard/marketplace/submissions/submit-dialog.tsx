import type { Entry } from '#contract/marketplace/entries.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { useWords } from '../../words/words.ts'
import { submissionTexts } from './submission.words.ts'
import { SubmitForm } from './submit-form.tsx'

/** Publishes an asset from another screen, such as its page in the studio. */
export function SubmitDialog({
  asset,
  entryId,
  onClose,
  onSubmitted,
}: {
  asset: { id: string; name: string }
  /** The entry of the asset, if it was submitted before. */
  entryId?: string
  onClose: () => void
  onSubmitted?: (entry: Entry) => void
}) {
  const text = useWords(submissionTexts)
  return (
    <Dialog title={text.publishName(asset.name)} isOpen onClose={onClose} size="wide">
      <SubmitForm
        assetId={asset.id}
        entryId={entryId}
        onCancel={onClose}
        onSubmitted={entry => {
          onClose()
          onSubmitted?.(entry)
        }}
      />
    </Dialog>
  )
}
