import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { rectifyInvoice, voidInvoice } from '#contract/billing/invoices.ts'
import { refundInvoiceByHand } from '#contract/billing/refunds.ts'
import { limits } from '#contract/limits.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { lacksTexts } from '../../data/lacks.words.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { RadioGroup } from '../../parts/radio-group.tsx'
import { Reason } from '../../parts/reason.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { correctionTexts } from './correction.words.ts'
import styles from './invoice.module.css'
import { type Correction, correctionObstacles } from './invoice.rules.ts'
import type { InvoiceDialogProps } from './invoice-dialog.ts'

const corrections: readonly Correction[] = ['void', 'rectify', 'refund']

/** One question, what went wrong, with three answers: void, rectify, refund. Says of each why it is not possible. */
export function CorrectionDialog({
  invoice,
  movements,
  onClose,
  onRefund,
}: InvoiceDialogProps & { onRefund: () => void }) {
  const text = useWords(correctionTexts)
  const lacks = useWords(lacksTexts)
  const may = useMay()
  const navigate = useNavigate()
  const { address } = useOrganization()
  const obstacles = correctionObstacles(invoice, movements.charges, movements.refunds)
  const [answer, setAnswer] = useState<Correction | null>(null)
  const [reason, setReason] = useState('')
  const voiding = useAction(voidInvoice)
  const rectifying = useAction(rectifyInvoice)
  const isAllowed = {
    void: may(voidInvoice),
    rectify: may(rectifyInvoice),
    refund: may(refundInvoiceByHand),
  }
  const number = invoice.number ?? ''

  async function correct(): Promise<void> {
    if (answer === 'refund') return onRefund()
    if (answer === 'void') {
      await voiding.mutateAsync({ params: { id: invoice.id }, body: {} })
      showToast({ text: text.wasVoided(number) })
      return onClose()
    }
    const draft = await rectifying.mutateAsync({
      params: { id: invoice.id },
      body: { reason: reason.trim() },
    })
    onClose()
    await navigate({
      to: '/o/$organization/invoices/$invoiceId',
      params: { organization: address, invoiceId: draft.id },
    })
  }

  return (
    <Dialog title={text.question(number)} isOpen onClose={onClose}>
      <ActionForm lacks={answer === null && lacks.answer} onSubmit={correct}>
        {({ isBusy }) => (
          <>
            <RadioGroup
              label={text.answers}
              value={answer}
              onChange={setAnswer}
              options={corrections
                .filter(value => isAllowed[value])
                .map(value => {
                  const obstacle = obstacles[value]
                  return {
                    value,
                    label: text[value],
                    hint: (
                      <>
                        {text[`${value}About`]}
                        {obstacle && <span className={styles.obstacle}>{text[obstacle]}</span>}
                      </>
                    ),
                    isDisabled: obstacle !== undefined,
                  }
                })}
            />
            {answer === 'rectify' && (
              <Reason
                label={text.reason}
                hint={text.reasonHint}
                maxLength={limits.rectifyingReason}
                value={reason}
                onChange={setReason}
                isRequired
              />
            )}
            {answer === 'void' && <Notice kind="warn">{text.voidFinal}</Notice>}
            <FormActions
              onLeave={onClose}
              action={answer === null ? text.goOn : text[`${answer}Action`](number)}
              kind={answer === 'void' ? 'danger' : 'primary'}
              isBusy={isBusy}
            />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
