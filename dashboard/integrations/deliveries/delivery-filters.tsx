import { useNavigate } from '@tanstack/react-router'
import { deliveryStatuses } from '#contract/integrations/deliveries.ts'
import { applicationEvents } from '#contract/integrations/event-list.ts'
import { limits } from '#contract/limits.ts'
import { currentTime } from '../../parts/clock.ts'
import { FilterBar, type FilterField } from '../../parts/filter-bar.tsx'
import { dayText } from '../../parts/time-text.ts'
import { Total } from '../../parts/total.tsx'
import { type Language, useLanguage, useWords } from '../../words/words.ts'
import { deliveriesTexts } from './deliveries.words.ts'
import { type DeliverySearch, deliverySearchOf, lastDays, type Span, spans } from './delivery-search.rules.ts'
import { deliveryStatusTexts } from './delivery-status.tsx'

/** The filters of a list of deliveries, and how many of them were read. */
export function DeliveryFilters({
  search,
  applications,
  count,
  hasMore,
}: {
  search: DeliverySearch
  /** The applications to choose from; undefined in the list of one. */
  applications?: readonly { id: string; name: string }[]
  count: number
  hasMore: boolean
}) {
  const text = useWords(deliveriesTexts)
  const statuses = useWords(deliveryStatusTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const { open, ...filters } = search
  const events = applicationEvents.map(({ event }) => ({ value: event, label: event }))
  const fields: FilterField[] = [
    {
      id: 'status',
      label: text.status,
      values: deliveryStatuses.map(value => ({ value, label: statuses[value] })),
    },
    { id: 'event', label: text.eventFilter, values: events },
    ...(applications
      ? [
          {
            id: 'application',
            label: text.applicationFilter,
            values: applications.map(({ id, name }) => ({ value: id, label: name })),
          },
        ]
      : []),
    { id: 'time', label: text.time, values: timesOf(text, language) },
  ]
  return (
    <FilterBar
      fields={fields}
      filters={filters}
      onChange={next =>
        void navigate({
          to: '.',
          search: { ...deliverySearchOf(next), ...(open !== undefined && { open }) },
          replace: true,
        })
      }
      end={
        count > 0 && (
          // the server does not count them
          <Total count={count} {...(hasMore && { cap: count })} label={text.shown(count)} isLive />
        )
      }
    />
  )
}

/** The spans and days that the filter of the time offers. */
export function timesOf(
  text: Readonly<Record<Span, string>>,
  language: Language,
): { value: string; label: string }[] {
  return [
    ...(Object.keys(spans) as Span[]).map(value => ({ value, label: text[value] })),
    ...lastDays(limits.webhookRetentionDays, currentTime()).map(value => {
      return { value, label: dayText(value, language, 'dayOfWeek') }
    }),
  ]
}
