import { useState } from 'react'
import { recoverable, recoverDeliveries } from '#contract/integrations/recoveries.ts'
import { useMay } from '../../data/organization.tsx'
import { Button } from '../../parts/button.tsx'
import { late } from '../../parts/late.tsx'
import { useWords } from '../../words/words.ts'
import { deliveriesTexts } from './deliveries.words.ts'
import type { DeliveryFilters } from './delivery-search.rules.ts'

const RecoverDialog = late(() =>
  import('../recovery/recover-dialog.tsx').then(dialog => dialog.RecoverDialog),
)

/** Recovers all that the filters find, not only the rows that were read. Absent where they find nothing recoverable. */
export function RecoverButton({
  filters,
  applications,
}: {
  filters: DeliveryFilters
  applications: readonly { id: string; name: string }[]
}) {
  const text = useWords(deliveriesTexts)
  const may = useMay()
  const [isOpen, setOpen] = useState(false)
  const { status = 'FAILED' } = filters
  const known = recoverable.find(one => one === status)
  if (!may(recoverDeliveries) || !known || applications.length === 0) return null
  return (
    <>
      <Button
        icon="retry"
        onPress={() => setOpen(true)}
        onHoverStart={RecoverDialog.preload}
        onFocus={RecoverDialog.preload}
      >
        {text.recover}
      </Button>
      {isOpen && (
        <RecoverDialog
          applications={applications}
          first={{ ...filters, status: known }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
