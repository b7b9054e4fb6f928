import { useState } from 'react'
import { refundInvoiceByHand } from '#contract/billing/refunds.ts'
import { refundReasons } from '#contract/billing/shapes.ts'
import type { Reply } from '#contract/route.ts'
import { codeOf, figureOf, textOfError } from '../../data/errors.ts'
import { useAction } from '../../data/read.ts'
import { Choice } from '../../parts/choice.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Checkbox } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { moneyText } from '../../parts/money-text.ts'
import { MoneyField } from '../../parts/number-fields.tsx'
import { Notice } from '../../parts/states.tsx'
import { useLanguage, useWords, words } from '../../words/words.ts'
import { useAttemptKey } from './attempt-key.ts'
import { Elapsed } from './elapsed.tsx'
import styles from './invoice.module.css'
import { refundableOf } from './invoice.rules.ts'
import type { InvoiceDialogProps } from './invoice-dialog.ts'
import { useAttempt } from './use-attempt.ts'

const texts = words({
  es: {
    title: (number: string) => `Devolver dinero de ${number}`,
    amount: 'Importe',
    most: (amount: string) => `Como mucho ${amount}: lo cobrado por la pasarela y no devuelto`,
    reason: 'Motivo',
    duplicate: 'Cobrado dos veces',
    fraudulent: 'Fraude',
    requested_by_customer: 'Lo pide el cliente',
    rectify: 'Preparar también una factura rectificativa',
    rectifyAbout: 'Devolver no cambia la factura. La rectificativa le quita el importe.',
    refund: (amount: string) => `Devolver ${amount}`,
    ask: (amount: string) => `Preguntar por la devolución de ${amount}`,
    SUCCEEDED: (amount: string) => `Devueltos ${amount}.`,
    PENDING: (amount: string) => `La pasarela está devolviendo ${amount}.`,
    doNotRepeat: 'No lo repitas: el resultado aparece en la historia de la factura.',
    FAILED: (amount: string) => `La pasarela no pudo devolver ${amount}. El dinero no se ha movido.`,
    earlier: 'Es la devolución que pediste antes con estos datos: no se ha hecho otra.',
    unknown:
      'No ha llegado la respuesta: puede que se haya devuelto. Preguntar otra vez es seguro, porque la petición lleva la misma clave y nunca devuelve dos veces.',
    reused:
      'Desde otra pestaña se pidió una devolución distinta con esta misma ventana. Mírala en la historia antes de pedir otra.',
    changed:
      'Mientras tanto cambió lo que se puede devolver: quizá alguien devolvió una parte. No se ha devuelto nada más. Mira la historia y el importe antes de pedirlo otra vez.',
  },
  en: {
    title: (number: string) => `Refund money of ${number}`,
    amount: 'Amount',
    most: (amount: string) => `At most ${amount}: what the gateway collected and nobody refunded`,
    reason: 'Reason',
    duplicate: 'Charged twice',
    fraudulent: 'Fraud',
    requested_by_customer: 'The customer asks for it',
    rectify: 'Also prepare a rectifying invoice',
    rectifyAbout: 'A refund does not change the invoice. The rectifying invoice takes the amount off it.',
    refund: (amount: string) => `Refund ${amount}`,
    ask: (amount: string) => `Ask about the refund of ${amount}`,
    SUCCEEDED: (amount: string) => `${amount} was refunded.`,
    PENDING: (amount: string) => `The gateway is refunding ${amount}.`,
    doNotRepeat: 'Do not repeat it: the result appears in the history of the invoice.',
    FAILED: (amount: string) => `The gateway could not refund ${amount}. No money was moved.`,
    earlier: 'This is the refund that you requested before with these values: no other was made.',
    unknown:
      'No answer arrived: the amount may have been refunded. Asking again is safe, because the request has the same key and never refunds twice.',
    reused:
      'Another tab asked for a different refund with this same window. Look at it in the history before you ask for another.',
    changed:
      'What can be refunded has changed meanwhile: perhaps somebody refunded a part. Nothing else was refunded. Look at the history and the amount before you ask again.',
  },
})

type Refund = Reply<typeof refundInvoiceByHand>

