import { useState } from 'react'
import { reversePayment } from '#contract/billing/payments.ts'
import { fieldOf } from '../../data/action-form.tsx'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { useMay } from '../../data/organization.tsx'
import { Button } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Id } from '../../parts/id.tsx'
import { Money } from '../../parts/money.tsx'
import { moneyText } from '../../parts/money-text.ts'
import { SheetSection } from '../../parts/sheet.tsx'
import { Notice } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { DetailLink } from './detail-links.tsx'
import type { Payment } from './movement.ts'
import { PaymentStatus } from './movement-status.tsx'
import styles from './payments.module.css'
import { methodText, paymentTexts } from './payments.words.ts'

/** The facts of a payment. A payment by hand can be reversed, one of the gateway is refunded (PAY-7, PAY-8). */
export function PaymentDetails({ payment }: { payment: Payment }) {
  const text = useWords(paymentTexts)
  const language = useLanguage()
  const may = useMay()
  const [isReversing, setReversing] = useState(false)
  const { currency, refundedCents, reference, paymentIntentId, reversedAt } = payment
  const isByHand = payment.method !== 'GATEWAY_CARD'
  return (
    <>
      <SheetSection>
        <Facts
          facts={[
            { term: text.statusColumn, value: <PaymentStatus status={payment.status} /> },
            { term: text.methodColumn, value: methodText(payment.method, language) },
            {
              term: text.client,
              value: (
                <DetailLink noun="client" id={payment.clientId}>
                  {payment.clientName}
                </DetailLink>
              ),
            },
            { term: text.reference, value: reference },
            { term: text.paidAt, value: <Time value={payment.paidAt} form="moment" isFocusable /> },
            { term: text.registeredAt, value: <Time value={payment.createdAt} form="moment" isFocusable /> },
            refundedCents > 0 && {
              term: text.refunded,
              value: <Money cents={refundedCents} currency={currency} />,
            },
            reversedAt !== null && {
              term: text.reversedAt,
              value: <Time value={reversedAt} form="moment" isFocusable />,
            },
            paymentIntentId !== null && { term: text.intent, value: <Id value={paymentIntentId} /> },
            { term: text.id, value: <Id value={payment.id} isShortened /> },
          ]}
        />
      </SheetSection>
      {may(reversePayment) && reversedAt === null && (
        <SheetSection>
          {isByHand ? (
            <div className={styles.flush}>
              <Button kind="danger" onPress={() => setReversing(true)}>
                {text.reverse}
              </Button>
            </div>
          ) : (
            <Notice>{text.refundInstead}</Notice>
          )}
        </SheetSection>
      )}
      {isReversing && <ReverseDialog payment={payment} onClose={() => setReversing(false)} />}
    </>
  )
}

function ReverseDialog({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const text = useWords(paymentTexts)
  const language = useLanguage()
  const amount = moneyText(payment.amountCents, payment.currency, language)
  return (
    <ConfirmAction
      operation={reversePayment}
      input={reason => ({ params: { id: payment.invoiceId, paymentId: payment.id }, body: { reason } })}
      title={text.reverseQuestion(payment.invoiceNumber ?? payment.clientName)}
      action={text.reverseAction(amount)}
      isDangerous
      asksReason={{ maxLength: fieldOf(reversePayment, 'reason').maxLength! }}
      onClose={onClose}
      toast={() => text.reversed(amount)}
    >
      {text.reverseAbout}
    </ConfirmAction>
  )
}
