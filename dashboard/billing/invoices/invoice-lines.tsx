import type { computeInvoiceFigures } from '#contract/billing/invoices.ts'
import type { Reply } from '#contract/route.ts'
import { Money } from '../../parts/money.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { decimalText } from './draft.rules.ts'
import styles from './invoice.module.css'
import { invoiceTexts } from './invoice.words.ts'

type Figures = Reply<typeof computeInvoiceFigures>

/** The lines of an invoice with their amounts, and its sums by tax. Every figure is the server's. */
export function InvoiceLines({ figures, currency }: { figures: Figures; currency: string }) {
  const text = useWords(invoiceTexts)
  const language = useLanguage()
  const taxesOf = (taxes: readonly { name: string; rate: string }[]) =>
    taxes.map(({ name, rate }) => `${name} ${decimalText(rate, language)} %`).join(', ')
  return (
    <>
      <table className={styles.lines}>
        <thead>
          <tr>
            <th scope="col">{text.concept}</th>
            <th scope="col">{text.quantity}</th>
            <th scope="col">{text.price}</th>
            <th scope="col">{text.taxes}</th>
            <th scope="col">{text.lineAmount}</th>
          </tr>
        </thead>
        <tbody>
          {figures.lines.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no ids, and never move here
            <tr key={at}>
              <td>
                {line.description}
                {line.discountPercent !== null && (
                  <span className={`${styles.line} ${styles.quiet}`}>
                    {text.discount(decimalText(line.discountPercent, language))}
                  </span>
                )}
              </td>
              <td data-term={text.quantity}>{decimalText(line.quantity, language)}</td>
              <td data-term={text.price}>
                <Money cents={line.unitPriceCents} currency={currency} form="bare" />
              </td>
              <td data-term={text.taxes} className={styles.quiet}>
                {taxesOf(line.taxes) || '–'}
              </td>
              <td>
                <Money cents={line.subtotalCents} currency={currency} form="bare" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Sums figures={figures} currency={currency} />
    </>
  )
}

/** The amount before taxes, each tax, and the total. */
export function Sums({ figures, currency }: { figures: Omit<Figures, 'lines'>; currency: string }) {
  const text = useWords(invoiceTexts)
  const language = useLanguage()
  return (
    <dl className={styles.sums}>
      <dt>{text.base}</dt>
      <dd>
        <Money cents={figures.subtotalCents} currency={currency} form="bare" />
      </dd>
      {figures.taxes.map(({ name, rate, amountCents }) => (
        <SumRow key={`${name} ${rate}`} term={`${name} ${decimalText(rate, language)} %`}>
          <Money cents={amountCents} currency={currency} form="bare" />
        </SumRow>
      ))}
      <dt className={styles.total}>{text.total}</dt>
      <dd className={styles.total}>
        <Money cents={figures.totalCents} currency={currency} />
      </dd>
    </dl>
  )
}

function SumRow({ term, children }: { term: string; children: React.ReactNode }) {
  return (
    <>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </>
  )
}
