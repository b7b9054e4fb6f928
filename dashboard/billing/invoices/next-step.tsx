import { chargeInvoiceByHand } from '#contract/billing/charges.ts'
import { issueInvoice } from '#contract/billing/invoices.ts'
import { registerPayment } from '#contract/billing/payments.ts'
import { sendInvoiceByHand } from '#contract/billing/sending.ts'
import { useMay } from '../../data/organization.tsx'
import { Button } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Money } from '../../parts/money.tsx'
import { moneyText } from '../../parts/money-text.ts'
import { Notice } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import type { Authorization } from './authorization.rules.ts'
import { Elapsed } from './elapsed.tsx'
import styles from './invoice.module.css'
import { nextStepOf, openChargeOf } from './invoice.rules.ts'
import type { Invoice } from './invoice.ts'
import { invoiceTexts } from './invoice.words.ts'
import type { InvoiceDialogName } from './invoice-dialog.ts'
import type { ListCharge } from './invoice-reads.ts'

export type NextStepProps = {
  invoice: Invoice
  charges: readonly ListCharge[]
  authorization: Authorization | undefined
  /** The draft has changes that are not saved. */
  isUnsaved: boolean
  onAsk: (dialog: InvoiceDialogName) => void
}

/** The step that the law and the state of the invoice allow next, as the one filled button. */
export function NextStep({ invoice, charges, authorization, isUnsaved, onAsk }: NextStepProps) {
  const text = useWords(invoiceTexts)
  const language = useLanguage()
  const may = useMay()
  const open = openChargeOf(charges)
  if (open?.status === 'PROCESSING') return <Locked charge={open} />
  const step = nextStepOf(invoice, authorization !== undefined)
  const amount = moneyText(invoice.dueCents, invoice.currency, language)
  const mayRegister = may(registerPayment) && invoice.dueCents > 0 && step !== 'registerPayment'
  const mayCharge = authorization !== undefined && invoice.dueCents > 0 && step !== 'charge'
  const steps = {
    issue: {
      title: text.issueTitle,
      about: text.issueAbout,
      action: text.issueAction,
      isAllowed: may(issueInvoice),
    },
    send: {
      title: text.sendTitle,
      about: text.sendAbout,
      action: text.sendAction,
      isAllowed: may(sendInvoiceByHand),
    },
    charge: {
      title: text.chargeTitle,
      about: text.chargeAbout,
      action: text.chargeAction(amount),
      isAllowed: may(chargeInvoiceByHand),
    },
    registerPayment: {
      title: text.registerTitle,
      about: text.registerAbout,
      action: text.registerAction,
      isAllowed: may(registerPayment),
    },
  }
  if (step === 'none') return <NothingToDo invoice={invoice} />
  const { title, about, action, isAllowed } = steps[step]
  const obstacle =
    step !== 'issue'
      ? undefined
      : isUnsaved
        ? text.saveFirst
        : invoice.lines.length === 0
          ? text.addLinesFirst
          : undefined
  return (
    <section className={styles.part} aria-labelledby="next-step">
      <p className={styles.label}>{text.nextStep}</p>
      <h2 id="next-step" className={styles.stepTitle}>
        {title}
      </h2>
      <p className={styles.quiet}>{about}</p>
      {step === 'charge' && authorization && (
        <Facts
          facts={[
            { term: text.user, value: authorization.userId },
            {
              term: text.authorizedOn,
              value: <Time value={authorization.consent.acceptedAt} form="date" />,
            },
            authorization.limitCents !== null && {
              term: text.authorizationLimit,
              value: <Money cents={authorization.limitCents} currency={authorization.currency} />,
            },
            { term: text.amount, value: <Money cents={invoice.dueCents} currency={invoice.currency} /> },
          ]}
        />
      )}
      {step === 'registerPayment' && invoice.userId !== null && may(chargeInvoiceByHand) && (
        <p className={styles.quiet}>{text.noAuthorization}</p>
      )}
      {open && <Notice kind="warn">{text.waitingForPayer}</Notice>}
      {isAllowed && (
        <Button
          kind="primary"
          size="large"
          isWide
          isDisabled={obstacle !== undefined}
          onPress={() => onAsk(step)}
        >
          {action}
        </Button>
      )}
      {obstacle && <p className={styles.quiet}>{obstacle}</p>}
      {mayCharge && (
        <Button kind="quiet" onPress={() => onAsk('charge')}>
          {text.orCharge}
        </Button>
      )}
      {mayRegister && (
        <Button kind="quiet" onPress={() => onAsk('registerPayment')}>
          {text.orRegister}
        </Button>
      )}
    </section>
  )
}

const lockedBy = {
  ON_SESSION: 'lockedByPayer',
  OFF_SESSION: 'lockedByCharge',
  DIRECT_DEBIT: 'lockedByBank',
} as const

/** While the gateway or the bank works on a payment, nothing else may happen to the invoice. */
function Locked({ charge }: { charge: ListCharge }) {
  const text = useWords(invoiceTexts)
  return (
    <section className={styles.part} aria-labelledby="next-step">
      <p className={styles.label}>
        <Elapsed since={charge.createdAt} />
      </p>
      <h2 id="next-step" className={styles.stepTitle}>
        {text.lockedTitle}: <Money cents={charge.amountCents} currency={charge.currency} />
      </h2>
      <p>{text[lockedBy[charge.kind]]}</p>
      <Notice kind="warn">{text.doNotRepeat}</Notice>
    </section>
  )
}

function NothingToDo({ invoice: { status } }: { invoice: Invoice }) {
  const text = useWords(invoiceTexts)
  const reasons: Partial<Record<Invoice['status'], string>> = {
    PAID: text.nothingPaid,
    VOIDED: text.nothingVoided,
    RECTIFIED: text.nothingRectified,
  }
  return (
    <section className={styles.part} aria-labelledby="next-step">
      <p className={styles.label}>{text.nextStep}</p>
      <h2 id="next-step" className={styles.stepTitle}>
        {text.nothingToDo}
      </h2>
      <p className={styles.quiet}>{reasons[status] ?? text.nothingSettled}</p>
    </section>
  )
}
