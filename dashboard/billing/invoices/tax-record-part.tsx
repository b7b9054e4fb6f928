import { listTaxRecords, openTaxRecords } from '#contract/billing/tax-records.ts'
import { useRead } from '../../data/read.ts'
import { useDownload } from '../../data/use-download.ts'
import { Button } from '../../parts/button.tsx'
import { Status } from '../../parts/status.tsx'
import { useWords, words } from '../../words/words.ts'
import styles from './invoice.module.css'
import type { Invoice } from './invoice.ts'

const texts = words({
  es: {
    title: 'Registro de facturación',
    REGISTRATION: 'Alta',
    CANCELLATION: 'Anulación',
    PENDING: 'Sin respuesta de la Agencia Tributaria',
    ACCEPTED: 'Aceptado',
    ACCEPTED_WITH_ERRORS: 'Aceptado con errores',
    REJECTED: 'Rechazado',
    whatToDo:
      'No consta en la Agencia Tributaria. Corrige lo que indica, anula la factura y emítela de nuevo.',
    download: 'Descargar XML',
  },
  en: {
    title: 'Tax record',
    REGISTRATION: 'Registration',
    CANCELLATION: 'Cancellation',
    PENDING: 'No answer of the tax office',
    ACCEPTED: 'Accepted',
    ACCEPTED_WITH_ERRORS: 'Accepted with errors',
    REJECTED: 'Rejected',
    whatToDo: 'The tax office does not have it. Correct what it names, void the invoice and issue it again.',
    download: 'Download XML',
  },
})
const looks = {
  PENDING: { icon: 'clock', kind: 'quiet' },
  ACCEPTED: { icon: 'done', kind: 'done' },
  ACCEPTED_WITH_ERRORS: { icon: 'errors', kind: 'warn' },
  REJECTED: { icon: 'failed', kind: 'danger' },
} as const

/** The records of an invoice for the tax office, with the answer to each; nothing if it has none. */
export function TaxRecordPart({ invoice: { id, number, status } }: { invoice: Invoice }) {
  const text = useWords(texts)
  const { data } = useRead(listTaxRecords, { params: { id } }, { staleMs: 0, enabled: status !== 'DRAFT' })
  const download = useDownload(openTaxRecords, `${number}.xml`)
  if (!data || data.items.length === 0) return null
  return (
    <section className={styles.part}>
      <h2 className={styles.partTitle}>{text.title}</h2>
      {data.items.map(record => (
        <div key={record.kind}>
          <p>
            {text[record.kind]}: <Status {...looks[record.state]}>{text[record.state]}</Status>
          </p>
          {record.errorText !== null && <p>{`${record.errorCode}: ${record.errorText}`}</p>}
          {record.state === 'REJECTED' && <p className={styles.quiet}>{text.whatToDo}</p>}
        </div>
      ))}
      <div className={styles.buttons}>
        <Button
          size="small"
          icon="download"
          isBusy={download.isPending}
          onPress={() => download.mutate({ params: { id } }, { toastsFailure: true })}
        >
          {text.download}
        </Button>
      </div>
    </section>
  )
}
