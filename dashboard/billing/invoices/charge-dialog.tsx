import { chargeInvoiceByHand } from '#contract/billing/charges.ts'
import type { Reply } from '#contract/route.ts'
import { textOfError } from '../../data/errors.ts'
import { useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { moneyText } from '../../parts/money-text.ts'
import { Secret } from '../../parts/secret.tsx'
import { Notice } from '../../parts/states.tsx'
import { useLanguage, useWords, words } from '../../words/words.ts'
import { useAttemptKey } from './attempt-key.ts'
import { declineText } from './decline.words.ts'
import { Elapsed } from './elapsed.tsx'
import styles from './invoice.module.css'
import { isLocked } from './invoice.rules.ts'
import type { InvoiceDialogProps } from './invoice-dialog.ts'
import type { ListCharge } from './invoice-reads.ts'
import { useAttempt } from './use-attempt.ts'

const chargeTexts = words({
  es: {
    title: (number: string) => `Cobrar la factura ${number}`,
    about: (amount: string, client: string) =>
      `Se cobran ${amount} a la tarjeta guardada del usuario de ${client}. Solo una devolución lo deshace.`,
    charge: (amount: string) => `Cobrar ${amount}`,
    again: (amount: string) => `Intentar otra vez: cobrar ${amount}`,
    ask: (amount: string) => `Preguntar por el cobro de ${amount}`,
    charged: (amount: string) => `Cobrados ${amount}.`,
    processing: (amount: string) => `La pasarela está cobrando ${amount}.`,
    doNotRepeat: 'No lo repitas: el resultado aparece aquí y en la factura. Puedes cerrar esta ventana.',
    declined: 'No se ha cobrado nada.',
    needsPayer: 'El banco pide que el pagador confirme el cobro. No se ha cobrado nada todavía.',
    payerLink: 'Envía este enlace al pagador',
    unknown:
      'No ha llegado la respuesta: puede que se haya cobrado. Preguntar otra vez es seguro, porque la petición lleva la misma clave y nunca cobra dos veces.',
    inProgress: 'Otro cobro de esta factura está en curso. Espera a su resultado.',
    settled: 'No queda nada pendiente en esta factura.',
  },
  en: {
    title: (number: string) => `Charge the invoice ${number}`,
    about: (amount: string, client: string) =>
      `${amount} is charged to the saved card of the user of ${client}. Only a refund undoes it.`,
    charge: (amount: string) => `Charge ${amount}`,
    again: (amount: string) => `Try again: charge ${amount}`,
    ask: (amount: string) => `Ask about the charge of ${amount}`,
    charged: (amount: string) => `${amount} was charged.`,
    processing: (amount: string) => `The gateway is charging ${amount}.`,
    doNotRepeat: 'Do not repeat it: the result appears here and on the invoice. You can close this window.',
    declined: 'Nothing was charged.',
    needsPayer: 'The bank asks the payer to confirm the charge. Nothing was charged yet.',
    payerLink: 'Send this link to the payer',
    unknown:
      'No answer arrived: the amount may have been charged. Asking again is safe, because the request has the same key and never charges twice.',
    inProgress: 'Another charge of this invoice is in progress. Wait for its result.',
    settled: 'Nothing is due on this invoice.',
  },
})

type Charge = Reply<typeof chargeInvoiceByHand>
type Outcome = Pick<Charge, 'status' | 'publicUrl' | 'failureCode' | 'failureMessage'> & {
  declineCode?: string | null
}

/** Charges what is due to the saved card. The same attempt never collects twice, however often it is sent. */
export function ChargeDialog({ invoice, movements, onClose }: InvoiceDialogProps) {
  const text = useWords(chargeTexts)
  const language = useLanguage()
  const attemptKey = useAttemptKey(chargeInvoiceByHand, invoice.id)
  const { state, send } = useAttempt<Charge>(attemptKey, ({ status }) => status !== 'PROCESSING')
  const charge = useAction(chargeInvoiceByHand)
  const answer = state.kind === 'answered' ? state.result : undefined
  // what the list of charges knows is newer than the answer
  const listed = movements.charges.find(
    ({ paymentIntentId }) => paymentIntentId !== null && paymentIntentId === answer?.paymentIntentId,
  )
  const outcome = answer && latestOf(answer, listed)
  const amount = moneyText(answer?.amountCents ?? invoice.dueCents, invoice.currency, language)
  const canSend = outcome === undefined || outcome.status === 'FAILED'
  const collect = () =>
    send(() =>
      charge.mutateAsync({
        params: { id: invoice.id },
        body: { idempotencyKey: attemptKey.key! },
      }),
    )
  const label =
    state.kind === 'unknown'
      ? text.ask(amount)
      : outcome?.status === 'FAILED'
        ? text.again(amount)
        : text.charge(amount)
  // a repetition with the same key is always safe, a new charge is not
  const isOtherInProgress = state.kind !== 'unknown' && isLocked(movements.charges)
  // another tab or person was faster
  const isSettled = invoice.dueCents === 0 && outcome === undefined
  return (
    <Dialog
      title={text.title(invoice.number ?? '')}
      isOpen
      onClose={onClose}
      isDismissable={state.kind !== 'sending'}
    >
      {outcome === undefined && <p>{isSettled ? text.settled : text.about(amount, invoice.clientName)}</p>}
      {state.kind === 'unknown' && <Notice kind="warn">{text.unknown}</Notice>}
      {isOtherInProgress && state.kind === 'asking' && <Notice kind="warn">{text.inProgress}</Notice>}
      {state.kind === 'refused' && <Notice kind="danger">{textOfError(state.error, language)}</Notice>}
      {outcome && <ChargeOutcome outcome={outcome} amount={amount} startedAt={listed?.createdAt} />}
      <FormActions
        onLeave={onClose}
        isDone={outcome !== undefined}
        {...(canSend && !isSettled && { action: label })}
        onAction={() => void collect()}
        isBusy={state.kind === 'sending'}
        isDisabled={attemptKey.key === undefined || isOtherInProgress}
      />
    </Dialog>
  )
}

/** The state of the charge: the list knows how one in progress ended, and why the bank declined it. */
function latestOf(answer: Charge, listed: ListCharge | undefined): Outcome {
  if (!listed) return answer
  if (answer.status === 'PROCESSING') return { ...listed, publicUrl: null }
  return { ...answer, declineCode: listed.declineCode }
}

function ChargeOutcome({
  outcome,
  amount,
  startedAt,
}: {
  outcome: Outcome
  amount: string
  startedAt: string | undefined
}) {
  const text = useWords(chargeTexts)
  const language = useLanguage()
  switch (outcome.status) {
    case 'SUCCEEDED':
      return <Notice kind="done">{text.charged(amount)}</Notice>
    case 'PROCESSING':
      return (
        <Notice kind="warn">
          <p>
            {text.processing(amount)} {startedAt && <Elapsed since={startedAt} />}
          </p>
          <p>{text.doNotRepeat}</p>
        </Notice>
      )
    case 'REQUIRES_ACTION':
      return (
        <div className={styles.question}>
          <Notice kind="warn">{text.needsPayer}</Notice>
          {outcome.publicUrl && (
            <Secret label={text.payerLink} value={outcome.publicUrl} fileName="payment-link.txt" />
          )}
        </div>
      )
    case 'FAILED':
      return (
        <Notice kind="danger">
          {declineText(outcome, language)} {text.declined}
        </Notice>
      )
  }
}
