import { openTimeStamp, type SignatureTimeStamp } from '#contract/crm/time-stamps.ts'
import { useDownload } from '../../data/use-download.ts'
import { Button } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useWords } from '../../words/words.ts'
import { sealTexts } from './seal.words.ts'
import styles from './signing.module.css'

const looks = {
  VALID: { icon: 'done', kind: 'done' },
  INVALID: { icon: 'failed', kind: 'danger' },
} as const

/** The time stamp that covers a signature (TSP-4), with its file. */
export function SignatureTimeStampFacts({
  timeStamp,
  budget,
  signatureId,
}: {
  timeStamp: SignatureTimeStamp
  budget: { id: string; code: string }
  signatureId: string
}) {
  const text = useWords(sealTexts)
  const download = useDownload(openTimeStamp, `${budget.code}-${signatureId}.tsr`)
  const { status, stampedAt, authority, evidenceHash } = timeStamp
  return (
    <>
      <Facts
        facts={[
          { term: text.timeStamp, value: <Status {...looks[status]}>{text[`timeStamp${status}`]}</Status> },
          { term: text.stampedAt, value: <Time value={stampedAt} form="moment" /> },
          { term: text.authority, value: authority },
          { term: text.stampedHash, value: <span className={styles.fingerprint}>{evidenceHash}</span> },
        ]}
      />
      <div>
        <Button
          size="small"
          icon="download"
          isBusy={download.isPending}
          onPress={() =>
            download.mutate({ params: { budgetId: budget.id, sigId: signatureId } }, { toastsFailure: true })
          }
        >
          {text.downloadTimeStamp}
        </Button>
      </div>
    </>
  )
}
