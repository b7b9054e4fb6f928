import { useState } from 'react'
import {
  cancelRemittance,
  type DirectDebit,
  openRemittance,
  type RemittanceDetail,
  readRemittance,
  recordDirectDebitResult,
  sendRemittance,
} from '#contract/billing/direct-debits.ts'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { useMay } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { ReadingSection } from '../../data/reading-section.tsx'
import { useDownload } from '../../data/use-download.ts'
import { Button } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { late } from '../../parts/late.tsx'
import { Money } from '../../parts/money.tsx'
import { Sheet, SheetSection } from '../../parts/sheet.tsx'
import { Notice } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { dayText } from '../../parts/time-text.ts'
import { useLanguage, useWords } from '../../words/words.ts'
import { DetailLink } from '../payments/detail-links.tsx'
import styles from './direct-debits.module.css'
import { directDebitTexts } from './direct-debits.words.ts'
import { reasonText } from './reason-code.words.ts'
import { refreshes } from './refreshes.ts'
import { DebitState, RemittanceState } from './states.tsx'

const RecordDialog = late(() => import('./record-dialog.tsx').then(dialog => dialog.RecordDialog))

type SheetProps = {
  id: string
  onClose: () => void
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}

/** A remittance: its file, its next step and the result of each direct debit. */
export function RemittanceSheet({ id, ...sheet }: SheetProps) {
  const text = useWords(directDebitTexts)
  const language = useLanguage()
  const { data, error } = useRead(readRemittance, { params: { id } })
  if (!data)
    return (
      <Sheet {...sheet} title={text.remittances}>
        <ReadingSection error={error} label={text.reading} />
      </Sheet>
    )
  return (
    <Sheet {...sheet} title={text.collection(dayText(data.collectionDate, language))}>
      {!data.isBankDay && data.state !== 'CANCELLED' && (
        <SheetSection>
          <Notice kind="warn">{text.notBankDay}</Notice>
        </SheetSection>
      )}
      <SheetSection>
        <Facts
          facts={[
            { term: text.state, value: <RemittanceState state={data.state} /> },
            { term: text.total, value: <Money cents={data.totalCents} currency="eur" /> },
            { term: text.collected, value: <Money cents={data.collectedCents} currency="eur" /> },
            { term: text.createdAt, value: <Time value={data.createdAt} form="moment" isFocusable /> },
            data.sentAt !== null && {
              term: text.sentAt,
              value: <Time value={data.sentAt} form="moment" isFocusable />,
            },
          ]}
        />
      </SheetSection>
      {data.state !== 'CANCELLED' && <Steps remittance={data} />}
      <SheetSection>
        <ul className={styles.list} aria-label={text.count}>
          {data.directDebits.map(debit => (
            <Debit key={debit.id} debit={debit} isSent={data.state === 'SENT'} />
          ))}
        </ul>
      </SheetSection>
    </Sheet>
  )
}

/** The buttons of a remittance: download, mark as sent, cancel. */
function Steps({ remittance: { id, state, collectionDate } }: { remittance: RemittanceDetail }) {
  const text = useWords(directDebitTexts)
  const may = useMay()
  const [asks, setAsks] = useState<'send' | 'cancel'>()
  const download = useDownload(openRemittance, `pain.008-${collectionDate}.xml`)
  const input = { params: { id } }
  return (
    <SheetSection>
      <div className={styles.steps}>
        {may(openRemittance) && (
          <Button
            icon="download"
            isBusy={download.isPending}
            onPress={() =>
              download.mutate(input, {
                toastsFailure: true,
              })
            }
          >
            {text.download}
          </Button>
        )}
        {state === 'PREPARED' && may(sendRemittance) && (
          <Button kind="primary" onPress={() => setAsks('send')}>
            {text.markSent}
          </Button>
        )}
        {state === 'PREPARED' && may(cancelRemittance) && (
          <Button kind="danger" onPress={() => setAsks('cancel')}>
            {text.cancelRemittance}
          </Button>
        )}
      </div>
      {asks && (
        <ConfirmAction
          operation={asks === 'send' ? sendRemittance : cancelRemittance}
          input={input}
          refreshes={refreshes}
          title={asks === 'send' ? text.markSentQuestion : text.cancelRemittanceQuestion}
          action={asks === 'send' ? text.markSentAction : text.cancelRemittanceAction}
          isDangerous={asks === 'cancel'}
          isCancellation={asks === 'cancel'}
          onClose={() => setAsks(undefined)}
          toast={() => (asks === 'send' ? text.markedSent : text.remittanceCancelled)}
        >
          {asks === 'send' ? text.markSentAbout : text.cancelRemittanceAbout}
        </ConfirmAction>
      )}
    </SheetSection>
  )
}

function Debit({ debit, isSent }: { debit: DirectDebit; isSent: boolean }) {
  const text = useWords(directDebitTexts)
  const language = useLanguage()
  const may = useMay()
  const [isRecording, setRecording] = useState(false)
  const { reasonCode, state } = debit
  return (
    <li className={styles.entry}>
      <div>
        <DetailLink noun="invoice" id={debit.invoiceId}>
          {debit.invoiceNumber}
        </DetailLink>{' '}
        <span className={styles.quiet}>{debit.clientName}</span>
      </div>
      <Money cents={debit.amountCents} currency="eur" />
      <div>
        <DebitState state={state} />
        {reasonCode !== null && (
          <p className={styles.quiet}>
            {reasonText(reasonCode, language)} <code>{reasonCode}</code>
          </p>
        )}
      </div>
      {isSent && (state === 'OPEN' || state === 'COLLECTED') && may(recordDirectDebitResult) && (
        <Button kind="quiet" size="small" onPress={() => setRecording(true)}>
          {text.record}
        </Button>
      )}
      {isRecording && <RecordDialog debit={debit} onClose={() => setRecording(false)} />}
    </li>
  )
}
