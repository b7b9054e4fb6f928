import type { ReactNode } from 'react'
import { ButtonLink } from '../../parts/button.tsx'
import { moneyText } from '../../parts/money-text.ts'
import { Sheet, SheetSection } from '../../parts/sheet.tsx'
import { Skeleton } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { useDetailHref } from './detail-links.tsx'
import type { Movement } from './movement.ts'
import { paymentTexts } from './payments.words.ts'

/** The details of a payment, charge or refund: its amount, its invoice, and what the list knows of it. */
export function MovementSheet({
  movement,
  isLoading,
  children,
  ...sheet
}: {
  /** Undefined if the list does not show it. */
  movement: Movement | undefined
  isLoading: boolean
  onClose: () => void
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
  children: ReactNode
}) {
  const text = useWords(paymentTexts)
  const language = useLanguage()
  const hrefOf = useDetailHref()
  if (!movement)
    return (
      <Sheet {...sheet} title={text.title}>
        <SheetSection>
          {isLoading ? <Skeleton rows={4} label={text.reading} /> : <p>{text.notListed}</p>}
        </SheetSection>
      </Sheet>
    )
  const { amountCents, currency, invoiceId, invoiceNumber, clientName } = movement
  const href = hrefOf('invoice', invoiceId)
  return (
    <Sheet
      {...sheet}
      title={moneyText(amountCents, currency, language)}
      about={`${invoiceNumber ?? text.draft} · ${clientName}`}
      {...(href !== undefined && {
        actions: (
          <ButtonLink kind="primary" href={href}>
            {invoiceNumber ? text.openInvoice(invoiceNumber) : text.openDraft}
          </ButtonLink>
        ),
      })}
    >
      {children}
    </Sheet>
  )
}
