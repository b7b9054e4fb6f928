import { readEntry } from '#contract/marketplace/entries.ts'
import { type SubmissionDetail, unfeatureEntry } from '#contract/marketplace/review-queue.ts'
import { needErrorTexts, textOfError } from '../../data/errors.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useAction, useRead } from '../../data/read.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Time } from '../../parts/time.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './queue.module.css'
import { queueTexts } from './queue.words.ts'

export type ListingDialog = 'feature' | 'delist'

/** The place of an entry in the catalogue: featured or not, and its removal. Nothing for an entry that is not listed. */
export function Listing({
  submission,
  isOwn,
  onAsk,
}: {
  submission: SubmissionDetail
  isOwn: boolean
  onAsk: (dialog: ListingDialog) => void
}) {
  const text = useWords(queueTexts)
  const may = useMay()
  const { address } = useOrganization()
  const { entryId, status, isUpdate } = submission
  const isListed = status === 'APPROVED' || isUpdate
  // the catalogue knows the period, if the operator's own organization uses the marketplace
  const mayRead = may(readEntry)
  const entry = useRead(readEntry, { params: { id: entryId } }, { enabled: isListed && mayRead })
  const unfeature = useUnfeature(submission)
  if (!isListed) return null
  const featuredUntil = entry.data?.featuredUntil ?? null
  return (
    <>
      {featuredUntil !== null && (
        <Facts facts={[{ term: text.featuredUntil, value: <Time value={featuredUntil} form="moment" /> }]} />
      )}
      <div className={styles.buttons}>
        {!isOwn && (
          <Button size="small" icon="star" onPress={() => onAsk('feature')}>
            {text.feature}
          </Button>
        )}
        {(featuredUntil !== null || !mayRead) && (
          <Button size="small" isBusy={unfeature.isBusy} onPress={unfeature.end}>
            {text.unfeature}
          </Button>
        )}
        {mayRead && (
          <ButtonLink size="small" href={`/o/${encodeURIComponent(address)}/marketplace/${entryId}`}>
            {text.openEntry}
          </ButtonLink>
        )}
        <Button size="small" kind="danger" onPress={() => onAsk('delist')}>
          {text.delist}
        </Button>
      </div>
    </>
  )
}

function useUnfeature({ entryId, name }: SubmissionDetail): { end: () => void; isBusy: boolean } {
  const text = useWords(queueTexts)
  const language = useLanguage()
  const { mutateAsync, isPending } = useAction(unfeatureEntry, { refreshes: [readEntry] })
  async function end(): Promise<void> {
    try {
      await mutateAsync({ params: { entryId } })
      showToast({ text: text.unfeatured(name) })
    } catch (error) {
      await needErrorTexts(language)
      showToast({ kind: 'failed', text: textOfError(error, language) })
    }
  }
  return { end: () => void end(), isBusy: isPending }
}
