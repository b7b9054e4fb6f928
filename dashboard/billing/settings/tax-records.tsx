import {
  checkTaxRecords,
  readTaxRecordStatus,
  updateTaxRecordOptions,
} from '#contract/billing/tax-records.ts'
import type { Reply } from '#contract/route.ts'
import { textOfError } from '../../data/errors.ts'
import { useKnownHref } from '../../data/known-href.ts'
import { useMay } from '../../data/organization.tsx'
import { useAction, useRead } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { countText } from '../../parts/number-text.ts'
import { Section } from '../../parts/page.tsx'
import { Notice, Problem, Skeleton } from '../../parts/states.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './settings.module.css'
import { TaxRecordExport } from './tax-record-export.tsx'
import { TaxRecordForm } from './tax-record-form.tsx'
import { taxRecordTexts } from './tax-records.words.ts'

type Status = Reply<typeof readTaxRecordStatus>

/** The records of invoices for the Spanish tax office: the switch, the counts by state, and the check of the chain. */
export function TaxRecords() {
  const text = useWords(taxRecordTexts)
  const language = useLanguage()
  const may = useMay()
  const { data, error } = useRead(readTaxRecordStatus, undefined, { staleMs: 0 })
  const options = data && [data.mode, data.regime, data.untaxedDomestic, data.untaxedForeign].join()
  return (
    <Section title={text.title} about={text.about}>
      {!data && !error && <Skeleton label={text.reading} />}
      {error && <Problem title={textOfError(error, language)} />}
      {data && (
        <>
          {data.mode === 'SEND' && (
            <div className={styles.note}>
              <Notice kind="warn">{text.untried}</Notice>
            </div>
          )}
          {may(updateTaxRecordOptions) ? (
            <TaxRecordForm key={options} status={data} />
          ) : (
            <Facts facts={[{ term: text.mode, value: text[data.mode] }]} />
          )}
          {data.recordCount > 0 && <RecordState status={data} />}
        </>
      )}
    </Section>
  )
}

function RecordState({ status }: { status: Status }) {
  const text = useWords(taxRecordTexts)
  const language = useLanguage()
  const numberText = (count: number) => countText(count, language, Number.POSITIVE_INFINITY)
  const counts = [
    ['records', status.recordCount],
    ['pending', status.pendingCount],
    ['accepted', status.acceptedCount],
    ['acceptedWithErrors', status.acceptedWithErrorsCount],
    ['rejected', status.rejectedCount],
  ] as const
  return (
    <div className={styles.after}>
      <h3 className={styles.subtitle}>{text.state}</h3>
      <Facts
        facts={[
          ...counts.map(([name, count]) => ({ term: text[name], value: numberText(count) })),
          { term: text.sendsTo, value: status.mode === 'SEND' && status.sendsTo },
          { term: text.lastAttempt, value: status.lastAttemptAt && <Time value={status.lastAttemptAt} /> },
          { term: text.lastFailure, value: status.lastFailure },
          { term: text.nextSend, value: status.nextSendAt && <Time value={status.nextSendAt} /> },
        ]}
      />
      {status.problems.length > 0 && <Problems problems={status.problems} />}
      <ChainCheck />
      <TaxRecordExport />
    </div>
  )
}

function Problems({ problems }: { problems: Status['problems'] }) {
  const text = useWords(taxRecordTexts)
  const invoicesHref = useKnownHref()('invoices')
  return (
    <div className={styles.after}>
      <h3 className={styles.subtitle}>{text.problems}</h3>
      <p>{text.whatToDo}</p>
      <ul>
        {problems.map(({ number, kind, invoiceId, invoiceNumber, errorCode, errorText }) => (
          <li key={`${invoiceId} ${kind} ${number}`}>
            {invoicesHref ? (
              <TextLink href={`${invoicesHref}/${invoiceId}`}>{invoiceNumber}</TextLink>
            ) : (
              invoiceNumber
            )}
            {`: ${errorCode ?? ''} ${errorText ?? ''}`}
          </li>
        ))}
      </ul>
    </div>
  )
}

function ChainCheck() {
  const text = useWords(taxRecordTexts)
  const language = useLanguage()
  const numberText = (count: number) => countText(count, language, Number.POSITIVE_INFINITY)
  const check = useAction(checkTaxRecords, { refreshes: [] })
  const { data, error } = check
  return (
    <div className={styles.after}>
      <Button icon="operator" isBusy={check.isPending} onPress={() => check.mutate({})}>
        {text.check}
      </Button>
      <div className={styles.after} aria-live="polite">
        {error && <Notice kind="danger">{textOfError(error, language)}</Notice>}
        {data?.holds && <Notice kind="done">{text.whole(numberText(data.checked))}</Notice>}
        {data?.brokenAt && (
          <Notice kind="danger">
            {text.broken(data.brokenAt.issuerNif, numberText(data.brokenAt.number))}
          </Notice>
        )}
      </div>
    </div>
  )
}
