import { useShortcuts } from '../../data/shortcuts.ts'
import { Button } from '../../parts/button.tsx'
import { useWords } from '../../words/words.ts'
import type { DeliveryStatus } from './delivery.ts'
import { deliveryTexts } from './delivery-detail.words.ts'
import type { ShownDelivery } from './use-delivery.ts'

type Retry = ShownDelivery['retry']

/** `r` sends the delivery again: one attempt, which the receiver recognizes by its id. */
export function useRetryKey({ start, isBusy, reason }: Retry): void {
  const text = useWords(deliveryTexts)
  const isPossible = start !== undefined && !isBusy && reason === undefined
  useShortcuts({ r: isPossible ? { label: text.retry, action: start } : undefined }, text.delivery)
}

export function RetryButton({
  retry: { start, isBusy, reason },
  status,
}: {
  retry: Retry
  status: DeliveryStatus
}) {
  const text = useWords(deliveryTexts)
  if (!start) return null
  return (
    <Button
      kind={status === 'DELIVERED' ? 'secondary' : 'primary'}
      icon="retry"
      shortcut="r"
      isBusy={isBusy}
      isDisabled={reason !== undefined}
      onPress={start}
    >
      {status === 'DELIVERED' ? text.sendAgain : text.retry}
    </Button>
  )
}

export function NextFailedButton({ onPress }: { onPress: () => void }) {
  const text = useWords(deliveryTexts)
  return (
    <Button kind="quiet" shortcut="n" onPress={onPress}>
      {text.nextFailed}
    </Button>
  )
}
