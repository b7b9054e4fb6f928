import type { Budget } from '#contract/crm/budgets.ts'
import { type ListedSignature, openCertificate, verifySignature } from '#contract/crm/signatures.ts'
import type { Reply } from '#contract/route.ts'
import { textOfError } from '../../data/errors.ts'
import { useRead } from '../../data/read.ts'
import { useDownload } from '../../data/use-download.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Notice } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { SignatureTimeStampFacts } from './signature-time-stamp.tsx'
import styles from './signing.module.css'
import { signingTexts } from './signing.words.ts'

const looks = {
  VALID: { icon: 'done', kind: 'done' },
  MODIFIED: { icon: 'failed', kind: 'danger' },
  UNVERIFIABLE: { icon: 'dashed', kind: 'warn' },
} as const

/** A signature: the verdict of its verification in words, its evidence with both fingerprints, and its certificate. */
export function SignatureCard({
  budget,
  signature,
  number,
}: {
  budget: Pick<Budget, 'id' | 'code'>
  signature: ListedSignature
  /** The oldest signature is 1. */
  number: number
}) {
  const text = useWords(signingTexts)
  const language = useLanguage()
  const { id, signerName, signerEmail, signedAt, ipAddressMasked, hashVersion, documentHash } = signature
  const input = { params: { budgetId: budget.id, sigId: id } }
  const { data, error, isFetching, refetch } = useRead(verifySignature, input)
  const certificate = useDownload(openCertificate, `${budget.code}-${id}.pdf`)
  return (
    <Card
      title={text.signatureNumber(number, signerName)}
      level={3}
      beside={
        data ? (
          <Status {...looks[data.status]}>{text[data.status]}</Status>
        ) : (
          !error && (
            <Status icon="clock" kind="quiet">
              {text.verifying}
            </Status>
          )
        )
      }
      actions={
        <>
          <Button size="small" kind="quiet" icon="retry" isBusy={isFetching} onPress={() => void refetch()}>
            {text.verify}
          </Button>
          <Button
            size="small"
            icon="download"
            isBusy={certificate.isPending}
            onPress={() =>
              certificate.mutate(input, {
                toastsFailure: true,
              })
            }
          >
            {text.certificate}
          </Button>
        </>
      }
    >
      {error && <Notice kind="warn">{textOfError(error, language)}</Notice>}
      {data && <Verdict verification={data} />}
      <Facts
        facts={[
          { term: text.signedAt, value: <Time value={signedAt} form="moment" /> },
          signature.place && {
            term: text.place,
            value: text.placeOf(signature.place.number, signature.place.of),
          },
          { term: text.email, value: signerEmail },
          { term: text.address, value: ipAddressMasked },
          { term: text.browser, value: data?.userAgent },
          {
            term: text.atSigning,
            value: <span className={styles.fingerprint}>{data?.expectedHash ?? documentHash}</span>,
          },
          {
            term: text.now,
            value: data?.actualHash && <span className={styles.fingerprint}>{data.actualHash}</span>,
          },
          { term: text.version, value: hashVersion },
        ]}
      />
      {data?.timeStamp && (
        <SignatureTimeStampFacts timeStamp={data.timeStamp} budget={budget} signatureId={id} />
      )}
    </Card>
  )
}

function Verdict({ verification: { status, reason } }: { verification: Reply<typeof verifySignature> }) {
  const text = useWords(signingTexts)
  return (
    <p className={styles.quiet}>
      {text[`about${status}`]}{' '}
      {reason && (reason.errorCode === 'BUDGET_SIGNED_PDF_UNAVAILABLE' ? text.lost : text.unreadable)}
    </p>
  )
}