/** Returns money that the gateway collected, all of it or a part. The same attempt never refunds twice. */
export function RefundDialog({ invoice, movements, onClose }: InvoiceDialogProps) {
  const text = useWords(texts)
  const language = useLanguage()
  // the key of a refund that was in progress may still be stored
  const [knownIds] = useState(() => new Set(movements.refunds.map(({ id }) => id)))
  const counted = refundableOf(invoice, movements.refunds)
  const [cents, setCents] = useState<number | null>(counted)
  const [reason, setReason] = useState<(typeof refundReasons)[number]>('requested_by_customer')
  const [isRectifying, setRectifying] = useState(false)
  const attemptKey = useAttemptKey(refundInvoiceByHand, invoice.id)
  const { state, send } = useAttempt<Refund>(attemptKey, ({ status }) => status !== 'PENDING')
  const refund = useAction(refundInvoiceByHand)
  // the server also knows disputed payments, which cannot be refunded
  const refundable =
    (state.kind === 'refused' ? figureOf(state.error, 'refundableCents') : undefined) ?? counted
  const answer = state.kind === 'answered' ? state.result : undefined
  const amountOf = (value: number) => moneyText(value, invoice.currency, language)
  const amount = amountOf(answer?.amountCents ?? cents ?? 0)
  // the same request goes out again, so its fields stay
  const isFixed = state.kind === 'sending' || state.kind === 'unknown'
  const isValid = cents !== null && cents > 0 && (isFixed || cents <= refundable)
  const giveBack = () =>
    send(() =>
      refund.mutateAsync({
        params: { id: invoice.id },
        body: {
          amountCents: cents!,
          reason,
          createRectifyingInvoice: isRectifying,
          refundableCents: refundable,
          idempotencyKey: attemptKey.key!,
        },
      }),
    )
  const isEarlier = answer !== undefined && knownIds.has(answer.id)
  const listed = movements.refunds.find(({ id }) => id === answer?.id)
  return (
    <Dialog
      title={text.title(invoice.number ?? '')}
      isOpen
      onClose={onClose}
      isDismissable={state.kind !== 'sending'}
    >
      {!answer && (
        <>
          <MoneyField
            label={text.amount}
            hint={text.most(amountOf(refundable))}
            cents={cents}
            currency={invoice.currency}
            onChange={setCents}
            isDisabled={isFixed}
          />
          <Choice
            label={text.reason}
            options={refundReasons.map(value => ({ value, label: text[value] }))}
            value={reason}
            onChange={setReason}
            isDisabled={isFixed}
          />
          <Checkbox
            isSelected={isRectifying}
            onChange={setRectifying}
            hint={text.rectifyAbout}
            isDisabled={isFixed}
          >
            {text.rectify}
          </Checkbox>
        </>
      )}
      {state.kind === 'unknown' && <Notice kind="warn">{text.unknown}</Notice>}
      {state.kind === 'refused' && <Notice kind="danger">{refusalText(state.error, text, language)}</Notice>}
      {isEarlier && <Notice>{text.earlier}</Notice>}
      {answer && (
        <RefundOutcome status={listed?.status ?? answer.status} amount={amount} since={answer.createdAt} />
      )}
      <FormActions
        onLeave={onClose}
        {...(!answer && { action: state.kind === 'unknown' ? text.ask(amount) : text.refund(amount) })}
        onAction={() => void giveBack()}
        kind="danger"
        isBusy={state.kind === 'sending'}
        isDisabled={!isValid || attemptKey.key === undefined}
      />
    </Dialog>
  )
}

function RefundOutcome({
  status,
  amount,
  since,
}: {
  status: Refund['status']
  amount: string
  since: string
}) {
  const text = useWords(texts)
  if (status !== 'PENDING')
    return <Notice kind={status === 'SUCCEEDED' ? 'done' : 'danger'}>{text[status](amount)}</Notice>
  return (
    <Notice kind="warn">
      <p className={styles.quiet}>
        <Elapsed since={since} />
      </p>
      <p>
        {text.PENDING(amount)} {text.doNotRepeat}
      </p>
    </Notice>
  )
}

function refusalText(
  error: unknown,
  text: { reused: string; changed: string },
  language: Parameters<typeof textOfError>[1],
): string {
  if (codeOf(error) === 'IDEMPOTENCY_KEY_REUSED') return text.reused
  if (codeOf(error) === 'REFUND_NOT_ALLOWED') return text.changed
  return textOfError(error, language)
}
