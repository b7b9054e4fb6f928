import type { Column } from '../../parts/grid.tsx'
import { Time } from '../../parts/time.tsx'
import styles from '../integrations.module.css'
import type { ListedDelivery } from './delivery.ts'
import { DeliveryStatus, OutcomeText } from './delivery-status.tsx'

type Texts = Readonly<
  Record<'event' | 'application' | 'statusColumn' | 'answer' | 'attempts' | 'emitted', string>
>

/** The columns of a list of deliveries. `isNarrow`: beside an open sheet. */
export function deliveryColumns(
  text: Texts,
  { hasApplication, isNarrow }: { hasApplication: boolean; isNarrow: boolean },
): Column<ListedDelivery>[] {
  return [
    {
      id: 'event',
      title: text.event,
      width: 'minmax(200px, 2fr)',
      cell: ({ event }) => <span className={styles.code}>{event}</span>,
    },
    {
      id: 'status',
      title: text.statusColumn,
      width: '144px',
      phone: 'end',
      cell: ({ status }) => <DeliveryStatus status={status} />,
    },
    ...(hasApplication
      ? [
          {
            id: 'application',
            title: text.application,
            width: 'minmax(120px, 1fr)',
            phone: 'below' as const,
            cell: ({ applicationName }: ListedDelivery) => applicationName ?? '',
          },
        ]
      : []),
    ...(isNarrow
      ? []
      : [
          {
            id: 'answer',
            title: text.answer,
            width: 'minmax(120px, 1fr)',
            ...(!hasApplication && { phone: 'below' as const }),
            cell: ({ outcome, lastStatus }: ListedDelivery) => (
              <OutcomeText outcome={outcome} status={lastStatus} />
            ),
          },
          {
            id: 'attempts',
            title: text.attempts,
            width: '88px',
            align: 'end' as const,
            cell: ({ attempts }: ListedDelivery) => attempts,
          },
        ]),
    {
      id: 'emitted',
      title: text.emitted,
      width: '96px',
      align: 'end',
      phone: 'belowEnd',
      cell: ({ emittedAt }) => <Time value={emittedAt} />,
    },
  ]
}
