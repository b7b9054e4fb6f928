import { useEffect, useState } from 'react'
import type { chargeInvoiceByHand } from '#contract/billing/charges.ts'
import type { refundInvoiceByHand } from '#contract/billing/refunds.ts'
import { useDraft } from '../../data/drafts.ts'
import { currentTime } from '../../parts/clock.ts'

/** The server knows a key for a day; an older one would be a new attempt anyway. */
const keyLifeMs = 20 * 3_600_000

/** The idempotency key of one attempt to move money. */
export type AttemptKey = {
  /** Undefined until the browser has looked for the key of an attempt without a final answer. */
  key: string | undefined
  /** Ends the attempt after a final answer; the next one has a new key. */
  end: () => void
}

/**
 * The key with which money of an invoice is charged or refunded. It is made when the dialog opens and stored until the
 * server gave a final answer: also when the dialog is closed, in another tab, and after a reload. So the same attempt
 * never moves money twice (CHG-12, RFD-8).
 */
export function useAttemptKey(
  operation: typeof chargeInvoiceByHand | typeof refundInvoiceByHand,
  invoiceId: string,
): AttemptKey {
  const { values, savedAt, isLoaded, save, clear } = useDraft(operation, invoiceId)
  const [own, setOwn] = useState<string>()
  const isUsable = savedAt === undefined || currentTime() - savedAt < keyLifeMs
  const stored = isUsable ? values?.idempotencyKey : undefined
  const key = own ?? stored
  useEffect(() => {
    if (!isLoaded || own !== undefined) return
    const next = stored ?? crypto.randomUUID()
    setOwn(next)
    if (stored === undefined) save({ idempotencyKey: next })
  }, [isLoaded, stored, own, save])
  return {
    key: isLoaded ? key : undefined,
    end: () => {
      const next = crypto.randomUUID()
      clear()
      setOwn(next)
      save({ idempotencyKey: next })
    },
  }
}
